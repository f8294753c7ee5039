#include "kernels/factor_layout.h"

#include <algorithm>
#include <limits>

#include "core/fail.h"

namespace disenlink::detail {

EdgeIndex::EdgeIndex(const Adjacency& graph)
    : offsets(graph.offsets()),
      neighbors(graph.neighbors()),
      edge_of_entry(neighbors.size()),
      ends(graph.pairs()) {
  if (ends.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    fail("the training graph has {} links, at most {} are supported", ends.size(),
         std::numeric_limits<int32_t>::max());
  }
  // Rows are ascending, so the upper entries of node t are met in order by its later neighbours.
  std::vector<int64_t> next_upper(graph.num_nodes());
  int32_t edge = 0;
  for (int64_t node = 0; node < graph.num_nodes(); ++node) {
    int64_t entry = offsets[node];
    for (; entry < offsets[node + 1] && neighbors[entry] < node; ++entry) {
      edge_of_entry[entry] = edge_of_entry[next_upper[neighbors[entry]]++];
    }
    next_upper[node] = entry;
    for (; entry < offsets[node + 1]; ++entry) {
      edge_of_entry[entry] = edge++;
    }
  }
}

int64_t EdgeIndex::find(NodePair pair) const {
  const auto begin = neighbors.begin() + offsets[pair.source];
  const auto end = neighbors.begin() + offsets[pair.source + 1];
  const auto place = std::lower_bound(begin, end, pair.target);
  return place == end || *place != pair.target ? -1 : edge_of_entry[place - neighbors.begin()];
}

}  // namespace disenlink::detail
