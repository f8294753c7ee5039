#include "data/planetoid.h"

#include <algorithm>
#include <limits>

#include "core/fail.h"
#include "core/input_file.h"
#include "core/text.h"
#include "data/folder_files.h"
#include "data/pickle.h"
#include "data/pickle_numpy.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

// Attributes and one-hot labels of the same nodes: (allx, ally), (tx, ty) or (x, y).
struct Block {
  fs::path features_path;
  fs::path labels_path;
  PickledCsr features;
  PickledArray one_hot;
};

// The files of one dataset; each may be gzipped.
struct Files {
  fs::path folder;
  std::string stem;  // `ind.NAME.`

  bool has(const char* part) const { return !files_called(folder, stem + part).empty(); }
  fs::path operator()(const char* part) const {
    return single_file_called(folder, stem + part).path;
  }
};

Block read_block(const Files& files, const char* features, const char* labels,
                 const ReadOptions& options) {
  Block block{.features_path = files(features),
              .labels_path = files(labels),
              .features = {},
              .one_hot = {}};
  const Pickle x = Pickle::read(block.features_path, options.max_inflated_bytes);
  block.features = pickled_csr(x, x.root());
  const Pickle y = Pickle::read(block.labels_path, options.max_inflated_bytes);
  block.one_hot = pickled_array(y, y.root());
  if (block.one_hot.shape.size() != 2 || block.one_hot.shape[1] < 1) {
    fail_in(block.labels_path, "labels are not a table of one column a class");
  }
  if (block.one_hot.shape[0] != block.features.num_rows) {
    fail_in(block.labels_path, "has {} rows, expected {} as in {}", block.one_hot.shape[0],
            block.features.num_rows, block.features_path.filename().string());
  }
  return block;
}

void check_same_columns(const Block& block, const Block& all) {
  if (block.features.num_columns != all.features.num_columns) {
    fail_in(block.features_path, "has {} columns, expected {} as in {}", block.features.num_columns,
            all.features.num_columns, all.features_path.filename().string());
  }
  if (block.one_hot.shape[1] != all.one_hot.shape[1]) {
    fail_in(block.labels_path, "has {} columns, expected {} as in {}", block.one_hot.shape[1],
            all.one_hot.shape[1], all.labels_path.filename().string());
  }
}

// x and y are the labelled part of allx and ally and add nothing; they may be absent.
void check_training_block(const Files& files, const Block& all, const ReadOptions& options) {
  if (!files.has("x") && !files.has("y")) {
    return;
  }
  const Block block = read_block(files, "x", "y", options);
  check_same_columns(block, all);
  if (block.features.num_rows > all.features.num_rows) {
    fail_in(block.features_path, "has {} rows, expected at most the {} of {}",
            block.features.num_rows, all.features.num_rows, all.features_path.filename().string());
  }
}

struct TestIndex {
  std::vector<NodeId> nodes;  // of row 0, 1, ... of tx
  int64_t num_nodes = 0;      // of the whole graph
};

TestIndex read_test_index(const fs::path& path, int64_t num_known, int64_t num_rows,
                          const ReadOptions& options) {
  TestIndex result{.nodes = {}, .num_nodes = num_known};
  // Nodes without a row are rare; a far larger number is damage that would cost memory.
  const int64_t limit =
      std::min<int64_t>(2 * (num_known + num_rows), std::numeric_limits<NodeId>::max());
  LineReader lines(path, options.max_inflated_bytes);
  for (std::string_view line; lines.next(line);) {
    if (trim(line).empty()) {
      continue;
    }
    const auto node = parse_number<int64_t>(trim(line));
    if (!node || *node < num_known || *node >= limit) {
      fail_at_line(path, lines.line_number(),
                   "found {}, expected a node number from {} (the rows of allx come before) to {}",
                   quoted(line), num_known, limit - 1);
    }
    result.nodes.push_back(static_cast<NodeId>(*node));
    result.num_nodes = std::max(result.num_nodes, *node + 1);
  }
  if (static_cast<int64_t>(result.nodes.size()) != num_rows) {
    fail_in(path, "has {} node numbers, expected {}, one for each row of tx", result.nodes.size(),
            num_rows);
  }
  return result;
}

// For every node the row of allx, or allx.rows + the row of tx, that describes it; -1 = none.
std::vector<int64_t> rows_of_nodes(const fs::path& path, const TestIndex& index,
                                   int64_t num_known) {
  std::vector<int64_t> rows(index.num_nodes, -1);
  for (int64_t node = 0; node < num_known; ++node) {
    rows[node] = node;
  }
  for (size_t row = 0; row < index.nodes.size(); ++row) {
    int64_t& place = rows[index.nodes[row]];
    if (place >= 0) {
      fail_in(path, "names node {} twice, as entry {} and entry {}", index.nodes[row],
              place - num_known + 1, row + 1);
    }
    place = num_known + static_cast<int64_t>(row);
  }
  return rows;
}

