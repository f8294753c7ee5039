// From files to a Graph. docs/data.md describes every format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "disenlink/graph.h"

namespace disenlink {

struct ReadOptions {
  std::string format;                  // a name of file_formats(); empty = recognised by content
  std::string label_column = "label";  // of a node table
  int64_t max_inflated_bytes = int64_t{8} << 30;  // for packed input, against hostile files
};

// Separate files of one graph; an empty path is a part that is not given.
struct GraphFiles {
  std::filesystem::path edges = {};     // edge list, required
  std::filesystem::path nodes = {};     // node table: ids, attributes, label
  std::filesystem::path features = {};  // .npy or .npz; row number = node
  std::filesystem::path labels = {};    // one integer a line; line number = node
};

struct FileFormat {
  std::string_view name;
  std::string_view description;
};

std::vector<FileFormat> file_formats();

// A folder or a single file of any known format. A folder that fits several is read as the first of
// file_formats(); a note of the graph says so.
Graph read_graph(const std::filesystem::path& path, const ReadOptions& options = {});

// With a node table the ids of the edges are looked up there. Without one they are row numbers of
// the features or labels; with neither, the nodes are those that occur.
Graph read_graph(const GraphFiles& files, const ReadOptions& options = {});

// Writes edges.csv, features.npz or features.npy, labels.csv, nodes.csv (when nodes have names, or
// nothing but the edges would tell which nodes there are), feature_names.csv and edge_factors.csv
// (when known). The folder appears complete or not at all, and read_graph gives the graph back.
void write_graph(const Graph& graph, const std::filesystem::path& folder, bool replace = false);

}  // namespace disenlink
