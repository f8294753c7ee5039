// What the method is for: on a graph whose links have known causes, the factors find them, and one
// factor alone cannot.
#include <gtest/gtest.h>

#include "disenlink/analyze.h"
#include "disenlink/experiment.h"
#include "disenlink/generate.h"
#include "disenlink/split.h"

namespace disenlink {
namespace {

struct Outcome {
  double test_auc;
  FactorRecovery recovery;
};

Outcome train_with(int factors) {
  const Graph graph = generate_graph({});
  const EdgeSplit split = split_edges(graph, {});
  const MessageGraph message_graph = split.message_graph();
  const auto model = find_model("disenlink")
                         .make({{"factors", std::to_string(factors)},
                                {"embed", "16"},
                                {"hidden", "128"},
                                {"temperature", "0.5"},
                                {"standardise", "none"}});
  const RunResult result = run_model(*model, graph, split, message_graph,
                                     {.patience = 600, .learning_rate = 0.01}, Ranking::kShared);
  return {result.test.auc, analyze(*model, graph).recovery.value()};
}

TEST(Recovery, FindsThePlantedFactorsOfTheExample) {
  const Outcome four = train_with(4);
  EXPECT_GE(four.recovery.nmi, 0.78);
  EXPECT_GE(four.recovery.accuracy, 0.93);
  const Outcome one = train_with(1);
  EXPECT_GE(four.test_auc - one.test_auc, 0.12);
}

}  // namespace
}  // namespace disenlink
