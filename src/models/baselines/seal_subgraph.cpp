#include "models/baselines/seal_subgraph.h"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <limits>

#include "core/fail.h"
#include "disenlink/random.h"

namespace disenlink::detail {
namespace {

constexpr int32_t kUnreached = -1;
constexpr int32_t kTargetLabel = 1;
constexpr int32_t kUnreachedLabel = 0;

// Builds one subgraph after the other; its memory, O(nodes of the graph), is kept in between.
class Extractor {
 public:
  // Not inlined where this object belongs to the thread: each look at a member would begin with a
  // call that finds the object.
  [[gnu::noinline]] void append(const Adjacency& graph, NodePair pair,
                                const SubgraphOptions& options, SubgraphBatch& batch) {
    collect_nodes(graph, pair, options);
    find_links(graph, pair.source == pair.target);
    append_lists(batch);
    append_labels(batch);
    batch.nodes.insert(batch.nodes.end(), nodes_.begin(), nodes_.end());
    batch.offsets.push_back(batch.offsets.back() + num_rows());
  }

 private:
  struct RowPair {
    int32_t a, b;
  };

  int32_t num_rows() const { return static_cast<int32_t>(nodes_.size()); }

  // Forgets the last subgraph in O(1): its marks are below the new ones.
  void start(int64_t num_nodes) {
    marks_.resize(std::max<size_t>(marks_.size(), num_nodes), 0);
    const auto most_rows = static_cast<uint32_t>(num_nodes) + 2;
    seen_ += static_cast<uint32_t>(nodes_.size()) + 1;
    if (seen_ > std::numeric_limits<uint32_t>::max() - most_rows - 1) {
      std::fill(marks_.begin(), marks_.end(), 0);
      seen_ = 1;
    }
    nodes_.clear();
  }

  bool is_seen(NodeId node) const { return marks_[node] >= seen_; }

  void collect_nodes(const Adjacency& graph, NodePair pair, const SubgraphOptions& options) {
    start(graph.num_nodes());
    nodes_ = {pair.source, pair.target};
    marks_[pair.source] = seen_;
    marks_[pair.target] = seen_;
    Random random(static_cast<uint64_t>(pair.source) << 32 | static_cast<uint64_t>(pair.target));
    int32_t first = 0;
    for (int64_t hop = 0; hop < options.hops && first < num_rows(); ++hop) {
      first = add_hop(graph, first, options.nodes_per_hop, random);
    }
  }

  // Adds the new neighbours of the rows from `first` on, or a sample of them (reservoir sampling);
  // returns the first row added. Nodes that the sample leaves out count as seen.
  int32_t add_hop(const Adjacency& graph, int32_t first, int64_t most, Random& random) {
    const int32_t last = num_rows();
    int64_t found = 0;
    for (int32_t row = first; row < last; ++row) {
      for (const NodeId node : graph.neighbors(nodes_[row])) {
        if (is_seen(node)) {
          continue;
        }
        marks_[node] = seen_;
        if (++found <= most || most == 0) {
          nodes_.push_back(node);
        } else if (const auto place = static_cast<int64_t>(random.below(found)); place < most) {
          nodes_[last + place] = node;
        }
      }
    }
    return last;
  }

  // Ranks the rows by degree and marks their nodes with the rank.
  void rank_rows(const Adjacency& graph) {
    keys_.clear();
    for (int32_t row = 0; row < num_rows(); ++row) {
      keys_.push_back(static_cast<uint64_t>(graph.degree(nodes_[row])) << 32 |
                      static_cast<uint64_t>(row));
    }
    sorter_(keys_.data(), keys_.size(), hwy::SortAscending());
    order_.resize(nodes_.size());
    for (int32_t rank = 0; rank < num_rows(); ++rank) {
      order_[rank] = static_cast<int32_t>(keys_[rank] & 0xFFFFFFFF);
      marks_[nodes_[order_[rank]]] = seen_ + 1 + static_cast<uint32_t>(rank);
    }
  }

