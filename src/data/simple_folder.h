// Our own form: edges.csv, .tsv or .txt, and where there are any features.npz or .npy, labels.csv,
// nodes.csv or .tsv, feature_names.csv and edge_factors.csv (text may be gzipped).
#pragma once

#include <filesystem>

#include "disenlink/graph.h"
#include "disenlink/read.h"

namespace disenlink::detail {

bool is_simple_folder(const std::filesystem::path& folder);
GraphParts read_simple_folder(const std::filesystem::path& folder, const ReadOptions& options);

}  // namespace disenlink::detail
