#include "models/baselines/neighbor_overlap.h"

#include "kernels/directed_graph.h"

namespace disenlink::detail {

NeighborLists::NeighborLists(const MessageGraph& graph, bool one_direction)
    : offsets_(graph.offsets()), nodes_(graph.neighbors()) {
  if (!one_direction) {
    return;
  }
  const DirectedGraph directed = DirectedGraph::one_direction(graph, false);
  const EdgeLists& rows = directed.by_sender();
  own_offsets_ = {0};
  for (int64_t node = 0; node < directed.num_nodes(); ++node) {
    // Receivers come in ascending order; a row that is stored twice counts once.
    std::unique_copy(rows.others.begin() + rows.offsets[node],
                     rows.others.begin() + rows.offsets[node + 1], std::back_inserter(own_nodes_));
    own_offsets_.push_back(static_cast<int64_t>(own_nodes_.size()));
  }
  offsets_ = own_offsets_;
  nodes_ = own_nodes_;
}

}  // namespace disenlink::detail
