#include "kernels/directed_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/fail.h"

namespace disenlink::detail {
namespace {

std::vector<int64_t> offsets_of(int64_t nodes, std::span<const NodePair> arcs,
                                NodeId NodePair::*end) {
  std::vector<int64_t> offsets(nodes + 1, 0);
  for (const NodePair& arc : arcs) {
    ++offsets[arc.*end + 1];
  }
  for (int64_t node = 0; node < nodes; ++node) {
    offsets[node + 1] += offsets[node];
  }
  return offsets;
}

}  // namespace

DirectedGraph::DirectedGraph(int64_t num_nodes, std::span<const NodePair> arcs) {
  if (arcs.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    fail("{} directed links, at most {} are supported", arcs.size(),
         std::numeric_limits<int32_t>::max());
  }
  by_receiver_.offsets = offsets_of(num_nodes, arcs, &NodePair::target);
  by_receiver_.others.resize(arcs.size());
  by_receiver_.edges.resize(arcs.size());
  by_receiver_.in_order = true;
  std::vector<int64_t> next(by_receiver_.offsets.begin(), by_receiver_.offsets.end() - 1);
  for (const NodePair& arc : arcs) {
    const int64_t edge = next[arc.target]++;
    by_receiver_.others[edge] = arc.source;
    by_receiver_.edges[edge] = static_cast<int32_t>(edge);
  }
  by_sender_.offsets = offsets_of(num_nodes, arcs, &NodePair::source);
  by_sender_.others.resize(arcs.size());
  by_sender_.edges.resize(arcs.size());
  receivers_.resize(arcs.size());
  next.assign(by_sender_.offsets.begin(), by_sender_.offsets.end() - 1);
  for (int64_t receiver = 0; receiver < num_nodes; ++receiver) {
    for (int64_t edge = by_receiver_.offsets[receiver]; edge < by_receiver_.offsets[receiver + 1];
         ++edge) {
      const int64_t place = next[by_receiver_.others[edge]]++;
      by_sender_.others[place] = static_cast<int32_t>(receiver);
      by_sender_.edges[place] = static_cast<int32_t>(edge);
      receivers_[edge] = static_cast<int32_t>(receiver);
    }
  }
}

DirectedGraph DirectedGraph::symmetric(const Adjacency& graph, bool with_loops) {
  std::vector<NodePair> arcs;
  arcs.reserve(graph.neighbors().size() + (with_loops ? graph.num_nodes() : 0));
  for (int64_t node = 0; node < graph.num_nodes(); ++node) {
    const auto receiver = static_cast<NodeId>(node);
    for (const NodeId sender : graph.neighbors(receiver)) {
      arcs.push_back({sender, receiver});
    }
    if (with_loops) {
      arcs.push_back({receiver, receiver});
    }
  }
  return {graph.num_nodes(), arcs};
}

DirectedGraph DirectedGraph::one_direction(const MessageGraph& graph, bool with_loops) {
  std::vector<NodePair> arcs;
  arcs.reserve(graph.arcs().size() + (with_loops ? graph.num_nodes() : 0));
  std::copy_if(graph.arcs().begin(), graph.arcs().end(), std::back_inserter(arcs),
               [](NodePair arc) { return arc.source != arc.target; });
  for (int64_t node = 0; with_loops && node < graph.num_nodes(); ++node) {
    arcs.push_back({static_cast<NodeId>(node), static_cast<NodeId>(node)});
  }
  return {graph.num_nodes(), arcs};
}

std::vector<float> symmetric_weights(const DirectedGraph& graph) {
  const auto root = [&](int64_t node) {
    return std::sqrt(static_cast<double>(std::max<int64_t>(1, graph.in_degree(node))));
  };
  std::vector<float> weights(graph.num_edges());
  const EdgeLists& lists = graph.by_receiver();
  for (int64_t node = 0; node < graph.num_nodes(); ++node) {
    for (int64_t edge = lists.offsets[node]; edge < lists.offsets[node + 1]; ++edge) {
      weights[edge] = static_cast<float>(1 / (root(node) * root(lists.others[edge])));
    }
  }
  return weights;
}

}  // namespace disenlink::detail
