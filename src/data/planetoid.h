// Planetoid: ind.NAME.{x,y,tx,ty,allx,ally,graph} pickles and ind.NAME.test.index.
#pragma once

#include <filesystem>

#include "disenlink/graph.h"
#include "disenlink/read.h"

namespace disenlink::detail {

bool is_planetoid(const std::filesystem::path& folder);
GraphParts read_planetoid(const std::filesystem::path& folder, const ReadOptions& options);

}  // namespace disenlink::detail
