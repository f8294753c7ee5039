#include "disenlink/metrics.h"

#include <gmock/gmock.h>

#include <cmath>
#include <ctime>
#include <limits>
#include <nlohmann/json.hpp>

#include "disenlink/random.h"
#include "test_files.h"

namespace disenlink {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using Scores = std::vector<float>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Scores random_scores(int64_t count, uint64_t levels, Random& random) {
  Scores scores(count);
  for (float& score : scores) {
    score = static_cast<float>(random.below(levels)) / 8 - 3;
  }
  return scores;
}

// The definitions, one pair at a time.
Metrics by_definition(const Scores& positives, const Scores& negatives, Ranking ranking) {
  Metrics metrics;
  const size_t own = negatives.size() / positives.size();
  for (size_t i = 0; i < positives.size(); ++i) {
    double ordered = 0;
    double positives_at_least = 0;
    double negatives_at_least = 0;
    double rank = 1;
    for (const float other : positives) {
      positives_at_least += other >= positives[i] ? 1 : 0;
    }
    for (size_t j = 0; j < negatives.size(); ++j) {
      const double tie = negatives[j] == positives[i] ? 0.5 : 0;
      ordered += (negatives[j] < positives[i] ? 1 : 0) + tie;
      negatives_at_least += negatives[j] >= positives[i] ? 1 : 0;
      if (ranking == Ranking::kShared || j / own == i) {
        rank += (negatives[j] > positives[i] ? 1 : 0) + tie;
      }
    }
    const auto count = static_cast<double>(positives.size());
    metrics.auc += ordered / count / static_cast<double>(negatives.size());
    metrics.ap += positives_at_least / (positives_at_least + negatives_at_least) / count;
    metrics.mrr += 1 / rank / count;
    for (size_t k = 0; k < kHitsAt.size(); ++k) {
      metrics.hits[k] += rank <= kHitsAt[k] ? 1 / count : 0;
    }
  }
  return metrics;
}

void expect_near(const Metrics& actual, const Metrics& expected) {
  const auto actual_values = actual.named();
  const auto expected_values = expected.named();
  for (size_t i = 0; i < expected_values.size(); ++i) {
    EXPECT_NEAR(actual_values[i].second, expected_values[i].second, 1e-12)
        << expected_values[i].first;
  }
}

TEST(Metrics, HandComputed) {
  // Ranks: 2 is above both, 0 is below 1 and level with 0: rank 2.5.
  const Metrics metrics = compute_metrics(Scores{2, 0}, Scores{1, 0});
  EXPECT_DOUBLE_EQ(metrics.auc, 0.625);
  EXPECT_DOUBLE_EQ(metrics.ap, 0.75);
  EXPECT_DOUBLE_EQ(metrics.mrr, (1 + 1 / 2.5) / 2);
  EXPECT_DOUBLE_EQ(metrics.hits[0], 0.5);
  EXPECT_DOUBLE_EQ(metrics.hits[1], 1);
}

TEST(Metrics, TiesCountByTheMeanRank) {
  // Four negatives level with the positive: mean rank 3, which is within the first 3.
  const Metrics metrics = compute_metrics(Scores{1}, Scores{1, 1, 1, 1, 0});
  EXPECT_DOUBLE_EQ(metrics.mrr, 1.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.hits[0], 0);
  EXPECT_DOUBLE_EQ(metrics.hits[1], 1);
  EXPECT_DOUBLE_EQ(metrics.auc, 0.6);
}

TEST(Metrics, AllEqualIsChance) {
  const Metrics metrics = compute_metrics(Scores(5, 0.25F), Scores(15, 0.25F));
  EXPECT_DOUBLE_EQ(metrics.auc, 0.5);
  EXPECT_DOUBLE_EQ(metrics.ap, 0.25);
}

TEST(Metrics, PerfectAndReversed) {
  const Scores high{5, 6, 7};
  const Scores low{1, 2, 3, 4};
  const Metrics perfect = compute_metrics(high, low);
  for (const auto& [name, value] : perfect.named()) {
    EXPECT_EQ(value, 1) << name;
  }
  const Metrics reversed = compute_metrics(low, high);
  EXPECT_EQ(reversed.auc, 0);
  EXPECT_DOUBLE_EQ(reversed.ap, (1.0 / 4 + 2.0 / 5 + 3.0 / 6 + 4.0 / 7) / 4);
  EXPECT_DOUBLE_EQ(reversed.mrr, 0.25);
  EXPECT_EQ(reversed.hits[1], 0);
  EXPECT_EQ(reversed.hits[2], 1);
}

TEST(Metrics, NamesEveryValue) {
  std::vector<std::string> names;
  for (const auto& [name, value] : Metrics{}.named()) {
    names.push_back(name);
  }
  EXPECT_THAT(names, ::testing::ElementsAre("auc", "ap", "mrr", "hits@1", "hits@3", "hits@10",
                                            "hits@20", "hits@50", "hits@100"));
}

TEST(Metrics, InfinitiesAreScores) {
  const Metrics metrics =
      compute_metrics(Scores{kInfinity, -kInfinity}, Scores{-kInfinity, 0, kInfinity, 1});
  EXPECT_DOUBLE_EQ(metrics.auc, (3.5 + 0.5) / 8);
  EXPECT_DOUBLE_EQ(metrics.mrr, (1 / 1.5 + 1 / 4.5) / 2);
}

TEST(Metrics, OneClassIsAnError) {
  EXPECT_THAT(error_of([] { compute_metrics({}, Scores{1}); }),
              HasSubstr("one class only: no positives"));
  EXPECT_THAT(error_of([] {
                compute_metrics(Scores{1, 2}, {});
              }),
              HasSubstr("one class only: no negatives to rank 2 positives against"));
  EXPECT_THAT(error_of([] { compute_metrics({}, {}, Ranking::kPerPositive); }),
              HasSubstr("one class only: no positives"));
}

TEST(Metrics, NanIsNamedByItsPosition) {
  EXPECT_THAT(error_of([] {
                compute_metrics(Scores{1, 2, 3, kNan}, Scores{1});
              }),
              HasSubstr("score of positive 3 is NaN"));
  MetricCounter counter(Scores{1});
  counter.add_negatives(Scores(15, 0.5F));
  try {
    counter.add_negatives(Scores{0, 1, kNan, 1});
    FAIL() << "NaN was accepted";
  } catch (const NanScore& problem) {
    EXPECT_FALSE(problem.positive);
    EXPECT_EQ(problem.index, 17);
    EXPECT_THAT(problem.what(), HasSubstr("score of negative 17 is NaN"));
  }
  // The refused block left no trace.
  EXPECT_EQ(counter.finish().auc, 1);
}

TEST(Metrics, PerPositiveRanksWithinItsOwn) {
  // The first positive is beaten by one of its own, the second by none of its own.
  const Scores positives{1, 5};
  const Scores negatives{2, 0, 4, 3};
  const Metrics metrics = compute_metrics(positives, negatives, Ranking::kPerPositive);
  EXPECT_DOUBLE_EQ(metrics.mrr, (1.0 / 2 + 1) / 2);
  EXPECT_DOUBLE_EQ(metrics.hits[0], 0.5);
  EXPECT_DOUBLE_EQ(metrics.auc, compute_metrics(positives, negatives).auc);
}

TEST(Metrics, PerPositiveNeedsTheSameNumberForEach) {
  EXPECT_THAT(error_of([] {
                compute_metrics(Scores{1, 2}, Scores{1, 2, 3}, Ranking::kPerPositive);
              }),
              HasSubstr("3 negatives for 2 positives, expected the same number for each"));
  EXPECT_THAT(error_of([] { MetricCounter(Scores{1}, Ranking::kPerPositive); }),
              HasSubstr("negatives per positive: 0 given, expected at least 1"));
  MetricCounter counter(Scores{1, 2}, Ranking::kPerPositive, 2);
  counter.add_negatives(Scores{1, 2, 3});
  EXPECT_THAT(error_of([&] { counter.finish(); }),
              HasSubstr("3 negatives for 2 positives, expected 2 for each"));
  EXPECT_THAT(error_of([&] {
                counter.add_negatives(Scores{1, 2});
              }),
              HasSubstr("5 negatives for 2 positives, expected 2 for each"));
}

TEST(Metrics, AgreesWithTheDefinitionsOnRandomTies) {
  Random random(11);
  for (const uint64_t levels : {1, 2, 7, 40, 100'000}) {
    for (const int64_t num_positives : {1, 2, 37, 90}) {
      const Scores positives = random_scores(num_positives, levels, random);
      const Scores negatives = random_scores(num_positives * 4, levels, random);
      for (const Ranking ranking : {Ranking::kShared, Ranking::kPerPositive}) {
        SCOPED_TRACE(::testing::Message()
                     << levels << " levels, " << num_positives << " positives");
        expect_near(compute_metrics(positives, negatives, ranking),
                    by_definition(positives, negatives, ranking));
      }
    }
  }
}

TEST(Metrics, BlocksOfAnySizeGiveTheSame) {
  Random random(12);
  const Scores positives = random_scores(200, 50, random);
  const Scores negatives = random_scores(1000, 50, random);
  for (const Ranking ranking : {Ranking::kShared, Ranking::kPerPositive}) {
    const Metrics whole = compute_metrics(positives, negatives, ranking);
    for (const size_t block : {1, 3, 7, 128, 999}) {
      MetricCounter counter(positives, ranking, 5);
      for (size_t begin = 0; begin < negatives.size(); begin += block) {
        const size_t length = std::min(block, negatives.size() - begin);
        counter.add_negatives(std::span(negatives).subspan(begin, length));
        counter.add_negatives({});
      }
      EXPECT_EQ(counter.finish().named(), whole.named()) << "blocks of " << block;
    }
  }
}

TEST(Metrics, AgreesWithScikitLearn) {
  const auto fixture = nlohmann::json::parse(
      testing::slurp(DISENLINK_SOURCE_DIR "/tests/eval/fixtures/sklearn_metrics.json"));
  ASSERT_GE(fixture.at("cases").size(), 10);
  for (const auto& item : fixture.at("cases")) {
    const Metrics metrics =
        compute_metrics(item.at("positives").get<Scores>(), item.at("negatives").get<Scores>());
    EXPECT_NEAR(metrics.auc, item.at("auc").get<double>(), 1e-12) << item.at("name");
    EXPECT_NEAR(metrics.ap, item.at("ap").get<double>(), 1e-12) << item.at("name");
  }
}

TEST(Metrics, AMillionScoresTakeLessThanASecond) {
  Random random(13);
  const Scores positives = random_scores(500'000, 1 << 23, random);
  const Scores negatives = random_scores(500'000, 1 << 23, random);
  const std::clock_t start = std::clock();
  const Metrics metrics = compute_metrics(positives, negatives);
  // Processor time, so that a busy machine does not fail the test.
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  RecordProperty("seconds", std::to_string(seconds));
  EXPECT_NEAR(metrics.auc, 0.5, 0.01);
#ifdef __SANITIZE_ADDRESS__
  EXPECT_LT(seconds, 10);
#else
  EXPECT_LT(seconds, 1);
#endif
}

}  // namespace
}  // namespace disenlink
