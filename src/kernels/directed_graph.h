// Edges with a direction, listed by receiver and by sender, for kernels that gather.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "disenlink/graph.h"

namespace disenlink::detail {

// One side's view: the entries of row n are offsets[n] .. offsets[n + 1].
struct EdgeLists {
  std::vector<int64_t> offsets;  // (nodes + 1)
  std::vector<int32_t> others;   // (edges) the node at the far end
  std::vector<int32_t> edges;    // (edges) number of the edge
  bool in_order = false;         // edges are 0, 1, 2 ..
};

// Edges are numbered in the order of the receivers' lists.
class DirectedGraph {
 public:
  DirectedGraph() = default;

  // source -> target; duplicates stay.
  DirectedGraph(int64_t num_nodes, std::span<const NodePair> arcs);

  // Both directions of every pair; with_loops adds an edge from each node to itself.
  static DirectedGraph symmetric(const Adjacency& graph, bool with_loops);

  // The rows as they are, without their self loops; with_loops adds one to every node.
  static DirectedGraph one_direction(const MessageGraph& graph, bool with_loops);

  int64_t num_nodes() const { return static_cast<int64_t>(by_receiver_.offsets.size()) - 1; }
  int64_t num_edges() const { return static_cast<int64_t>(by_receiver_.others.size()); }
  int64_t in_degree(int64_t node) const {
    return by_receiver_.offsets[node + 1] - by_receiver_.offsets[node];
  }

  const EdgeLists& by_receiver() const { return by_receiver_; }      // others: senders
  const EdgeLists& by_sender() const { return by_sender_; }          // others: receivers
  std::span<const int32_t> receivers() const { return receivers_; }  // of each edge

 private:
  EdgeLists by_receiver_;
  EdgeLists by_sender_;
  std::vector<int32_t> receivers_;
};

// Weight of each edge in normalised propagation: 1 / sqrt(degree of sender * of receiver), degrees
// counted at the receiving side, at least 1.
std::vector<float> symmetric_weights(const DirectedGraph& graph);

}  // namespace disenlink::detail