Features combine_features(const PickledCsr& all, const PickledCsr& test,
                          const std::vector<int64_t>& rows) {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;
  std::vector<float> values;
  for (const int64_t row : rows) {
    if (row >= 0) {
      const PickledCsr& part = row < all.num_rows ? all : test;
      const int64_t local = row < all.num_rows ? row : row - all.num_rows;
      const int64_t begin = part.offsets[local];
      const int64_t end = part.offsets[local + 1];
      columns.insert(columns.end(), part.columns.begin() + begin, part.columns.begin() + end);
      values.insert(values.end(), part.values.begin() + begin, part.values.begin() + end);
    }
    offsets.push_back(static_cast<int64_t>(columns.size()));
  }
  return Features::sparse(all.num_columns, std::move(offsets), std::move(columns),
                          std::move(values));
}

// The class with the largest entry; the first, where a node has none.
std::vector<int32_t> combine_labels(const PickledArray& all, const PickledArray& test,
                                    const std::vector<int64_t>& rows) {
  const int64_t num_classes = all.shape[1];
  std::vector<int32_t> labels;
  for (const int64_t row : rows) {
    const PickledArray& part = row < all.shape[0] ? all : test;
    const int64_t local = row < all.shape[0] ? row : row - all.shape[0];
    if (row < 0) {
      labels.push_back(0);
      continue;
    }
    const auto first = part.values.begin() + local * num_classes;
    labels.push_back(static_cast<int32_t>(std::max_element(first, first + num_classes) - first));
  }
  return labels;
}

NodeId node_of(const Pickle& pickle, PickleValue value, PickleValue within, int64_t num_nodes) {
  if (!value.is(PickleKind::kInteger) || value.payload < 0 || value.payload >= num_nodes) {
    pickle.fail_at(within, "found {}, expected a node number from 0 to {}", pickle.describe(value),
                   num_nodes - 1);
  }
  return static_cast<NodeId>(value.payload);
}

// {node: [neighbour, ...]}, in the order of the file.
std::vector<NodePair> read_arcs(const fs::path& path, int64_t num_nodes,
                                const ReadOptions& options) {
  const Pickle pickle = Pickle::read(path, options.max_inflated_bytes);
  if (!pickle.root().is(PickleKind::kDict)) {
    pickle.fail_at(pickle.root(), "found {}, expected a dict of neighbour lists",
                   pickle.describe(pickle.root()));
  }
  // Every neighbour takes a byte at least, unless one list stands for many nodes' again and again.
  const size_t most_arcs = pickle.num_bytes();
  std::vector<NodePair> arcs;
  std::vector<bool> is_listed(num_nodes, false);
  const auto entries = pickle.items(pickle.root());
  for (size_t i = 0; i < entries.size(); i += 2) {
    const PickleValue list = entries[i + 1];
    const NodeId source = node_of(pickle, entries[i], list, num_nodes);
    if (!list.is(PickleKind::kList) || is_listed[source]) {
      pickle.fail_at(list, "node {} has {}, expected one list of neighbours", source,
                     is_listed[source] ? "two entries" : pickle.describe(list));
    }
    is_listed[source] = true;
    for (const PickleValue neighbor : pickle.items(list)) {
      arcs.push_back({source, node_of(pickle, neighbor, list, num_nodes)});
    }
    if (arcs.size() > most_arcs) {
      pickle.fail_at(list, "names more neighbours than the file has bytes");
    }
  }
  return arcs;
}

}  // namespace

bool is_planetoid(const fs::path& folder) {
  return !files_called(folder, "ind.", ".graph").empty();
}

GraphParts read_planetoid(const fs::path& folder, const ReadOptions& options) {
  const FolderFile graph = single_file_called(folder, "ind.", ".graph");
  const Files files{folder, "ind." + graph.middle + "."};
  const Block all = read_block(files, "allx", "ally", options);
  const Block test = read_block(files, "tx", "ty", options);
  check_same_columns(test, all);
  check_training_block(files, all, options);

  const fs::path index_path = files("test.index");
  const int64_t num_known = all.features.num_rows;
  const TestIndex index = read_test_index(index_path, num_known, test.features.num_rows, options);
  const std::vector<int64_t> rows = rows_of_nodes(index_path, index, num_known);

  GraphParts parts;
  parts.name = graph.middle;
  parts.num_nodes = index.num_nodes;
  parts.arcs = read_arcs(graph.path, index.num_nodes, options);
  parts.features = combine_features(all.features, test.features, rows);
  parts.labels = combine_labels(all.one_hot, test.one_hot, rows);
  if (const auto absent = std::count(rows.begin(), rows.end(), -1); absent > 0) {
    parts.notes.push_back(fmt::format(
        "{} nodes have no row in allx or tx; they get no attributes and label 0, as is usual",
        absent));
  }
  return parts;
}

}  // namespace disenlink::detail
