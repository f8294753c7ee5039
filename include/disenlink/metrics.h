// How well scores tell links from non-links. Scores are ranked as they are (logits); ties count by
// the mean rank.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

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

// Memory grows with the positives only: negatives are counted as they come. Throws Error on NaN
// (naming the position), on no positives and on no negatives.
class MetricCounter {
 public:
  explicit MetricCounter(std::span<const float> positives, Ranking ranking = Ranking::kShared);

  // May be called many times; under kPerPositive the blocks follow each other in order and each
  // positive must get the same number in the end.
  void add_negatives(std::span<const float> negatives);

  Metrics finish() const;

 private:
  std::vector<float> positives_;         // in the order given
  std::vector<float> distinct_;          // ascending
  std::vector<int64_t> positive_count_;  // (distinct)
  std::vector<int64_t> below_;  // (distinct + 1) negatives strictly between distinct[i-1] and [i]
  std::vector<int64_t> equal_;  // (distinct) negatives equal to distinct[i]
  Ranking ranking_;
  int64_t num_negatives_ = 0;
};

Metrics compute_metrics(std::span<const float> positives, std::span<const float> negatives,
                        Ranking ranking = Ranking::kShared);

}  // namespace disenlink
