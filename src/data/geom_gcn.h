// Geom-GCN: out1_graph_edges.txt and out1_node_feature_label.txt (both may be gzipped).
#pragma once

#include <filesystem>

#include "disenlink/graph.h"
#include "disenlink/read.h"

namespace disenlink::detail {

bool is_geom_gcn(const std::filesystem::path& folder);
GraphParts read_geom_gcn(const std::filesystem::path& folder, const ReadOptions& options);

}  // namespace disenlink::detail
