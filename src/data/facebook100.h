// Facebook100: Matlab v5 files with a sparse symmetric `A` and `local_info` (n x 7, 0 = missing).
#pragma once

#include <filesystem>

#include "disenlink/graph.h"
#include "disenlink/read.h"

namespace disenlink::detail {

// Features are one-hot codes of the six columns other than gender (missing has a column of its
// own); the label is gender - 1, so -1 = unlabelled.
GraphParts read_facebook100(const std::filesystem::path& path, const ReadOptions& options);

}  // namespace disenlink::detail
