// MUSAE: musae_*_edges.csv, *_features.json ({node: [active feature ids]}) and, optional,
// musae_*_target.csv (each may be gzipped).
#pragma once

#include <filesystem>

#include "disenlink/graph.h"
#include "disenlink/read.h"

namespace disenlink::detail {

bool is_musae(const std::filesystem::path& folder);

// Node ids are row numbers; there are as many nodes as the largest id of the three files asks for.
// Feature columns that no node has are dropped.
GraphParts read_musae(const std::filesystem::path& folder, const ReadOptions& options);

}  // namespace disenlink::detail
