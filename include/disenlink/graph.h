// The value that the data stage hands on: links, attributes, labels and names of one graph.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "disenlink/features.h"
#include "disenlink/node_names.h"

namespace disenlink {

// Row number of a node. 32 bits: neighbour lists are what the kernels stream, and half the bytes
// is twice the speed. Counts and offsets are int64_t.
using NodeId = int32_t;

struct NodePair {
  NodeId source;
  NodeId target;

  friend auto operator<=>(const NodePair&, const NodePair&) = default;
};

// The same pair with the smaller id first.
inline NodePair unordered(NodePair pair) {
  return pair.source <= pair.target ? pair : NodePair{pair.target, pair.source};
}

// Sorted neighbour lists of the distinct unordered pairs, without self loops (CSR).
class Adjacency {
 public:
  Adjacency() = default;

  // Arcs may come in any order and direction, repeat, and hold self loops. Throws Error for an id
  // that is no node.
  static Adjacency from_arcs(int64_t num_nodes, std::span<const NodePair> arcs);

  int64_t num_nodes() const { return static_cast<int64_t>(offsets_.size()) - 1; }
  int64_t num_pairs() const { return offsets_.back() / 2; }
  int64_t degree(NodeId node) const { return offsets_[node + 1] - offsets_[node]; }
  std::span<const NodeId> neighbors(NodeId node) const {
    return {neighbors_.get() + offsets_[node], static_cast<size_t>(degree(node))};
  }
  bool contains(NodePair pair) const;

  std::span<const int64_t> offsets() const { return offsets_; }
  std::span<const NodeId> neighbors() const {
    return {neighbors_.get(), static_cast<size_t>(offsets_.back())};
  }

  // Each unordered pair once, smaller id first, in ascending order.
  std::vector<NodePair> pairs() const;

 private:
  std::vector<int64_t> offsets_{0};
  std::shared_ptr<const NodeId[]> neighbors_;  // never changed, so copies share it
};

// What an encoder may see: the neighbour lists, and the rows they were made from.
class MessageGraph : public Adjacency {
 public:
  MessageGraph() = default;
  MessageGraph(int64_t num_nodes, std::vector<NodePair> arcs)
      : Adjacency(Adjacency::from_arcs(num_nodes, arcs)), arcs_(std::move(arcs)) {}

  // Direction, order, duplicates and self loops kept.
  std::span<const NodePair> arcs() const { return arcs_; }

 private:
  std::vector<NodePair> arcs_;
};

// How a graph's stored rows become the arc list that the `published` protocol splits.
enum class ArcForm {
  kAsStored,     // the rows as they are
  kWithReverse,  // every row, then every row reversed
  kSymmetric,    // distinct unordered pairs without self loops, both directions
};

// Planted factors are smaller.
inline constexpr int32_t kMostPlantedFactors = 1024;

// What a reader collects before it becomes a Graph.
struct GraphParts {
  std::string name;
  int64_t num_nodes = 0;
  std::vector<NodePair> arcs;
  Features features;
  std::vector<int32_t> labels;           // empty, or one a node; -1 = unlabelled
  NodeNames names;                       // empty = numbered
  std::vector<int32_t> planted_factors;  // empty, or one an arc: the factor that caused it
  std::vector<std::string> notes;        // what the reader had to decide, in plain sentences
  ArcForm published_arcs = ArcForm::kAsStored;
};

class Graph {
 public:
  // Checks that the parts agree in size and that every id is in range; throws Error.
  explicit Graph(GraphParts parts);

  const std::string& name() const { return parts_.name; }
  int64_t num_nodes() const { return parts_.num_nodes; }
  // Rows as given: direction, order, duplicates and self loops kept.
  std::span<const NodePair> arcs() const { return parts_.arcs; }
  const Adjacency& adjacency() const { return adjacency_; }
  const Features& features() const { return parts_.features; }
  std::span<const int32_t> labels() const { return parts_.labels; }
  const NodeNames& names() const { return parts_.names; }
  std::span<const int32_t> planted_factors() const { return parts_.planted_factors; }
  const std::vector<std::string>& notes() const { return parts_.notes; }
  ArcForm published_arcs() const { return parts_.published_arcs; }

  // Changes with any node count, arc or arc order; 16 hexadecimal digits.
  std::string fingerprint() const;

 private:
  GraphParts parts_;
  Adjacency adjacency_;
};

}  // namespace disenlink
