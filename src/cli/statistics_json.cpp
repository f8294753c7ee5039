#include "cli/statistics_json.h"

#include <optional>

namespace disenlink::cli {
namespace {

using nlohmann::ordered_json;

template <typename Value>
ordered_json or_null(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

}  // namespace

ordered_json statistics_json(const GraphStatistics& facts) {
  return {{"nodes", facts.nodes},
          {"raw_edge_rows", facts.raw_edge_rows},
          {"distinct_directed_edges", facts.distinct_directed_edges},
          {"undirected_unique_edges", facts.undirected_unique_edges},
          {"self_loops", facts.self_loops},
          {"reciprocated_fraction", facts.reciprocated_fraction},
          {"isolated_nodes", facts.isolated_nodes},
          {"max_degree", facts.max_degree},
          {"mean_degree", facts.mean_degree},
          {"median_degree", facts.median_degree},
          {"components", facts.components},
          {"largest_component", facts.largest_component},
          {"features", facts.features},
          {"feature_nnz", facts.feature_nnz},
          {"zero_feature_rows", facts.zero_feature_rows},
          {"linked_cosine", or_null(facts.linked_cosine)},
          {"classes", or_null(facts.classes)},
          {"unlabelled", or_null(facts.unlabelled)},
          {"edge_homophily", or_null(facts.edge_homophily)},
          {"duplicate_nodes", facts.duplicate_nodes}};
}

}  // namespace disenlink::cli
