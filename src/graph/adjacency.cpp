#include <algorithm>

#include "disenlink/graph.h"

namespace disenlink {

Adjacency Adjacency::from_arcs(int64_t num_nodes, std::span<const NodePair> arcs) {
  std::vector<int64_t> offsets(num_nodes + 1, 0);
  for (const NodePair arc : arcs) {
    if (arc.source != arc.target) {
      ++offsets[arc.source + 1];
      ++offsets[arc.target + 1];
    }
  }
  for (int64_t node = 0; node < num_nodes; ++node) {
    offsets[node + 1] += offsets[node];
  }
  std::vector<NodeId> neighbors(offsets.back());
  std::vector<int64_t> next(offsets.begin(), offsets.end() - 1);
  for (const NodePair arc : arcs) {
    if (arc.source != arc.target) {
      neighbors[next[arc.source]++] = arc.target;
      neighbors[next[arc.target]++] = arc.source;
    }
  }
  int64_t kept = 0;
  int64_t begin = 0;
  for (int64_t node = 0; node < num_nodes; ++node) {
    const auto first = neighbors.begin() + begin;
    const auto last = neighbors.begin() + offsets[node + 1];
    begin = offsets[node + 1];
    std::sort(first, last);
    const auto distinct_end = std::unique(first, last);
    std::copy(first, distinct_end, neighbors.begin() + kept);
    kept += distinct_end - first;
    offsets[node + 1] = kept;
  }
  neighbors.resize(kept);
  neighbors.shrink_to_fit();
  Adjacency adjacency;
  adjacency.offsets_ = std::move(offsets);
  adjacency.neighbors_ = std::move(neighbors);
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
