#include "disenlink/analyze.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/fail.h"
#include "disenlink/random.h"
#include "graph/pair_set.h"
#include "kernels/factor_kernels.h"
#include "models/disenlink/model.h"

namespace disenlink {
namespace {

using detail::Network;

constexpr int64_t kDistanceSample = 800;

// Columns of h brought to mean 0 and length 1, then multiplied with each other.
std::vector<double> column_correlation(const Network<float>& network) {
  const int64_t nodes = network.shape().nodes;
  const int64_t columns = network.shape().row();
  std::vector<double> scaled(network.h().begin(), network.h().end());
  for (int64_t column = 0; column < columns; ++column) {
    double mean = 0;
    double squares = 0;
    for (int64_t node = 0; node < nodes; ++node) {
      mean += scaled[node * columns + column] / static_cast<double>(nodes);
    }
    for (int64_t node = 0; node < nodes; ++node) {
      double& value = scaled[node * columns + column];
      value -= mean;
      squares += value * value;
    }
    const double length = squares > 0 ? std::sqrt(squares) : 1;
    for (int64_t node = 0; node < nodes; ++node) {
      scaled[node * columns + column] /= length;
    }
  }
  std::vector<double> correlation(columns * columns);
  detail::factor_kernels<double>().multiply({.m = columns,
                                             .n = columns,
                                             .k = nodes,
                                             .a = {scaled.data(), 1, columns},
                                             .b = {scaled.data(), columns},
                                             .c = correlation.data(),
                                             .c_step = columns});
  for (double& value : correlation) {
    value = std::abs(value);
  }
  return correlation;
}

void summarize_blocks(FactorAnalysis& analysis) {
  const int64_t columns = analysis.factors * analysis.width;
  double within = 0;
  double between = 0;
  for (int64_t i = 0; i < columns; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      const bool same_factor = i / analysis.width == j / analysis.width;
      if (i != j) {
        (same_factor ? within : between) += analysis.correlation[i * columns + j];
      }
    }
  }
  const auto count = static_cast<double>(columns);
  const auto width = static_cast<double>(analysis.width);
  analysis.within = width > 1 ? within / (count * (width - 1)) : 0;
  analysis.between = analysis.factors > 1 ? between / (count * (count - width)) : 0;
}

void count_links(const Network<float>& network, FactorAnalysis& analysis) {
  analysis.links.assign(analysis.factors, 0);
  for (const int32_t factor : network.selected()) {
    ++analysis.links[factor];
  }
  const auto even =
      static_cast<double>(network.selected().size()) / static_cast<double>(analysis.factors);
  analysis.dead_factors =
      std::count_if(analysis.links.begin(), analysis.links.end(),
                    [&](int64_t links) { return static_cast<double>(links) < even / 100; });
}

// Distances of sampled nodes on one factor, with row, column and total means taken out.
std::vector<double> centred_distances(const Network<float>& network,
                                      const std::vector<int64_t>& nodes, int64_t factor) {
  const auto count = static_cast<int64_t>(nodes.size());
  const int64_t width = network.shape().width;
  std::vector<double> distances(count * count);
  std::vector<double> means(count, 0);
  double total = 0;
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t j = 0; j < count; ++j) {
      const float* a = network.h().data() + nodes[i] * network.shape().row() + factor * width;
      const float* b = network.h().data() + nodes[j] * network.shape().row() + factor * width;
      double squares = 0;
      for (int64_t k = 0; k < width; ++k) {
        const double difference = a[k] - b[k];
        squares += difference * difference;
      }
      distances[i * count + j] = std::sqrt(squares);
      means[i] += std::sqrt(squares) / static_cast<double>(count);
    }
    total += means[i] / static_cast<double>(count);
  }
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t j = 0; j < count; ++j) {
      distances[i * count + j] += total - means[i] - means[j];
    }
  }
  return distances;
}

std::vector<double> distance_correlations(const Network<float>& network) {
  std::vector<int64_t> nodes(network.shape().nodes);
  std::iota(nodes.begin(), nodes.end(), 0);
  Random random(1, "distance correlation");
  shuffle(std::span(nodes), random);
  nodes.resize(std::min<int64_t>(network.shape().nodes, kDistanceSample));
  const int64_t factors = network.shape().factors;
  std::vector<std::vector<double>> centred;
  for (int64_t factor = 0; factor < factors; ++factor) {
    centred.push_back(centred_distances(network, nodes, factor));
  }
  const auto product = [&](int64_t a, int64_t b) {
    return std::inner_product(centred[a].begin(), centred[a].end(), centred[b].begin(), 0.0);
  };
  std::vector<double> result(factors * factors);
  for (int64_t a = 0; a < factors; ++a) {
    for (int64_t b = 0; b < factors; ++b) {
      const double scale = std::sqrt(product(a, a) * product(b, b));
      result[a * factors + b] = scale > 0 ? std::sqrt(std::max(0.0, product(a, b) / scale)) : 0;
    }
  }
  return result;
}

std::optional<FactorRecovery> planted_recovery(const Network<float>& network, const Graph& graph) {
  if (graph.planted_factors().empty()) {
    return std::nullopt;
  }
  std::vector<std::pair<uint64_t, int32_t>> planted;
  for (size_t row = 0; row < graph.arcs().size(); ++row) {
    planted.emplace_back(detail::unordered_key(graph.arcs()[row]), graph.planted_factors()[row]);
  }
  std::sort(planted.begin(), planted.end());
  std::vector<int32_t> expected;
  for (const NodePair pair : network.edges().ends) {
    const std::pair<uint64_t, int32_t> wanted(detail::unordered_key(pair), 0);
    expected.push_back(std::lower_bound(planted.begin(), planted.end(), wanted)->second);
  }
  return compare_labels(network.selected(), expected);
}

}  // namespace

FactorAnalysis analyze(const LinkModel& model, const Graph& graph) {
  const auto* disenlink = dynamic_cast<const detail::DisenLinkModel*>(&model);
  if (disenlink == nullptr) {
    detail::fail("this model has no factors to analyse");
  }
  const Network<float>& network = disenlink->network();
  FactorAnalysis analysis;
  analysis.factors = network.shape().factors;
  analysis.width = network.shape().width;
  analysis.correlation = column_correlation(network);
  summarize_blocks(analysis);
  count_links(network, analysis);
  analysis.distance_correlation = distance_correlations(network);
  analysis.recovery = planted_recovery(network, graph);
  return analysis;
}

}  // namespace disenlink
