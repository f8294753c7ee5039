// Enclosing subgraphs: what SEAL sees of a pair of nodes.
//
// The subgraph of (x, y) has the nodes within some hops of either end and the links among them,
// without the link x-y itself. Each node has a label from its distances dx to x and dy to y (double
// radius node labelling); dx is measured with y taken out and dy with x taken out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "disenlink/graph.h"
#include "kernels/directed_graph.h"

namespace disenlink::detail {

struct SubgraphOptions {
  int64_t hops = 1;
  // A hop with more new nodes keeps a random sample of this size, always the same for a pair;
  // 0 = all. A hop goes out from both ends at once, as in SEAL's own program.
  int64_t nodes_per_hop = 100;
};

// The subgraphs of some pairs as one graph of separate parts. Graph g has the rows offsets[g] ..
// offsets[g + 1]; its first two are the ends of the pair, the smaller id first.
struct SubgraphBatch {
  std::vector<int64_t> offsets{0};  // (graphs + 1)
  std::vector<NodeId> nodes;        // (rows) numbers in the whole graph
  std::vector<int32_t> labels;      // (rows)
  // Neighbours of every row, itself first; edges have no numbers. Links go both ways, so the lists
  // serve receivers and senders alike.
  EdgeLists neighbors{.offsets = {0}, .others = {}, .edges = {}};

  int64_t num_graphs() const { return static_cast<int64_t>(offsets.size()) - 1; }
  int64_t num_rows() const { return offsets.back(); }

  // Takes the subgraphs out and keeps the memory.
  void clear() {
    offsets.assign(1, 0);
    nodes.clear();
    labels.clear();
    neighbors.offsets.assign(1, 0);
    neighbors.others.clear();
  }
};

inline constexpr int32_t kLargestLabel = 999;

// 1 + min(dx, dy) + q (q + r - 1) with q, r = (dx + dy) divided by 2; at most kLargestLabel.
int32_t distance_label(int64_t dx, int64_t dy);

// On the calling thread; different threads may extract at the same time. Both directions of a pair
// have the same subgraph. A pair (x, x) has x twice, as two nodes with the same neighbours.
void append_subgraphs(const Adjacency& graph, std::span<const NodePair> pairs,
                      const SubgraphOptions& options, SubgraphBatch& batch);
SubgraphBatch extract_subgraphs(const Adjacency& graph, std::span<const NodePair> pairs,
                                const SubgraphOptions& options);

// Sizes of a network that suit a graph.
struct SubgraphBounds {
  int64_t largest_label = 10;  // labels (3, 3) and nearer, even if no link of the sample has them
  int64_t pooled_rows = 10;    // fewer would leave nothing for the second convolution
};

// From at most 1,000 links, evenly spaced among the rows of the graph: the largest label, and a
// number of rows that 60 % of the subgraphs do not exceed. A function of graph and options alone.
SubgraphBounds sample_bounds(const MessageGraph& graph, const SubgraphOptions& options);

}  // namespace disenlink::detail
