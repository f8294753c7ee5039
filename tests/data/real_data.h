// Comparing a graph that was read with the numbers and plain copies kept beside the real datasets.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "disenlink/graph.h"
#include "test_files.h"

namespace disenlink::testing {

// A row of index.csv by column name; the columns used here come before any quoted one.
inline std::map<std::string, std::string> index_row(const std::string& dataset) {
  std::ifstream file(data_folder() / "index.csv");
  std::string header;
  std::getline(file, header);
  for (std::string line; std::getline(file, line);) {
    std::istringstream names(header);
    std::istringstream fields(line);
    std::map<std::string, std::string> row;
    for (std::string name, field;
         std::getline(names, name, ',') && std::getline(fields, field, ',');) {
      row[name] = field;
    }
    if (row["dataset"] == dataset) {
      return row;
    }
  }
  ADD_FAILURE() << "index.csv has no row " << dataset;
  return {};
}

inline double edge_homophily(const Graph& graph) {
  int64_t equal = 0;
  int64_t counted = 0;
  for (const NodePair pair : graph.adjacency().pairs()) {
    const int32_t a = graph.labels()[pair.source];
    const int32_t b = graph.labels()[pair.target];
    counted += a >= 0 && b >= 0 ? 1 : 0;
    equal += a >= 0 && a == b ? 1 : 0;
  }
  return static_cast<double>(equal) / static_cast<double>(counted);
}

inline int64_t count_zero_rows(const Features& features) {
  int64_t zero_rows = 0;
  for (int64_t row = 0; row < features.num_rows(); ++row) {
    if (features.is_sparse()) {
      zero_rows += features.sparse_row(row).columns.empty() ? 1 : 0;
    } else {
      const auto values = features.dense_row(row);
      zero_rows += std::all_of(values.begin(), values.end(), [](float v) { return v == 0; });
    }
  }
  return zero_rows;
}

inline void expect_matches_index(const Graph& graph, const std::string& dataset) {
  auto row = index_row(dataset);
  const auto number = [&](const char* column) { return std::stoll("0" + row[column]); };
  EXPECT_EQ(graph.num_nodes(), number("nodes")) << dataset;
  EXPECT_EQ(static_cast<int64_t>(graph.arcs().size()), number("raw_edge_rows")) << dataset;
  EXPECT_EQ(graph.adjacency().num_pairs(), number("undirected_unique_edges")) << dataset;
  EXPECT_EQ(std::count_if(graph.arcs().begin(), graph.arcs().end(),
                          [](NodePair arc) { return arc.source == arc.target; }),
            number("self_loops"))
      << dataset;
  EXPECT_EQ(graph.features().num_columns(), number("features")) << dataset;
  EXPECT_EQ(graph.features().num_nonzeros(), number("feature_nnz")) << dataset;
  EXPECT_EQ(count_zero_rows(graph.features()), number("zero_feature_rows")) << dataset;
  if (!graph.labels().empty()) {
    std::set<int32_t> classes(graph.labels().begin(), graph.labels().end());
    classes.erase(-1);
    EXPECT_EQ(static_cast<int64_t>(classes.size()), number("classes")) << dataset;
    EXPECT_EQ(std::count(graph.labels().begin(), graph.labels().end(), -1), number("unlabelled"));
    EXPECT_NEAR(edge_homophily(graph), std::stod(row["edge_homophily"]), 5.1e-5) << dataset;
  }
}

// The plain copy in `simple/`: same rows in the same order, same labels.
inline void expect_matches_simple(const Graph& graph, const std::filesystem::path& folder) {
  std::ifstream edges(folder / "edges.csv");
  size_t row = 0;
  char comma = 0;
  for (NodePair pair{}; edges >> pair.source >> comma >> pair.target; ++row) {
    ASSERT_LT(row, graph.arcs().size()) << folder;
    ASSERT_EQ(graph.arcs()[row], pair) << folder << " row " << row + 1;
  }
  EXPECT_EQ(row, graph.arcs().size()) << folder;
  if (!graph.labels().empty()) {
    std::ifstream lines(folder / "labels.csv");
    std::vector<int32_t> labels;
    for (int32_t label = 0; lines >> label;) {
      labels.push_back(label);
    }
    EXPECT_TRUE(
        std::equal(labels.begin(), labels.end(), graph.labels().begin(), graph.labels().end()))
        << folder;
  }
}

}  // namespace disenlink::testing
