// Node tables: csv or tsv with a header. The first column (or the one called id, node, node_id or
// name) is the id, numeric columns are taken as they are, word columns become one-hot.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "disenlink/features.h"
#include "disenlink/node_names.h"
#include "disenlink/read.h"

namespace disenlink::detail {

struct NodeTable {
  NodeNames names;
  Features features;               // columns named after the header, one-hot ones `column=word`
  std::vector<int32_t> labels;     // of the label column, if there is one; words are numbered
  std::vector<std::string> notes;  // for example how many values of which column are missing
};

NodeTable read_node_table(const std::filesystem::path& path, const ReadOptions& options);

// labels.csv: one integer a line, -1 = unlabelled, line number = node.
std::vector<int32_t> read_label_lines(const std::filesystem::path& path,
                                      const ReadOptions& options);

}  // namespace disenlink::detail
