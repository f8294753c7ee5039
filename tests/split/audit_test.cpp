#include "disenlink/audit.h"

#include <gmock/gmock.h>

namespace disenlink {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

EdgeSplit clean_split() {
  EdgeSplit split;
  split.num_nodes = 10;
  split.train = {{{0, 1}, {1, 2}, {2, 3}}, {{0, 5}, {0, 6}}};
  split.valid = {{{3, 4}}, {{0, 7}}};
  split.test = {{{4, 5}, {5, 6}}, {{0, 8}, {0, 9}}};
  return split;
}

TEST(Audit, AcceptsACleanSplit) {
  const SplitAudit audit = audit_split(clean_split());
  EXPECT_FALSE(audit.leaks());
  EXPECT_EQ(audit.leaked_share(), 0);
  EXPECT_EQ(audit.findings().size(), 1);
}

TEST(Audit, CountsReversedAndEqualPairsOfTwoParts) {
  EdgeSplit split = clean_split();
  split.test.positives.push_back({1, 0});  // reversed training link
  split.test.positives.push_back({1, 2});  // the same row
  split.test.positives.push_back({4, 3});  // reversed validation link
  const SplitAudit audit = audit_split(split);
  EXPECT_TRUE(audit.leaks());
  EXPECT_EQ(audit.overlaps[1].reversed, 1);
  EXPECT_EQ(audit.overlaps[1].same_direction, 1);
  EXPECT_EQ(audit.overlaps[2].reversed, 1);
  EXPECT_EQ(audit.parts[2].visible_positives, 2);
  EXPECT_DOUBLE_EQ(audit.leaked_share(), 2.0 / 5);
}

TEST(Audit, CountsNegativesThatAreLinksOfTheGraphOrOfAPart) {
  EdgeSplit split = clean_split();
  split.test.negatives.push_back({3, 2});
  EXPECT_EQ(audit_split(split).parts[2].negatives_that_are_links, 1);
  split = clean_split();
  const std::vector<NodePair> hidden = {{8, 0}};
  const Adjacency links = Adjacency::from_arcs(10, hidden);
  EXPECT_FALSE(audit_split(split).leaks());
  EXPECT_EQ(audit_split(split, &links).parts[2].negatives_that_are_links, 1);
  EXPECT_TRUE(audit_split(split, &links).leaks());
}

TEST(Audit, CountsWhatAModelOfAnotherSplitHasLearnt) {
  EdgeSplit other = clean_split();
  EXPECT_FALSE(audit_split(clean_split(), nullptr, &other).leaks());
  other.train.positives = {{5, 4}, {0, 1}, {3, 4}};  // the first is a test link, reversed
  other.valid.positives = {{5, 6}};                  // a test link too
  const SplitAudit audit = audit_split(clean_split(), nullptr, &other);
  EXPECT_TRUE(audit.leaks());
  EXPECT_EQ(audit.parts[1].learnt_positives, 1);
  EXPECT_EQ(audit.parts[2].learnt_positives, 2);
  EXPECT_EQ(audit.leaked_share(), 1);
  EXPECT_THAT(
      audit.findings(),
      Contains(HasSubstr("2 of 2 test positives are links from which the model was learnt")));
}

TEST(Audit, CountsRepeatedNegativesAcrossParts) {
  EdgeSplit split = clean_split();
  split.test.negatives.push_back({5, 0});
  const SplitAudit audit = audit_split(split);
  EXPECT_EQ(audit.overlaps[1].repeated_negatives, 1);
  EXPECT_TRUE(audit.leaks());
}

TEST(Audit, CountsDuplicatesAndSelfPairsWithoutCallingThemLeaks) {
  EdgeSplit split = clean_split();
  split.test.positives.push_back({5, 4});
  split.test.positives.push_back({7, 7});
  split.test.negatives.push_back({9, 0});
  split.test.negatives.push_back({9, 9});
  const SplitAudit audit = audit_split(split);
  EXPECT_EQ(audit.parts[2].duplicate_positives, 1);
  EXPECT_EQ(audit.parts[2].self_positives, 1);
  EXPECT_EQ(audit.parts[2].duplicate_negatives, 1);
  EXPECT_EQ(audit.parts[2].self_negatives, 1);
  EXPECT_FALSE(audit.leaks());
  EXPECT_THAT(audit.findings(), Contains(HasSubstr("join a node to itself")));
}

}  // namespace
}  // namespace disenlink
