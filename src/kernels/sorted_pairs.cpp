#include "kernels/sorted_pairs.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "core/fail.h"
#include "kernels/parallel.h"

namespace disenlink::detail {

// A counting sort of items 0 .. count, equal keys in the order of the items. Calls place(item,
// position) and sets offsets (keys + 1) to where each key begins. Items without a key have a
// negative one. Every part of the items has counters of its own, so parts are read side by side,
// and the order is the same for any number of them.
template <typename KeyOf, typename Place>
void SortedPairs::sort_by_key(int64_t count, int64_t num_keys, KeyOf&& key_of, Place&& place,
                              std::vector<int64_t>& offsets) {
  constexpr int64_t kItemsPerKey = 4;  // with fewer, counters are more work than items
  const int64_t most_parts = 1 + count / (kItemsPerKey * std::max<int64_t>(1, num_keys));
  const int64_t parts = std::clamp<int64_t>(num_threads(), 1, most_parts);
  const int64_t items_per_part = std::max<int64_t>(1, (count + parts - 1) / parts);
  next_.assign(parts * num_keys, 0);
  const auto for_each_item = [&](auto&& use) {
    parallel_blocks(count, items_per_part, [&](int64_t begin, int64_t end) {
      int32_t* const next = next_.data() + begin / items_per_part * num_keys;
      for (int64_t item = begin; item < end; ++item) {
        const int64_t key = key_of(item);
        if (key >= 0) {
          use(item, next[key]);
        }
      }
    });
  };
  for_each_item([](int64_t, int32_t& counter) { ++counter; });
  offsets.resize(num_keys + 1);
  int64_t position = 0;
  for (int64_t key = 0; key < num_keys; ++key) {
    offsets[key] = position;
    for (int64_t part = 0; part < parts; ++part) {
      int32_t& counter = next_[part * num_keys + key];
      position += std::exchange(counter, static_cast<int32_t>(position));
    }
  }
  offsets[num_keys] = position;
  for_each_item([&](int64_t item, int32_t& next) { place(item, next++); });
}

int64_t nodes_per_block(NodeVectorSize nodes, int64_t num_pairs) {
  // Beside a block, the cache holds what passes by and, it may be, a neighbour's work.
  constexpr int64_t kBlockBytes = int64_t{15} << 14;
  // Every block passes through all nodes once: what no core's cache holds is not worth that.
  constexpr int64_t kLargestBlockBytes = int64_t{1} << 21;
  constexpr int64_t kPairsPerNode = 8;  // in a block; with fewer a block gains nothing
  const int64_t fitting = kBlockBytes / std::max<int64_t>(1, nodes.bytes);
  const int64_t pairs_per_node = num_pairs / std::max<int64_t>(1, nodes.count);
  const int64_t least =
      std::min(nodes.count, kPairsPerNode * nodes.count / std::max<int64_t>(1, pairs_per_node));
  const auto whole_power = [](int64_t count) {
    return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(count)));
  };
  const int64_t together = whole_power(std::max({int64_t{1}, fitting, least}));
  const bool is_too_large = together * nodes.bytes > kLargestBlockBytes;
  return is_too_large ? whole_power(std::max<int64_t>(1, nodes.count)) : together;
}

namespace {

// Keeps what was given; says whether it is something else than before.
bool replace(std::vector<NodePair>& kept, std::span<const NodePair> given) {
  const bool is_same = std::equal(kept.begin(), kept.end(), given.begin(), given.end());
  if (!is_same) {
    kept.assign(given.begin(), given.end());
  }
  return !is_same;
}

}  // namespace

bool SortedPairs::takes_other_pairs(std::span<const NodePair> positives,
                                    std::span<const NodePair> negatives) {
  const bool other_positives = replace(positives_, positives);
  const bool other_negatives = replace(negatives_, negatives);
  return other_positives || other_negatives;
}

bool SortedPairs::takes_other_nodes(NodeVectorSize nodes, const EdgeIndex* own_edges) {
  const NodeVectorSize nodes_before = std::exchange(nodes_, nodes);
  const EdgeIndex* const graph_before = std::exchange(own_graph_, own_edges);
  return nodes_before != nodes || graph_before != own_edges;
}

void SortedPairs::choose_blocks(int64_t num_pairs) {
  const int64_t together = nodes_per_block(nodes_, num_pairs);
  block_shift_ = std::countr_zero(static_cast<uint64_t>(together));
  blocks_ = std::max<int64_t>(1, (nodes_.count + together - 1) >> block_shift_);
}

