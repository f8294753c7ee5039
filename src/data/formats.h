// The table of file formats.
#pragma once

#include <filesystem>

#include "disenlink/graph.h"
#include "disenlink/read.h"

namespace disenlink::detail {

// As read_graph, before the parts become a Graph. The name is that of the file or folder.
GraphParts read_graph_parts(const std::filesystem::path& path, const ReadOptions& options);

}  // namespace disenlink::detail
