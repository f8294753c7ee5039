// Measured facts about a graph.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "disenlink/graph.h"

namespace disenlink {

struct GraphStatistics {
  int64_t nodes = 0;
  int64_t raw_edge_rows = 0;
  int64_t distinct_directed_edges = 0;  // self loops included
  int64_t undirected_unique_edges = 0;  // self loops excluded
  int64_t self_loops = 0;               // rows
  double reciprocated_fraction = 0;     // of non-loop rows whose reverse is also a row
  int64_t isolated_nodes = 0;
  int64_t max_degree = 0;
  double mean_degree = 0;
  int64_t median_degree = 0;  // the lower of the two middle ones
  int64_t components = 0;
  int64_t largest_component = 0;
  int64_t features = 0;
  int64_t feature_nnz = 0;
  int64_t zero_feature_rows = 0;
  // Mean cosine similarity of the features of linked nodes (zero rows left out).
  std::optional<double> linked_cosine;
  std::optional<int64_t> classes;
  std::optional<int64_t> unlabelled;
  // Share of links between equal labels; links with an unlabelled end are left out.
  std::optional<double> edge_homophily;
  // Nodes whose features and neighbours equal those of another (0 where there are no features).
  int64_t duplicate_nodes = 0;
};

GraphStatistics measure(const Graph& graph);

// Of several graphs taken as one dataset: counts add up, shares are weighted, the largest degree
// and component are those of the largest; labels and cosine are not combined.
GraphStatistics sum_of(std::span<const GraphStatistics> parts);

// Plain sentences about what a user should know before training on this graph.
std::vector<std::string> oddities(const Graph& graph, const GraphStatistics& statistics);

}  // namespace disenlink
