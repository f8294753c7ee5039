// Nodes that are copies of each other, as web crawls contain.
#pragma once

#include <cstdint>

#include "disenlink/graph.h"

namespace disenlink::detail {

// Nodes whose features and neighbours equal those of another node; 0 for a graph without features,
// where every two leaves of one hub would count.
int64_t count_duplicate_nodes(const Graph& graph);

}  // namespace disenlink::detail
