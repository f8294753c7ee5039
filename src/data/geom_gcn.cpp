#include "data/geom_gcn.h"

#include <algorithm>

#include "core/fail.h"
#include "data/edge_list.h"
#include "data/folder_files.h"
#include "data/geom_gcn_rows.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEdges = "out1_graph_edges.txt";
constexpr std::string_view kNodes = "out1_node_feature_label.txt";

// Row of every node; ids must be 0 to n - 1, each once.
std::vector<int64_t> rows_by_node(const fs::path& path, const NumberRows& rows) {
  std::vector<int64_t> by_node(rows.size(), -1);
  int64_t outside = -1;
  for (int64_t row = 0; row < rows.size(); ++row) {
    const int64_t node = rows.node[row];
    if (node < 0 || node >= rows.size()) {
      outside = outside < 0 ? row : outside;
      continue;
    }
    if (by_node[node] >= 0) {
      fail_at_line(path, rows.line[row], "node id {} again, first given on line {}", node,
                   rows.line[by_node[node]]);
    }
    by_node[node] = row;
  }
  if (outside >= 0) {
    const auto missing = std::find(by_node.begin(), by_node.end(), -1) - by_node.begin();
    fail_at_line(path, rows.line[outside],
                 "node id {}, expected 0 to {} for {} rows; id {} is missing", rows.node[outside],
                 rows.size() - 1, rows.size(), missing);
  }
  return by_node;
}

Features vector_features(const NumberRows& rows, const std::vector<int64_t>& by_node) {
  const int64_t width = rows.length.front();
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;
  std::vector<float> values;
  for (const int64_t row : by_node) {
    columns.insert(columns.end(), rows.place.begin() + rows.offsets[row],
                   rows.place.begin() + rows.offsets[row + 1]);
    values.insert(values.end(), rows.value.begin() + rows.offsets[row],
                  rows.value.begin() + rows.offsets[row + 1]);
    offsets.push_back(static_cast<int64_t>(columns.size()));
  }
  const int64_t cells = rows.size() * width;
  if (Features::is_mostly_empty(std::ssize(values), cells)) {
    return Features::sparse(width, std::move(offsets), std::move(columns), std::move(values));
  }
  std::vector<float> table(cells, 0);
  for (int64_t node = 0; node < rows.size(); ++node) {
    for (int64_t i = offsets[node]; i < offsets[node + 1]; ++i) {
      table[node * width + columns[i]] = values[i];
    }
  }
  return Features::dense(rows.size(), width, std::move(table));
}

Features id_features(const NumberRows& rows, const std::vector<int64_t>& by_node) {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;
  for (const int64_t row : by_node) {
    if (rows.length[row] > rows.num_nonzeros(row)) {
      columns.push_back(0);  // id 0 was not stored
    }
    columns.insert(columns.end(), rows.value.begin() + rows.offsets[row],
                   rows.value.begin() + rows.offsets[row + 1]);
    offsets.push_back(static_cast<int64_t>(columns.size()));
  }
  const int64_t width = *std::max_element(columns.begin(), columns.end()) + int64_t{1};
  std::vector<float> ones(columns.size(), 1.0F);
  return Features::sparse(width, std::move(offsets), std::move(columns), std::move(ones));
}

}  // namespace

bool is_geom_gcn(const fs::path& folder) {
  return !files_called(folder, kEdges).empty() && !files_called(folder, kNodes).empty();
}

GraphParts read_geom_gcn(const fs::path& folder, const ReadOptions& options) {
  const fs::path path = single_file_called(folder, kNodes).path;
  const NumberRows rows = read_number_rows(path, options);
  const std::vector<int64_t> by_node = rows_by_node(path, rows);
  const RowFormDecision decision = decide_row_form(path, rows);

  GraphParts parts;
  parts.name = folder_name(folder);
  parts.num_nodes = rows.size();
  const bool are_vectors = decision.form == RowForm::kVector;
  parts.features = are_vectors ? vector_features(rows, by_node) : id_features(rows, by_node);
  for (const int64_t row : by_node) {
    parts.labels.push_back(rows.label[row]);
  }
  if (decision.was_ambiguous) {
    parts.notes.push_back(
        fmt::format("{}: the features of every node are {} whole numbers; they are taken as {}",
                    path.filename().string(), rows.length.front(),
                    are_vectors ? "values, one a column" : "ids of the features that are 1"));
  }
  parts.arcs = read_edge_list(single_file_called(folder, kEdges).path,
                              NodeNames::numbered(parts.num_nodes), options);
  return parts;
}

}  // namespace disenlink::detail
