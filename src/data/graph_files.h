// One graph from separate files: edges, and optionally a node table, features and labels.
#pragma once

#include "disenlink/graph.h"
#include "disenlink/read.h"

namespace disenlink::detail {

GraphParts read_graph_files(const GraphFiles& files, const ReadOptions& options);

}  // namespace disenlink::detail
