#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "disenlink/graph.h"
#include "disenlink/random.h"
#include "disenlink/threads.h"

namespace disenlink {
namespace {

using ::testing::ElementsAre;

std::vector<NodePair> random_arcs(int64_t num_nodes, int64_t num_arcs, Random& random) {
  std::vector<NodePair> arcs(num_arcs);
  for (NodePair& arc : arcs) {
    // Half of the arcs meet in a few nodes, which makes long rows and many repeats.
    const auto few = std::min<uint64_t>(num_nodes, 5);
    arc.source = static_cast<NodeId>(random.below(random.below(2) == 0 ? few : num_nodes));
    arc.target = static_cast<NodeId>(random.below(num_nodes));
  }
  return arcs;
}

void expect_equals_plain_sort(int64_t num_nodes, const std::vector<NodePair>& arcs) {
  std::vector<NodePair> expected;
  for (const NodePair arc : arcs) {
    if (arc.source != arc.target) {
      expected.push_back(arc);
      expected.push_back({arc.target, arc.source});
    }
  }
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  const Adjacency adjacency = Adjacency::from_arcs(num_nodes, arcs);
  ASSERT_EQ(adjacency.num_nodes(), num_nodes);
  std::vector<NodePair> found;
  for (NodeId node = 0; node < num_nodes; ++node) {
    for (const NodeId neighbor : adjacency.neighbors(node)) {
      found.push_back({node, neighbor});
    }
  }
  EXPECT_TRUE(found == expected) << num_nodes << " nodes, " << arcs.size() << " arcs";
  EXPECT_EQ(adjacency.neighbors().size(), expected.size());
}

class AdjacencyTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_num_threads(GetParam()); }
  void TearDown() override { set_num_threads(before_); }

 private:
  int before_ = num_threads();
};

TEST_P(AdjacencyTest, EqualsAPlainSort) {
  Random random(11);
  for (const int64_t num_nodes : {1, 2, 3, 64, 65, 4096, 100'000}) {
    for (const int64_t num_arcs : {0, 1, 50, 3000, 150'000}) {
      expect_equals_plain_sort(num_nodes, random_arcs(num_nodes, num_arcs, random));
    }
  }
}

// Fewer bits are left for the row within a bucket the more nodes there are.
TEST_P(AdjacencyTest, ReachesFarIds) {
  const int64_t num_nodes = 5'000'001;
  const std::vector<NodePair> arcs = {{5'000'000, 0}, {4'999'999, 5'000'000}, {0, 5'000'000}};
  const Adjacency adjacency = Adjacency::from_arcs(num_nodes, arcs);
  EXPECT_THAT(adjacency.neighbors(5'000'000), ElementsAre(0, 4'999'999));
  EXPECT_THAT(adjacency.neighbors(0), ElementsAre(5'000'000));
  EXPECT_EQ(adjacency.num_pairs(), 2);
}

INSTANTIATE_TEST_SUITE_P(Threads, AdjacencyTest, ::testing::Values(1, 2, 3));

}  // namespace
}  // namespace disenlink
