// How well the factors of a trained model are told apart.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "disenlink/model.h"

namespace disenlink {

// Agreement of selected factors with planted ones.
struct FactorRecovery {
  double nmi = 0;       // normalised mutual information, arithmetic mean of the entropies
  double accuracy = 0;  // share of links under the best one-to-one naming of factors
  int64_t links = 0;
};

struct FactorAnalysis {
  int64_t factors = 0;
  int64_t width = 0;
  std::vector<double> correlation;  // (factors * width)^2, absolute, of the columns of h
  double within = 0;                // mean between different columns of one factor
  double between = 0;               // mean between columns of different factors
  std::vector<int64_t> links;       // training links selected on each factor
  int64_t dead_factors = 0;  // factors with less than a hundredth of an even share of the links
  std::vector<double> distance_correlation;  // (factors, factors), on a sample of nodes
  std::optional<FactorRecovery> recovery;    // where the graph knows its factors
};

// Throws Error for a model without factors.
FactorAnalysis analyze(const LinkModel& model, const Graph& graph);

// Labels are small non-negative integers; both lists are equally long.
FactorRecovery compare_labels(std::span<const int32_t> found, std::span<const int32_t> planted);

}  // namespace disenlink