  // Each link once, found at its end of lower degree, so that a hub's long list is never walked:
  // among the few rows of yet higher degree its neighbours are looked up.
  void find_links(const Adjacency& graph, bool is_self_pair) {
    // Steps of a walk that take as long as one search.
    constexpr size_t kStepsPerSearch = 32;
    rank_rows(graph);
    links_.clear();
    lengths_.assign(nodes_.size(), 1);
    for (int32_t rank = 0; rank + 1 < num_rows(); ++rank) {
      const auto list = graph.neighbors(nodes_[order_[rank]]);
      const auto others = static_cast<size_t>(num_rows() - rank - 1);
      // The two rows of a self pair have one mark, so walking would find only one of them.
      const size_t count = !is_self_pair && list.size() <= others * kStepsPerSearch
                               ? walk(list, rank)
                               : look_up(list, rank);
      add_links(rank, count);
    }
  }

  // Both fill found_ with neighbours of higher rank, as the distance to the first such rank, and
  // return their number.
  size_t walk(std::span<const NodeId> list, int32_t rank) {
    found_.resize(std::max(found_.size(), list.size() + 1));
    const uint32_t first = seen_ + 2 + static_cast<uint32_t>(rank);
    const uint32_t others = static_cast<uint32_t>(num_rows() - rank) - 1;
    const uint32_t* const marks = marks_.data();
    uint32_t* const found = found_.data();
    size_t count = 0;
    // Without a branch, which the processor would guess wrong for every other link. For a node
    // outside and for lower ranks the subtraction wraps around.
    for (const NodeId node : list) {
      const uint32_t distance = marks[node] - first;
      found[count] = distance;
      count += distance < others ? 1 : 0;
    }
    return count;
  }

  size_t look_up(std::span<const NodeId> list, int32_t rank) {
    found_.resize(std::max(found_.size(), nodes_.size()));
    size_t count = 0;
    for (int32_t other = rank + 1; other < num_rows(); ++other) {
      if (std::binary_search(list.begin(), list.end(), nodes_[order_[other]])) {
        found_[count++] = static_cast<uint32_t>(other - rank) - 1;
      }
    }
    return count;
  }

  void add_links(int32_t rank, size_t count) {
    const int32_t a = order_[rank];
    const int32_t* const above = order_.data() + rank + 1;
    const size_t before = links_.size();
    links_.resize(before + count);
    RowPair* next = links_.data() + before;
    for (size_t i = 0; i < count; ++i) {
      const int32_t b = above[found_[i]];
      const bool is_target = a + b == 1;  // rows 0 and 1
      if (!is_target) {
        *next++ = {a, b};
        ++lengths_[b];
      }
    }
    const size_t added = next - links_.data() - before;
    links_.resize(before + added);
    lengths_[a] += static_cast<int64_t>(added);
  }

  void append_lists(SubgraphBatch& batch) {
    const auto first_row = static_cast<int32_t>(batch.num_rows());
    EdgeLists& lists = batch.neighbors;
    next_.clear();
    for (int32_t row = 0; row < num_rows(); ++row) {
      next_.push_back(lists.offsets.back());
      lists.offsets.push_back(lists.offsets.back() + lengths_[row]);
    }
    const auto num_edges = static_cast<size_t>(lists.offsets.back());
    if (num_edges > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
      fail("subgraphs with {} links; fewer hops or nodes per hop make them smaller", num_edges);
    }
    lists.others.resize(num_edges);
    for (int32_t row = 0; row < num_rows(); ++row) {
      lists.others[next_[row]++] = first_row + row;
    }
    for (const RowPair& link : links_) {
      lists.others[next_[link.a]++] = first_row + link.b;
      lists.others[next_[link.b]++] = first_row + link.a;
    }
  }

