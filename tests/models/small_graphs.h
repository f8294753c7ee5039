// Graphs and pairs for tests of models.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "disenlink/model.h"
#include "disenlink/random.h"

namespace disenlink::testing {

inline MessageGraph random_graph(int64_t nodes, int64_t links, uint64_t seed) {
  Random random(seed);
  std::vector<NodePair> arcs;
  for (int64_t i = 0; i < links; ++i) {
    // The cube makes low ids hubs.
    const double u = random.uniform();
    arcs.push_back({static_cast<NodeId>(static_cast<double>(nodes) * u * u * u),
                    static_cast<NodeId>(random.below(nodes))});
  }
  return {nodes, std::move(arcs)};
}

inline MessageGraph complete_graph(NodeId nodes) {
  std::vector<NodePair> arcs;
  for (NodeId a = 0; a < nodes; ++a) {
    for (NodeId b = 0; b < a; ++b) {
      arcs.push_back({a, b});
    }
  }
  return {nodes, std::move(arcs)};
}

inline std::vector<NodePair> some_pairs(int64_t nodes, int count, uint64_t seed) {
  Random random(seed);
  std::vector<NodePair> pairs;
  pairs.reserve(count);
  for (int i = 0; i < count; ++i) {
    pairs.push_back(
        {static_cast<NodeId>(random.below(nodes)), static_cast<NodeId>(random.below(nodes))});
  }
  return pairs;
}

}  // namespace disenlink::testing
