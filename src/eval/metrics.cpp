#include "disenlink/metrics.h"

#include <algorithm>
#include <cmath>

#include "core/fail.h"

namespace disenlink {
namespace {

void refuse_nan(std::span<const float> scores, bool positive, int64_t first_index) {
  const auto found =
      std::find_if(scores.begin(), scores.end(), [](float score) { return std::isnan(score); });
  if (found != scores.end()) {
    throw NanScore(positive, first_index + (found - scores.begin()));
  }
}

// Adds `weight` positives of one rank; ties count by the mean rank.
void add_rank(int64_t greater, int64_t equal, double weight, Metrics& sums) {
  const double rank = 1 + static_cast<double>(greater) + static_cast<double>(equal) / 2;
  sums.mrr += weight / rank;
  for (size_t i = 0; i < kHitsAt.size(); ++i) {
    sums.hits[i] += rank <= kHitsAt[i] ? weight : 0;
  }
}

}  // namespace

std::vector<std::pair<std::string, double>> Metrics::named() const {
  std::vector<std::pair<std::string, double>> result{{"auc", auc}, {"ap", ap}, {"mrr", mrr}};
  for (size_t i = 0; i < kHitsAt.size(); ++i) {
    result.emplace_back(fmt::format("hits@{}", kHitsAt[i]), hits[i]);
  }
  return result;
}

NanScore::NanScore(bool among_positives, int64_t at_index)
    : Error(fmt::format("score of {} {} is NaN (counted from 0)",
                        among_positives ? "positive" : "negative", at_index)),
      positive(among_positives),
      index(at_index) {}

MetricCounter::MetricCounter(std::span<const float> positives, Ranking ranking,
                             int64_t negatives_per_positive)
    : num_positives_(static_cast<int64_t>(positives.size())),
      ranking_(ranking),
      negatives_per_positive_(negatives_per_positive) {
  if (positives.empty()) {
    detail::fail("one class only: no positives to rank, expected at least one");
  }
  refuse_nan(positives, true, 0);
  if (ranking == Ranking::kPerPositive) {
    if (negatives_per_positive < 1) {
      detail::fail_usage("negatives per positive: {} given, expected at least 1",
                         negatives_per_positive);
    }
    positives_.assign(positives.begin(), positives.end());
    own_counts_.resize(positives.size());
  }
  std::vector<float> sorted(positives.begin(), positives.end());
  std::sort(sorted.begin(), sorted.end());
  for (const float score : sorted) {
    if (thresholds_.empty() || score != thresholds_.back()) {
      thresholds_.push_back(score);
      positive_counts_.push_back(0);
    }
    ++positive_counts_.back();
  }
  negative_counts_.resize(thresholds_.size() + 1);
  equal_counts_.resize(thresholds_.size());
}

void MetricCounter::add_negatives(std::span<const float> negatives) {
  refuse_nan(negatives, false, num_negatives_);
  if (ranking_ == Ranking::kPerPositive) {
    count_own(negatives);
  }
  for (const float score : negatives) {
    const auto above = std::upper_bound(thresholds_.begin(), thresholds_.end(), score);
    const auto slot = above - thresholds_.begin();
    ++negative_counts_[slot];
    if (slot > 0 && thresholds_[slot - 1] == score) {
      ++equal_counts_[slot - 1];
    }
  }
  num_negatives_ += static_cast<int64_t>(negatives.size());
}

void MetricCounter::count_own(std::span<const float> negatives) {
  const int64_t expected = num_positives_ * negatives_per_positive_;
  if (static_cast<int64_t>(negatives.size()) > expected - num_negatives_) {
    detail::fail("at least {} negatives for {} positives, expected {} for each: {} in all",
                 num_negatives_ + static_cast<int64_t>(negatives.size()), num_positives_,
                 negatives_per_positive_, expected);
  }
  int64_t index = num_negatives_;
  for (const float score : negatives) {
    const int64_t owner = index++ / negatives_per_positive_;
    own_counts_[owner].greater += score > positives_[owner] ? 1 : 0;
    own_counts_[owner].equal += score == positives_[owner] ? 1 : 0;
  }
}

Metrics MetricCounter::finish() const {
  check_complete();
  const std::vector<Counts> counts = counts_at_thresholds();
  Metrics metrics;
  set_curves(counts, metrics);
  set_ranks(counts, metrics);
  return metrics;
}

void MetricCounter::check_complete() const {
  if (num_negatives_ == 0) {
    detail::fail("one class only: no negatives to rank {} positives against", num_positives_);
  }
  if (ranking_ == Ranking::kPerPositive &&
      num_negatives_ != num_positives_ * negatives_per_positive_) {
    detail::fail("{} negatives for {} positives, expected {} for each", num_negatives_,
                 num_positives_, negatives_per_positive_);
  }
}

std::vector<MetricCounter::Counts> MetricCounter::counts_at_thresholds() const {
  std::vector<Counts> counts(thresholds_.size());
  int64_t at_least_next = 0;
  for (size_t i = thresholds_.size(); i-- > 0;) {
    const int64_t at_least = at_least_next + negative_counts_[i + 1];
    counts[i] = {.greater = at_least - equal_counts_[i], .equal = equal_counts_[i]};
    at_least_next = at_least;
  }
  return counts;
}

// AUC counts the pairs (positive, negative) in the right order, ties by half. AP is the sum of
// precision times gain in recall over the distinct scores from the top; recall only grows at
// scores of positives.
void MetricCounter::set_curves(std::span<const Counts> counts, Metrics& metrics) const {
  const auto num_positives = static_cast<double>(num_positives_);
  double ordered_pairs = 0;
  double precision_sum = 0;
  int64_t positives_at_least = 0;
  for (size_t i = thresholds_.size(); i-- > 0;) {
    const auto [greater, equal] = counts[i];
    const auto weight = static_cast<double>(positive_counts_[i]);
    const int64_t less = num_negatives_ - greater - equal;
    ordered_pairs += weight * (static_cast<double>(less) + static_cast<double>(equal) / 2);
    positives_at_least += positive_counts_[i];
    precision_sum += weight * static_cast<double>(positives_at_least) /
                     static_cast<double>(positives_at_least + greater + equal);
  }
  metrics.auc = ordered_pairs / (num_positives * static_cast<double>(num_negatives_));
  metrics.ap = precision_sum / num_positives;
}

void MetricCounter::set_ranks(std::span<const Counts> counts, Metrics& metrics) const {
  if (ranking_ == Ranking::kPerPositive) {
    for (const Counts& own : own_counts_) {
      add_rank(own.greater, own.equal, 1, metrics);
    }
  } else {
    for (size_t i = 0; i < counts.size(); ++i) {
      add_rank(counts[i].greater, counts[i].equal, static_cast<double>(positive_counts_[i]),
               metrics);
    }
  }
  const auto num_positives = static_cast<double>(num_positives_);
  metrics.mrr /= num_positives;
  for (double& share : metrics.hits) {
    share /= num_positives;
  }
}

Metrics compute_metrics(std::span<const float> positives, std::span<const float> negatives,
                        Ranking ranking) {
  const auto num_positives = static_cast<int64_t>(positives.size());
  const auto num_negatives = static_cast<int64_t>(negatives.size());
  int64_t negatives_per_positive = 1;
  if (ranking == Ranking::kPerPositive && num_positives > 0 && num_negatives > 0) {
    if (num_negatives % num_positives != 0) {
      detail::fail("{} negatives for {} positives, expected the same number for each",
                   num_negatives, num_positives);
    }
    negatives_per_positive = num_negatives / num_positives;
  }
  MetricCounter counter(positives, ranking, negatives_per_positive);
  counter.add_negatives(negatives);
  return counter.finish();
}

}  // namespace disenlink
