// Common Neighbours and Adamic-Adar against values computed by hand and by a plain double loop.
#include <gmock/gmock.h>

#include <cmath>

#include "disenlink/evaluate.h"
#include "disenlink/model.h"
#include "disenlink/random.h"
#include "test_files.h"

namespace disenlink {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

std::vector<float> scores(std::string_view name, const MessageGraph& graph,
                          const std::vector<NodePair>& pairs, const ModelOptions& options = {}) {
  const auto model = find_model(name).make(options);
  model->encode(graph, {});
  std::vector<float> logits(pairs.size());
  model->score(pairs, logits);
  return logits;
}

TEST(Heuristics, EqualTheHandComputedTable) {
  const std::vector<NodePair> links = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {3, 4}};
  const MessageGraph graph(5, links);
  const std::vector<NodePair> pairs = {{0, 3}, {1, 2}, {1, 4}, {0, 4}};
  EXPECT_THAT(scores("cn", graph, pairs), ::testing::ElementsAre(2, 2, 1, 0));
  const std::vector<float> aa = scores("aa", graph, pairs);
  const std::vector<float> expected = {1.8204785F, 2.3529343F, 0.9102392F, 0};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(aa[i], expected[i], 1e-6);
  }
}

// 0 -> 2 <- 1 is stored so, and twice; 3 is reached from 0 alone; the loop counts for nothing.
TEST(Heuristics, FollowRowsAsTheyAreStoredWhenAsked) {
  const MessageGraph graph(4, {{0, 2}, {0, 2}, {1, 2}, {1, 2}, {0, 3}, {3, 1}, {1, 1}});
  const std::vector<NodePair> pairs = {{0, 1}, {2, 3}};
  EXPECT_THAT(scores("cn", graph, pairs), ::testing::ElementsAre(2, 2));
  const ModelOptions as_stored = {{"message-graph", "one-direction"}};
  EXPECT_THAT(scores("cn", graph, pairs, as_stored), ::testing::ElementsAre(1, 0));
  const auto aa = scores("aa", graph, pairs, as_stored);
  EXPECT_NEAR(aa[0], 1 / std::log(2.0), 1e-6);
  EXPECT_EQ(aa[1], 0);
}

TEST(Heuristics, EqualAPlainDoubleLoopWithHubsAndSelfPairs) {
  Random random(2);
  std::vector<NodePair> arcs;
  for (int i = 0; i < 3000; ++i) {
    // Squaring makes low ids hubs, so that the searching branch is taken as well.
    const double u = random.uniform();
    arcs.push_back({static_cast<NodeId>(400 * u * u * u), static_cast<NodeId>(random.below(400))});
  }
  const MessageGraph graph(400, arcs);
  std::vector<NodePair> pairs;
  pairs.reserve(5001);
  for (int i = 0; i < 5000; ++i) {
    pairs.push_back(
        {static_cast<NodeId>(random.below(400)), static_cast<NodeId>(random.below(400))});
  }
  pairs.push_back({3, 3});
  const std::vector<float> cn = scores("cn", graph, pairs);
  const std::vector<float> aa = scores("aa", graph, pairs);
  for (size_t i = 0; i < pairs.size(); ++i) {
    double count = 0;
    double weighted = 0;
    for (const NodeId u : graph.neighbors(pairs[i].source)) {
      for (const NodeId v : graph.neighbors(pairs[i].target)) {
        if (u == v) {
          count += 1;
          weighted += graph.degree(u) > 1 ? 1 / std::log(double(graph.degree(u))) : 0;
        }
      }
    }
    EXPECT_EQ(cn[i], count);
    EXPECT_NEAR(aa[i], weighted, 1e-4);
  }
}

TEST(Registry, ListsKnownModelsForAnUnknownName) {
  EXPECT_THAT(error_of([] { find_model("xx"); }), HasSubstr("expected one of: disenlink, cn, aa"));
}

TEST(Registry, RefusesOptionsThatAModelDoesNotHave) {
  EXPECT_THAT(error_of([] {
                find_model("cn").make({{"factors", "2"}});
              }),
              HasSubstr("unknown option 'factors'"));
  EXPECT_THAT(error_of([] {
                find_model("disenlink").make({{"loss", "hinge"}});
              }),
              HasSubstr("expected one of: bce, mse"));
}

class NanModel : public LinkModel {
 public:
  void encode(const MessageGraph&, const Features&) override {}
  void score(std::span<const NodePair> pairs, std::span<float> logits) const override {
    for (size_t i = 0; i < pairs.size(); ++i) {
      logits[i] = pairs[i].target == 2 ? std::nanf("") : 0.0F;
    }
  }
};

TEST(Evaluate, NamesThePairWhoseScoreIsNotANumber) {
  const SplitPart part{{{0, 1}}, {{0, 3}, {1, 2}}};
  const NodeNames names = NodeNames::from_list({"ann", "bob", "cem", "dee"});
  EXPECT_THAT(error_of([&] { evaluate(NanModel(), part, names); }),
              HasSubstr("unlinked pair (bob, cem) is not a number"));
}

}  // namespace
}  // namespace disenlink