  void append_labels(SubgraphBatch& batch) {
    measure(batch, 0, 1, from_source_);
    measure(batch, 1, 0, from_target_);
    for (int32_t row = 0; row < num_rows(); ++row) {
      const bool is_reached = from_source_[row] != kUnreached && from_target_[row] != kUnreached;
      batch.labels.push_back(row < 2      ? kTargetLabel
                             : is_reached ? distance_label(from_source_[row], from_target_[row])
                                          : kUnreachedLabel);
    }
  }

  // Steps from row `start` to every other, with row `closed` taken out.
  void measure(const SubgraphBatch& batch, int32_t start, int32_t closed,
               std::vector<int32_t>& steps) {
    const auto first_row = static_cast<int32_t>(batch.num_rows());
    const EdgeLists& lists = batch.neighbors;
    steps.assign(nodes_.size(), kUnreached);
    queue_.resize(nodes_.size() + 1);
    steps[start] = 0;
    steps[closed] = 0;
    queue_[0] = start;
    const size_t all = nodes_.size() - 1;
    size_t reached = 1;
    for (size_t i = 0; i < reached && reached < all; ++i) {
      const int32_t row = queue_[i];
      const int64_t end = lists.offsets[first_row + row + 1];
      for (int64_t entry = lists.offsets[first_row + row]; entry < end; ++entry) {
        const int32_t other = lists.others[entry] - first_row;
        const bool is_new = steps[other] == kUnreached;
        steps[other] = is_new ? steps[row] + 1 : steps[other];
        queue_[reached] = other;
        reached += is_new ? 1 : 0;
      }
    }
  }

  // By node of the whole graph: seen_ = seen by this subgraph, seen_ + 1 + r = its row of rank r,
  // less = new.
  std::vector<uint32_t> marks_;
  uint32_t seen_ = 0;
  std::vector<NodeId> nodes_;   // by row
  std::vector<uint64_t> keys_;  // degree and row, ascending
  hwy::Sorter sorter_;
  std::vector<int32_t> order_;  // the rows by rank
  std::vector<uint32_t> found_;
  std::vector<RowPair> links_;
  std::vector<int64_t> lengths_, next_;  // of the lists
  std::vector<int32_t> from_source_, from_target_, queue_;
};

}  // namespace

int32_t distance_label(int64_t dx, int64_t dy) {
  const int64_t half = (dx + dy) / 2;
  const int64_t rest = (dx + dy) % 2;
  const int64_t label = 1 + std::min(dx, dy) + half * (half + rest - 1);
  return static_cast<int32_t>(std::min<int64_t>(label, kLargestLabel));
}

void append_subgraphs(const Adjacency& graph, std::span<const NodePair> pairs,
                      const SubgraphOptions& options, SubgraphBatch& batch) {
  static thread_local Extractor extractor;
  for (const NodePair& pair : pairs) {
    extractor.append(graph, unordered(pair), options, batch);
  }
}

SubgraphBatch extract_subgraphs(const Adjacency& graph, std::span<const NodePair> pairs,
                                const SubgraphOptions& options) {
  SubgraphBatch batch;
  append_subgraphs(graph, pairs, options, batch);
  return batch;
}

SubgraphBounds sample_bounds(const MessageGraph& graph, const SubgraphOptions& options) {
  constexpr size_t kSample = 1000;
  const auto arcs = graph.arcs();
  const size_t count = std::min(kSample, arcs.size());
  SubgraphBounds bounds;
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < count; ++i) {
    const SubgraphBatch one =
        extract_subgraphs(graph, arcs.subspan(i * arcs.size() / count, 1), options);
    sizes.push_back(one.num_rows());
    bounds.largest_label =
        std::max<int64_t>(bounds.largest_label, *std::ranges::max_element(one.labels));
  }
  if (!sizes.empty()) {
    const auto middle = sizes.begin() + static_cast<int64_t>((3 * count + 4) / 5) - 1;
    std::nth_element(sizes.begin(), middle, sizes.end());
    bounds.pooled_rows = std::max(bounds.pooled_rows, *middle);
  }
  return bounds;
}

}  // namespace disenlink::detail
