// numpy .npy and .npz: features on their own, and whole graphs in the layouts that are in use.
#pragma once

#include <filesystem>

#include "disenlink/features.h"
#include "disenlink/graph.h"
#include "disenlink/read.h"

namespace disenlink::detail {

// A two-dimensional .npy, or a scipy `save_npz` CSR matrix. NaN and infinity are errors.
Features read_features(const std::filesystem::path& path, const ReadOptions& options);

// Sparse features as scipy CSR in .npz, dense ones as float32 .npy; the suffix says which.
// Returns the file name written below the folder.
std::filesystem::path write_features(const Features& features, const std::filesystem::path& folder);

// True when the zip holds arrays of a graph, not just features.
bool is_npz_graph(const std::filesystem::path& path);

// An .npz with `edges`, `node_features`, `node_labels` (heterophilous-graphs), or `edges`,
// `features`, `label` (as the authors of DisenLink keep Chameleon).
GraphParts read_npz_graph(const std::filesystem::path& path, const ReadOptions& options);

// A zip of `*_adj.npy` (dense, every non-zero is an arc), `*_feat.npy`, `*_label.npy`.
bool is_npy_zip(const std::filesystem::path& path);
GraphParts read_npy_zip(const std::filesystem::path& path, const ReadOptions& options);

}  // namespace disenlink::detail
