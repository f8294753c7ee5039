#include <algorithm>

#include "disenlink/graph.h"
#include "graph/pair_buckets.h"

namespace disenlink {

Adjacency Adjacency::from_arcs(int64_t num_nodes, std::span<const NodePair> arcs) {
  Adjacency adjacency;
  adjacency.neighbors_ = detail::PairBuckets(num_nodes, arcs).take_neighbors(adjacency.offsets_);
  return adjacency;
}

bool Adjacency::contains(NodePair pair) const {
  // The shorter list is the cheaper one to search.
  if (degree(pair.source) > degree(pair.target)) {
    std::swap(pair.source, pair.target);
  }
  const auto list = neighbors(pair.source);
  return std::binary_search(list.begin(), list.end(), pair.target);
}

std::vector<NodePair> Adjacency::pairs() const {
  std::vector<NodePair> result;
  result.reserve(num_pairs());
  for (int64_t node = 0; node < num_nodes(); ++node) {
    const auto source = static_cast<NodeId>(node);
    const auto list = neighbors(source);
    for (auto it = std::upper_bound(list.begin(), list.end(), source); it != list.end(); ++it) {
      result.push_back({source, *it});
    }
  }
  return result;
}

}  // namespace disenlink
