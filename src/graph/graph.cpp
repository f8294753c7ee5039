#include "disenlink/graph.h"

#include <limits>

#include "core/fail.h"
#include "core/hash.h"
#include "graph/pair_set.h"

namespace disenlink {
namespace {

void check_sizes(const GraphParts& parts) {
  using detail::fail;
  if (parts.num_nodes <= 0) {
    fail("graph '{}' has no nodes", parts.name);
  }
  if (parts.num_nodes > std::numeric_limits<NodeId>::max()) {
    fail("graph '{}' has {} nodes, at most {} are supported", parts.name, parts.num_nodes,
         std::numeric_limits<NodeId>::max());
  }
  if (parts.arcs.empty()) {
    fail("graph '{}' has no links", parts.name);
  }
  if (!parts.features.empty() && parts.features.num_rows() != parts.num_nodes) {
    fail("graph '{}': features have {} rows, expected one for each of the {} nodes", parts.name,
         parts.features.num_rows(), parts.num_nodes);
  }
  const auto num_labels = static_cast<int64_t>(parts.labels.size());
  if (num_labels != 0 && num_labels != parts.num_nodes) {
    fail("graph '{}': {} labels, expected one for each of the {} nodes", parts.name, num_labels,
         parts.num_nodes);
  }
  if (parts.names.size() != parts.num_nodes) {
    fail("graph '{}': {} node names, expected one for each of the {} nodes", parts.name,
         parts.names.size(), parts.num_nodes);
  }
  if (!parts.planted_factors.empty() && parts.planted_factors.size() != parts.arcs.size()) {
    fail("graph '{}': {} planted factors, expected one for each of the {} link rows", parts.name,
         parts.planted_factors.size(), parts.arcs.size());
  }
}

}  // namespace

Graph::Graph(GraphParts parts) : parts_(std::move(parts)) {
  if (parts_.names.size() == 0) {
    parts_.names = NodeNames::numbered(parts_.num_nodes);
  }
  check_sizes(parts_);
  adjacency_ = Adjacency::from_arcs(parts_.num_nodes, parts_.arcs);
}

std::string Graph::fingerprint() const {
  // Over the node count and all arcs in order.
  uint64_t value = detail::kHashStart ^ static_cast<uint64_t>(parts_.num_nodes);
  for (const NodePair arc : parts_.arcs) {
    value = detail::mix(value, detail::pair_key(arc));
  }
  return fmt::format("{:016x}", value);
}

}  // namespace disenlink
