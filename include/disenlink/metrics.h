// How well scores tell links from non-links. Scores are ranked as they are (logits); ties count by
// the mean rank.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "disenlink/error.h"

namespace disenlink {

inline constexpr std::array<int, 6> kHitsAt = {1, 3, 10, 20, 50, 100};

struct Metrics {
  double auc = 0;                             // area under the ROC curve
  double ap = 0;                              // average precision
  double mrr = 0;                             // mean reciprocal rank of the positives
  std::array<double, kHitsAt.size()> hits{};  // share of positives ranked at most kHitsAt[i]

  // Every metric with its name: "auc", "ap", "mrr", "hits@1", ...
  std::vector<std::pair<std::string, double>> named() const;
};

// What a positive is ranked against for MRR and Hits@K.
enum class Ranking {
  kShared,       // all negatives
  kPerPositive,  // its own: negatives[i * m] to negatives[i * m + m - 1] belong to positive i
};

// A score that is not a number; `index` counts from 0 within the positives or the negatives, so
// that a caller can name the pair.
class NanScore : public Error {
 public:
  NanScore(bool among_positives, int64_t at_index);

  bool positive;
  int64_t index;
};

// Memory grows with the positives only: negatives are counted as they come. Infinite scores are
// legal. Throws NanScore, and Error on no positives and on no negatives.
class MetricCounter {
 public:
  // negatives_per_positive is needed under kPerPositive only.
  explicit MetricCounter(std::span<const float> positives, Ranking ranking = Ranking::kShared,
                         int64_t negatives_per_positive = 0);

  // May be called many times, with blocks of any size; under kPerPositive in the order of Ranking.
  // A block that is refused is not counted.
  void add_negatives(std::span<const float> negatives);

  // Under kPerPositive, throws Error unless every positive got all its negatives.
  Metrics finish() const;

 private:
  // Negatives relative to one threshold or positive.
  struct Counts {
    int64_t greater = 0;
    int64_t equal = 0;
  };

  void count_own(std::span<const float> negatives);
  void check_complete() const;
  std::vector<Counts> counts_at_thresholds() const;
  void set_curves(std::span<const Counts> counts, Metrics& metrics) const;
  void set_ranks(std::span<const Counts> counts, Metrics& metrics) const;

  int64_t num_positives_ = 0;
  std::vector<float> thresholds_;         // distinct scores of positives, ascending
  std::vector<int64_t> positive_counts_;  // (thresholds)
  // (thresholds + 1) negatives between threshold i - 1, which is included, and i, which is not
  std::vector<int64_t> negative_counts_;
  std::vector<int64_t> equal_counts_;  // (thresholds) negatives equal to the threshold
  int64_t num_negatives_ = 0;

  Ranking ranking_;
  int64_t negatives_per_positive_;
  std::vector<float> positives_;    // in the order given; kPerPositive only
  std::vector<Counts> own_counts_;  // (positives); kPerPositive only
};

Metrics compute_metrics(std::span<const float> positives, std::span<const float> negatives,
                        Ranking ranking = Ranking::kShared);

}  // namespace disenlink
