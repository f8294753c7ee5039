#include <algorithm>

#include "core/fail.h"
#include "disenlink/statistics.h"

namespace disenlink {

GraphStatistics sum_of(std::span<const GraphStatistics> parts) {
  if (parts.empty()) {
    detail::fail("there are no statistics to add up");
  }
  GraphStatistics sum;
  double reciprocated = 0;
  double degrees = 0;
  for (const GraphStatistics& part : parts) {
    sum.nodes += part.nodes;
    sum.raw_edge_rows += part.raw_edge_rows;
    sum.distinct_directed_edges += part.distinct_directed_edges;
    sum.undirected_unique_edges += part.undirected_unique_edges;
    sum.self_loops += part.self_loops;
    sum.isolated_nodes += part.isolated_nodes;
    sum.components += part.components;
    sum.feature_nnz += part.feature_nnz;
    sum.zero_feature_rows += part.zero_feature_rows;
    sum.duplicate_nodes += part.duplicate_nodes;
    sum.max_degree = std::max(sum.max_degree, part.max_degree);
    sum.median_degree = std::max(sum.median_degree, part.median_degree);
    sum.largest_component = std::max(sum.largest_component, part.largest_component);
    sum.features = std::max(sum.features, part.features);
    reciprocated +=
        part.reciprocated_fraction * static_cast<double>(part.raw_edge_rows - part.self_loops);
    degrees += part.mean_degree * static_cast<double>(part.nodes);
  }
  const auto rows = static_cast<double>(sum.raw_edge_rows - sum.self_loops);
  sum.reciprocated_fraction = rows > 0 ? reciprocated / rows : 0;
  sum.mean_degree = degrees / static_cast<double>(sum.nodes);
  return sum;
}

}  // namespace disenlink
