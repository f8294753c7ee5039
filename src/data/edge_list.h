// Edge lists: one link a row, csv, tsv or blank-separated, header and comments optional, gz too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "disenlink/graph.h"
#include "disenlink/read.h"

namespace disenlink::detail {

enum class FirstRow { kMayBeHeader, kLink };

struct EdgeList {
  int64_t num_nodes = 0;
  std::vector<NodePair> arcs;
  NodeNames names;
  std::vector<std::string> notes;
};

// Nodes are those that occur. Integer ids stay integers: they are numbered in ascending order
// (and need no names when they are exactly 0 .. n-1). Words are numbered as they first occur.
EdgeList read_edge_list(const std::filesystem::path& path, const ReadOptions& options,
                        FirstRow first_row = FirstRow::kMayBeHeader);

// Ids are names of known nodes (row numbers when the names are numbered); an unknown id is an
// error with file and line.
std::vector<NodePair> read_edge_list(const std::filesystem::path& path, const NodeNames& names,
                                     const ReadOptions& options);

}  // namespace disenlink::detail
