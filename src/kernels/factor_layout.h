// Shapes and views shared by the kernels of DisenLink.
//
// Node vectors are (nodes, factors, width), row by row; an edge is an unordered pair of the message
// graph and appears as one entry in the row of each of its two ends.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "disenlink/graph.h"

namespace disenlink::detail {

struct FactorShape {
  int64_t nodes = 0;
  int64_t factors = 0;
  int64_t width = 0;

  int64_t row() const { return factors * width; }
  int64_t size() const { return nodes * row(); }
};

// A message graph whose entries know their edge.
struct EdgeIndex {
  explicit EdgeIndex(const Adjacency& graph);

  int64_t num_nodes() const { return static_cast<int64_t>(offsets.size()) - 1; }
  int64_t num_edges() const { return static_cast<int64_t>(ends.size()); }
  // Edge of an unordered pair, or -1.
  int64_t find(NodePair pair) const;

  std::span<const int64_t> offsets;    // (nodes + 1), views of the graph
  std::span<const NodeId> neighbors;   // (2 edges)
  std::vector<int32_t> edge_of_entry;  // (2 edges)
  std::vector<NodePair> ends;          // (edges), smaller id first, ascending
};

// Which of the paper's parts are on.
struct FactorForm {
  double beta = 0.5;
  double temperature = 1;
  bool select = true;            // a neighbour counts on its one most important factor
  bool importance = true;        // messages are weighted by importance
  bool weighted_score = true;    // the score weights each factor by exp(q)
  bool by_sender = false;        // messages are divided by the sender's total, not the receiver's
  bool leave_one_out = false;    // a training link does not see its own message
  double largest_exponent = 40;  // of the score's exp(q); beyond it the gradient is zero
};

// What a pair's logit costs.
enum class PairLoss : uint8_t {
  kCrossEntropy,  // on logits: its slope never dies
  kSquaredError,  // of the probability
  kClippedLog,    // -log(p + 1e-15), p = probability of what is true, rounded as 1 - sigmoid is: in
                  // float a negative beyond 17 has no slope any more
};
constexpr double kClip = 1e-15;

}  // namespace disenlink::detail