void SortedPairs::assign(NodeVectorSize nodes, std::span<const NodePair> positives,
                         std::span<const NodePair> negatives, const EdgeIndex* own_edges) {
  const size_t count = positives.size() + negatives.size();
  if (count > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    fail("{} training pairs at a time, at most {} are supported", count,
         std::numeric_limits<int32_t>::max());
  }
  const bool other_pairs = takes_other_pairs(positives, negatives);
  const bool other_nodes = takes_other_nodes(nodes, own_edges);
  if (!other_pairs && !other_nodes) {
    return;
  }
  choose_blocks(static_cast<int64_t>(count));
  tails_.resize(count);
  heads_.resize(count);
  is_link_.resize(count);
  places_.resize(count);
  own_links_.resize(own_edges == nullptr ? 0 : count);
  own_links_by_tail_.resize(own_links_.size());
  edge_of_own_link_.resize(own_edges == nullptr ? 0 : positives.size());
  place_heads();
  place_tails();
  if (own_edges != nullptr) {
    place_own_links();
  }
}

// Until the tails are in order, places_ holds the heads, and own_links_ the edges.
void SortedPairs::place_heads() {
  const auto num_positives = static_cast<int64_t>(positives_.size());
  const auto pair_of = [&](int64_t item) {
    return item < num_positives ? positives_[item] : negatives_[item - num_positives];
  };
  sort_by_key(
      size(), blocks_ * nodes_.count, [&](int64_t item) { return head_key(pair_of(item)); },
      [&](int64_t item, int64_t position) {
        const NodePair pair = pair_of(item);
        const bool is_link = item < num_positives;
        places_[position] = pair.source;
        tails_[position] = pair.target;
        is_link_[position] = is_link ? 1 : 0;
        if (own_graph_ != nullptr) {
          own_links_[position] = is_link ? static_cast<int32_t>(own_graph_->find(pair)) : -1;
        }
      },
      head_offsets_);
}

void SortedPairs::place_tails() {
  sort_by_key(
      size(), (blocks_ * blocks_) << block_shift_,
      [&](int64_t pair) {
        return tail_key({places_[pair], tails_[pair]});
      },
      [&](int64_t pair, int64_t position) {
        heads_[position] = std::exchange(places_[pair], static_cast<int32_t>(position));
      },
      tail_offsets_);
}

void SortedPairs::place_own_links() {
  sort_by_key(
      size(), own_graph_->num_edges(), [&](int64_t pair) { return own_links_[pair]; },
      [&](int64_t pair, int64_t position) {
        edge_of_own_link_[position] =
            std::exchange(own_links_[pair], static_cast<int32_t>(position));
      },
      own_link_offsets_);
  constexpr int64_t kPairsTogether = 1 << 14;
  parallel_blocks(size(), kPairsTogether, [&](int64_t begin, int64_t end) {
    for (int64_t pair = begin; pair < end; ++pair) {
      own_links_by_tail_[places_[pair]] = own_links_[pair];
    }
  });
}

PairBatch SortedPairs::batch() const {
  const auto or_null = [](const auto& values) { return values.empty() ? nullptr : values.data(); };
  int64_t most_in_strip = 0;
  for (int64_t block = 0; block < blocks_; ++block) {
    const int64_t* const offsets = head_offsets_.data() + block * nodes_.count;
    most_in_strip = std::max(most_in_strip, offsets[nodes_.count] - offsets[0]);
  }
  return {.num_pairs = size(),
          .blocks = blocks_,
          .nodes_per_block = int64_t{1} << block_shift_,
          .most_in_strip = most_in_strip,
          .head_offsets = head_offsets_.data(),
          .tails = tails_.data(),
          .is_link = is_link_.data(),
          .places = places_.data(),
          .own_links = or_null(own_links_),
          .tail_offsets = tail_offsets_.data(),
          .heads = heads_.data(),
          .own_links_by_tail = or_null(own_links_by_tail_),
          .num_own_links = own_links_.empty() ? 0 : own_link_offsets_.back(),
          .edge_of_own_link = or_null(edge_of_own_link_),
          .own_link_offsets = own_links_.empty() ? nullptr : own_link_offsets_.data(),
          .link_weight = 1,
          .other_weight = 1,
          .loss = PairLoss::kCrossEntropy};
}

}  // namespace disenlink::detail
