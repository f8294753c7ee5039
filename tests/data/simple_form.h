// Comparison with the simple/ form of a real dataset: edges.csv, features.npz or .npy, labels.csv.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "data/numpy.h"
#include "disenlink/graph.h"
#include "test_files.h"

namespace disenlink::testing {

inline std::vector<NodePair> read_simple_edges(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<NodePair> arcs;
  char comma = 0;
  for (NodePair arc{}; file >> arc.source >> comma >> arc.target;) {
    arcs.push_back(arc);
  }
  return arcs;
}

inline std::vector<int32_t> read_simple_labels(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<int32_t> labels;
  for (int32_t label = 0; file >> label;) {
    labels.push_back(label);
  }
  return labels;
}

// (column, value) of the non-zeros of one row, whichever way the table is kept.
inline std::vector<std::pair<int64_t, float>> nonzeros(const Features& features, int64_t row) {
  const bool is_sparse = features.is_sparse();
  const auto values = is_sparse ? features.sparse_row(row).values : features.dense_row(row);
  std::vector<std::pair<int64_t, float>> result;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0) {
      result.emplace_back(is_sparse ? features.sparse_row(row).columns[i] : i, values[i]);
    }
  }
  return result;
}

inline void expect_same_features(const Features& features, const Features& expected) {
  ASSERT_EQ(features.num_rows(), expected.num_rows());
  ASSERT_EQ(features.num_columns(), expected.num_columns());
  for (int64_t row = 0; row < expected.num_rows(); ++row) {
    ASSERT_TRUE(nonzeros(features, row) == nonzeros(expected, row)) << "row " << row;
  }
}

enum class ArcOrder { kSame, kAny };

inline void expect_simple_form(GraphParts parts, const std::filesystem::path& folder,
                               ArcOrder order = ArcOrder::kSame) {
  SCOPED_TRACE(folder);
  std::vector<NodePair> arcs = read_simple_edges(folder / "edges.csv");
  ASSERT_FALSE(arcs.empty());
  if (order == ArcOrder::kAny) {
    std::sort(arcs.begin(), arcs.end());
    std::sort(parts.arcs.begin(), parts.arcs.end());
  }
  EXPECT_TRUE(parts.arcs == arcs) << parts.arcs.size() << " arcs, expected " << arcs.size();
  EXPECT_TRUE(parts.labels == read_simple_labels(folder / "labels.csv"));
  EXPECT_EQ(parts.num_nodes, static_cast<int64_t>(parts.labels.size()));
  const bool is_dense = std::filesystem::exists(folder / "features.npy");
  expect_same_features(
      parts.features,
      detail::read_features(folder / (is_dense ? "features.npy" : "features.npz"), {}));
}

}  // namespace disenlink::testing
