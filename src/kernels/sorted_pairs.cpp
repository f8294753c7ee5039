#include "kernels/sorted_pairs.h"

#include <algorithm>
#include <limits>

#include "core/fail.h"
#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

// offsets[n] .. offsets[n + 1]: places of key n, once every key has been counted into n + 1.
void sum_up(std::vector<int64_t>& offsets) {
  for (size_t i = 1; i < offsets.size(); ++i) {
    offsets[i] += offsets[i - 1];
  }
}

}  // namespace

void SortedPairs::choose_blocks(NodeVectorSize nodes, int64_t num_pairs) {
  constexpr int64_t kBlockBytes = int64_t{1} << 19;  // a part of a second-level cache
  constexpr int64_t kPairsPerNode = 8;               // in a block; with fewer a block gains nothing
  const int64_t wanted = nodes.count * nodes.bytes / kBlockBytes;
  const int64_t most = num_pairs / (kPairsPerNode * std::max<int64_t>(1, nodes.count));
  num_nodes_ = nodes.count;
  blocks_ = std::max<int64_t>(1, std::min(wanted, most));
  nodes_per_block_ = std::max<int64_t>(1, (nodes.count + blocks_ - 1) / blocks_);
}

void SortedPairs::assign(NodeVectorSize nodes, std::span<const NodePair> positives,
                         std::span<const NodePair> negatives, const EdgeIndex* own_edges) {
  const size_t count = positives.size() + negatives.size();
  if (count > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    fail("{} training pairs, at most {} are supported; use fewer negatives per positive", count,
         std::numeric_limits<int32_t>::max());
  }
  choose_blocks(nodes, static_cast<int64_t>(count));
  heads_.resize(count);
  tails_.resize(count);
  is_link_.resize(count);
  edges_.resize(own_edges == nullptr ? 0 : count);
  tail_order_.resize(count);
  head_offsets_.assign(blocks_ * num_nodes_ + 1, 0);
  tail_offsets_.assign(blocks_ * num_nodes_ + 1, 0);
  // Each thread places the pairs of its own nodes: reading all pairs is cheap, writing is not.
  const int64_t nodes_a_thread = num_nodes_ / num_threads() + 1;
  parallel_blocks(num_nodes_, nodes_a_thread, [&](int64_t begin, int64_t end) {
    for (const auto pairs : {positives, negatives}) {
      for (const NodePair pair : pairs) {
        if (pair.source >= begin && pair.source < end) {
          ++head_offsets_[head_key(pair) + 1];
        }
        if (pair.target >= begin && pair.target < end) {
          ++tail_offsets_[tail_key(pair) + 1];
        }
      }
    }
  });
  sum_up(head_offsets_);
  sum_up(tail_offsets_);
  next_.assign(head_offsets_.begin(), head_offsets_.end() - 1);
  parallel_blocks(num_nodes_, nodes_a_thread, [&](int64_t begin, int64_t end) {
    place_heads(begin, end, positives, true, own_edges);
    place_heads(begin, end, negatives, false, own_edges);
  });
  next_.assign(tail_offsets_.begin(), tail_offsets_.end() - 1);
  parallel_blocks(num_nodes_, nodes_a_thread, [&](int64_t begin, int64_t end) {
    for (size_t place = 0; place < count; ++place) {
      if (tails_[place] >= begin && tails_[place] < end) {
        tail_order_[next_[tail_key({heads_[place], tails_[place]})]++] =
            static_cast<int32_t>(place);
      }
    }
  });
  if (own_edges != nullptr) {
    sort_by_edge(own_edges->num_edges());
  }
}

void SortedPairs::place_heads(int64_t begin, int64_t end, std::span<const NodePair> pairs,
                              bool are_links, const EdgeIndex* own_edges) {
  for (const NodePair pair : pairs) {
    if (pair.source < begin || pair.source >= end) {
      continue;
    }
    const int64_t place = next_[head_key(pair)]++;
    heads_[place] = pair.source;
    tails_[place] = pair.target;
    is_link_[place] = are_links ? 1 : 0;
    if (own_edges != nullptr) {
      edges_[place] = are_links ? static_cast<int32_t>(own_edges->find(pair)) : -1;
    }
  }
}

void SortedPairs::sort_by_edge(int64_t num_edges) {
  edge_offsets_.assign(num_edges + 1, 0);
  for (const int32_t edge : edges_) {
    if (edge >= 0) {
      ++edge_offsets_[edge + 1];
    }
  }
  sum_up(edge_offsets_);
  next_.assign(edge_offsets_.begin(), edge_offsets_.end() - 1);
  edge_pairs_.resize(edge_offsets_.back());
  for (size_t place = 0; place < edges_.size(); ++place) {
    if (edges_[place] >= 0) {
      edge_pairs_[next_[edges_[place]]++] = static_cast<int32_t>(place);
    }
  }
}

PairBatch SortedPairs::batch() const {
  return {.num_pairs = size(),
          .blocks = blocks_,
          .heads = heads_.data(),
          .tails = tails_.data(),
          .head_offsets = head_offsets_.data(),
          .tail_offsets = tail_offsets_.data(),
          .tail_order = tail_order_.data(),
          .is_link = is_link_.data(),
          .edges = edges_.empty() ? nullptr : edges_.data(),
          .edge_offsets = edges_.empty() ? nullptr : edge_offsets_.data(),
          .edge_pairs = edges_.empty() ? nullptr : edge_pairs_.data(),
          .link_weight = 1,
          .other_weight = 1,
          .squared_error = false};
}

}  // namespace disenlink::detail
