// MUSAE: *_edges.csv, *_features.json ({node: [active feature ids]}) and, optional, *_target.csv
// (each may be gzipped).
#pragma once

#include <filesystem>

#include "disenlink/graph.h"
#include "disenlink/read.h"

namespace disenlink::detail {

bool is_musae(const std::filesystem::path& folder);
GraphParts read_musae(const std::filesystem::path& folder, const ReadOptions& options);

}  // namespace disenlink::detail
