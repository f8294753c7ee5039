#include "disenlink/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace disenlink {
namespace {

// Stored values: a change here changes every split and every seeded result of users.
TEST(Random, FirstDrawsAreFixedForever) {
  Random random(42);
  EXPECT_EQ(random.next(), 15021278609987233951ULL);
  EXPECT_EQ(random.next(), 5881210131331364753ULL);
  EXPECT_EQ(random.next(), 18149643915985481100ULL);
}

TEST(Random, PurposesAreIndependentStreams) {
  Random first(1, "split");
  Random second(1, "negatives");
  EXPECT_NE(first.next(), second.next());
}

TEST(Random, BelowIsUniform) {
  Random random(7);
  std::vector<int> counts(10);
  for (int i = 0; i < 100'000; ++i) {
    ++counts[random.below(10)];
  }
  for (const int count : counts) {
    EXPECT_NEAR(count, 10'000, 400);
  }
}

TEST(Random, NormalHasUnitMoments) {
  Random random(3);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / 100'000, 0, 0.02);
  EXPECT_NEAR(squares / 100'000, 1, 0.02);
}

TEST(Random, ShuffleKeepsEveryItem) {
  std::vector<int> items(1000);
  std::iota(items.begin(), items.end(), 0);
  std::vector<int> shuffled = items;
  Random random(5);
  shuffle(std::span(shuffled), random);
  EXPECT_NE(shuffled, items);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, items);
}

}  // namespace
}  // namespace disenlink
