#include "disenlink/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "disenlink/interrupt.h"
#include "graph/duplicate_nodes.h"
#include "kernels/parallel.h"

namespace disenlink {
namespace {

using detail::parallel_blocks;

// Stable counting sort by one end.
std::vector<NodePair> sorted_by(NodeId NodePair::*end, std::span<const NodePair> arcs,
                                int64_t num_nodes) {
  std::vector<int64_t> next(num_nodes + 1, 0);
  for (const NodePair& arc : arcs) {
    ++next[arc.*end + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<NodePair> sorted(arcs.size());
  for (const NodePair& arc : arcs) {
    sorted[next[arc.*end]++] = arc;
  }
  return sorted;
}

// Of sorted rows: how many non-loops have their reverse among the rows.
int64_t count_reciprocated(std::span<const NodePair> by_source,
                           std::span<const NodePair> by_target) {
  int64_t count = 0;
  auto candidate = by_target.begin();
  for (const NodePair row : by_source) {
    const NodePair reverse{row.target, row.source};
    // by_target ascends by (target, source) as by_source does by (source, target).
    while (candidate != by_target.end() &&
           std::pair(candidate->target, candidate->source) < std::pair(row.source, row.target)) {
      ++candidate;
    }
    count += row.source != row.target && candidate != by_target.end() && *candidate == reverse;
  }
  return count;
}

void measure_rows(const Graph& graph, GraphStatistics& statistics) {
  const auto rows = static_cast<int64_t>(graph.arcs().size());
  const int64_t nodes = graph.num_nodes();
  statistics.raw_edge_rows = rows;
  statistics.self_loops =
      std::ranges::count_if(graph.arcs(), [](NodePair arc) { return arc.source == arc.target; });
  const auto by_source =
      sorted_by(&NodePair::source, sorted_by(&NodePair::target, graph.arcs(), nodes), nodes);
  const auto by_target = sorted_by(&NodePair::target, by_source, nodes);
  statistics.distinct_directed_edges = rows;
  for (int64_t row = 1; row < rows; ++row) {
    statistics.distinct_directed_edges -= by_source[row - 1] == by_source[row];
  }
  const int64_t links = rows - statistics.self_loops;
  if (links > 0) {
    statistics.reciprocated_fraction =
        static_cast<double>(count_reciprocated(by_source, by_target)) / static_cast<double>(links);
  }
}

void measure_degrees(const Adjacency& adjacency, GraphStatistics& statistics) {
  std::vector<int64_t> degrees(adjacency.num_nodes());
  for (int64_t node = 0; node < adjacency.num_nodes(); ++node) {
    degrees[node] = adjacency.degree(static_cast<NodeId>(node));
  }
  statistics.undirected_unique_edges = adjacency.num_pairs();
  statistics.isolated_nodes = std::ranges::count(degrees, 0);
  statistics.max_degree = std::ranges::max(degrees);
  statistics.mean_degree =
      2.0 * static_cast<double>(adjacency.num_pairs()) / static_cast<double>(degrees.size());
  const auto middle = degrees.begin() + static_cast<int64_t>(degrees.size() - 1) / 2;
  std::nth_element(degrees.begin(), middle, degrees.end());
  statistics.median_degree = *middle;
}

// Union-find with path halving.
class Components {
 public:
  explicit Components(int64_t num_nodes) : parent_(num_nodes) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  NodeId root(NodeId node) {
    while (parent_[node] != node) {
      parent_[node] = parent_[parent_[node]];
      node = parent_[node];
    }
    return node;
  }

  // The smaller id stays root, so the forest does not depend on the order of links.
  void join(NodeId a, NodeId b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<NodeId> parent_;
};

void measure_components(const Adjacency& adjacency, GraphStatistics& statistics) {
  Components components(adjacency.num_nodes());
  for (int64_t i = 0; i < adjacency.num_nodes(); ++i) {
    const auto node = static_cast<NodeId>(i);
    for (const NodeId neighbor : adjacency.neighbors(node)) {
      if (neighbor < node) {
        components.join(node, neighbor);
      }
    }
  }
  std::vector<int64_t> sizes(adjacency.num_nodes(), 0);
  for (int64_t i = 0; i < adjacency.num_nodes(); ++i) {
    ++sizes[components.root(static_cast<NodeId>(i))];
  }
  statistics.components = std::ranges::count_if(sizes, [](int64_t size) { return size > 0; });
  statistics.largest_component = std::ranges::max(sizes);
}

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

double dot(const SparseRow& a, const SparseRow& b) {
  double sum = 0;
  for (size_t i = 0, j = 0; i < a.columns.size() && j < b.columns.size();) {
    const int32_t left = a.columns[i];
    const int32_t right = b.columns[j];
    if (left == right) {
      sum += static_cast<double>(a.values[i]) * static_cast<double>(b.values[j]);
    }
    i += left <= right;
    j += right <= left;
  }
  return sum;
}

double dot(const Features& features, int64_t a, int64_t b) {
  return features.is_sparse() ? dot(features.sparse_row(a), features.sparse_row(b))
                              : dot(features.dense_row(a), features.dense_row(b));
}

std::vector<double> feature_norms(const Features& features) {
  std::vector<double> norms(features.num_rows());
  parallel_blocks(features.num_rows(), 1024, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      norms[row] = std::sqrt(dot(features, row, row));
    }
  });
  return norms;
}

// Sums are kept by node and added up in order: the result does not depend on the threads.
std::optional<double> mean_linked_cosine(const Graph& graph, std::span<const double> norms) {
  std::vector<double> sums(graph.num_nodes(), 0);
  std::vector<int64_t> counts(graph.num_nodes(), 0);
  parallel_blocks(graph.num_nodes(), 256, [&](int64_t begin, int64_t end) {
    check_interrupt();
    for (int64_t i = begin; i < end; ++i) {
      for (const NodeId neighbor : graph.adjacency().neighbors(static_cast<NodeId>(i))) {
        if (neighbor < i && norms[i] > 0 && norms[neighbor] > 0) {
          sums[i] += dot(graph.features(), i, neighbor) / (norms[i] * norms[neighbor]);
          ++counts[i];
        }
      }
    }
  });
  const int64_t links = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  if (links == 0) {
    return std::nullopt;
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(links);
}

void measure_features(const Graph& graph, GraphStatistics& statistics) {
  if (graph.features().empty()) {
    return;
  }
  statistics.features = graph.features().num_columns();
  statistics.feature_nnz = graph.features().num_nonzeros();
  const auto norms = feature_norms(graph.features());
  statistics.zero_feature_rows = std::ranges::count(norms, 0.0);
  statistics.linked_cosine = mean_linked_cosine(graph, norms);
}

void measure_labels(const Graph& graph, GraphStatistics& statistics) {
  const auto labels = graph.labels();
  if (labels.empty()) {
    return;
  }
  std::vector<int32_t> distinct(labels.begin(), labels.end());
  statistics.unlabelled = std::erase_if(distinct, [](int32_t label) { return label < 0; });
  std::ranges::sort(distinct);
  statistics.classes = std::unique(distinct.begin(), distinct.end()) - distinct.begin();
  int64_t links = 0;
  int64_t equal = 0;
  for (int64_t i = 0; i < graph.num_nodes(); ++i) {
    for (const NodeId neighbor : graph.adjacency().neighbors(static_cast<NodeId>(i))) {
      if (neighbor < i && labels[i] >= 0 && labels[neighbor] >= 0) {
        ++links;
        equal += labels[i] == labels[neighbor];
      }
    }
  }
  if (links > 0) {
    statistics.edge_homophily = static_cast<double>(equal) / static_cast<double>(links);
  }
}

}  // namespace

GraphStatistics measure(const Graph& graph) {
  GraphStatistics statistics;
  statistics.nodes = graph.num_nodes();
  measure_rows(graph, statistics);
  measure_degrees(graph.adjacency(), statistics);
  measure_components(graph.adjacency(), statistics);
  measure_features(graph, statistics);
  measure_labels(graph, statistics);
  statistics.duplicate_nodes = detail::count_duplicate_nodes(graph);
  return statistics;
}

}  // namespace disenlink
