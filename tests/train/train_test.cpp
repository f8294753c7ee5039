// The training loop with DisenLink on the generated example.
#include "disenlink/train.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "disenlink/evaluate.h"
#include "disenlink/generate.h"
#include "disenlink/interrupt.h"
#include "disenlink/threads.h"
#include "models/disenlink/model.h"
#include "test_files.h"
#include "train/fresh_negatives.h"

namespace disenlink {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

detail::DisenLinkOptions small_options() {
  detail::DisenLinkOptions options;
  options.factors = 2;
  options.embed = 8;
  options.hidden = 16;
  return options;
}

struct SmallRun {
  Graph graph = generate_graph({.nodes = 200, .links = 800, .factors = 2, .nearest = 8});
  EdgeSplit split = split_edges(graph, {});
  MessageGraph message_graph = split.message_graph();
  detail::DisenLinkModel model{small_options()};

  TrainState train(const TrainOptions& options, const TrainHooks& hooks = {},
                   TrainState state = {}) {
    return disenlink::train(model, graph, split, message_graph, options, hooks, std::move(state));
  }
};

TEST(Train, LearnsAndLeavesTheBestEpoch) {
  SmallRun run;
  const TrainState state = run.train({.epochs = 60, .learning_rate = 0.01});
  EXPECT_EQ(state.epoch, 60);
  EXPECT_LT(state.losses.back(), state.losses.front());
  EXPECT_GT(state.best_auc, 0.75);
  EXPECT_DOUBLE_EQ(evaluate(run.model, run.split.valid, run.graph.names()).auc, state.best_auc);
}

TEST(Train, IsTheSameForAnyThreadCount) {
  const int before = num_threads();
  std::vector<TrainState> states;
  for (const int threads : {1, 2, 3}) {
    set_num_threads(threads);
    SmallRun run;
    states.push_back(run.train({.epochs = 8, .learning_rate = 0.01}));
  }
  set_num_threads(before);
  EXPECT_EQ(states[0].values, states[1].values);
  EXPECT_EQ(states[0].values, states[2].values);
  EXPECT_EQ(states[0].losses, states[2].losses);
}

TEST(Train, GoesOnFromAStateToTheSameBits) {
  SmallRun whole;
  const TrainState expected = whole.train({.epochs = 12, .learning_rate = 0.01});
  SmallRun first;
  TrainState kept;
  first.train(
      {.epochs = 5, .learning_rate = 0.01},
      {.on_checkpoint = [&](const TrainState& state) { kept = state; }, .checkpoint_seconds = 0});
  ASSERT_EQ(kept.epoch, 5);
  SmallRun second;
  const TrainState resumed = second.train({.epochs = 12, .learning_rate = 0.01}, {}, kept);
  EXPECT_EQ(resumed.values, expected.values);
  EXPECT_EQ(resumed.losses, expected.losses);
  EXPECT_EQ(resumed.best_epoch, expected.best_epoch);
}

TEST(Train, StopsWhenPatienceEnds) {
  SmallRun run;
  const TrainState state = run.train({.epochs = 2000, .patience = 5, .learning_rate = 0.05});
  EXPECT_LT(state.epoch, 2000);
  EXPECT_EQ(state.epoch - state.best_epoch, 6);
}

TEST(LinkFilter, KnowsEveryLinkAndMostOfTheRest) {
  const Graph graph = generate_graph();
  const detail::LinkFilter filter(graph.adjacency());
  int64_t taken_for_links = 0;
  int64_t others = 0;
  for (NodeId source = 0; source < graph.num_nodes(); ++source) {
    for (NodeId target = 0; target < graph.num_nodes(); ++target) {
      const bool may = filter.may_contain({source, target});
      if (graph.adjacency().contains({source, target})) {
        ASSERT_TRUE(may) << source << ' ' << target;
      } else {
        ++others;
        taken_for_links += may ? 1 : 0;
      }
    }
  }
  EXPECT_LT(static_cast<double>(taken_for_links), 0.02 * static_cast<double>(others));
}

TEST(Train, SmallGainsDoNotRenewPatience) {
  SmallRun patient;
  SmallRun hasty;
  const TrainOptions options{.epochs = 60, .patience = 20, .learning_rate = 0.003};
  TrainOptions gains = options;
  gains.min_gain = 0.5;
  const TrainState all = patient.train(options);
  const TrainState some = hasty.train(gains);
  // The first epoch is better than nothing; none after it is better by half.
  EXPECT_EQ(some.epoch, 1 + options.patience + 1);
  EXPECT_GT(all.epoch, some.epoch);
  EXPECT_GT(some.best_epoch, 1) << "the best epoch is kept, however small its gain";
  EXPECT_EQ(some.best_auc, *std::max_element(some.valid_aucs.begin(), some.valid_aucs.end()));
}

// The weights before a step are those after the one before it, and DisenLink has no noise.
TEST(Train, StaleValidationIsAnEpochBehind) {
  SmallRun fresh;
  SmallRun stale;
  const TrainOptions options{.epochs = 6, .learning_rate = 0.01};
  TrainOptions authors = options;
  authors.stale_validation = true;
  const TrainState expected = fresh.train(options);
  const TrainState found = stale.train(authors);
  EXPECT_EQ(found.losses, expected.losses);
  for (size_t epoch = 1; epoch < 6; ++epoch) {
    EXPECT_EQ(found.valid_aucs[epoch], expected.valid_aucs[epoch - 1]);
  }
}

TEST(Train, PatienceIsTheSameAfterAStop) {
  const TrainOptions options{.epochs = 60, .patience = 5, .min_gain = 0.01, .learning_rate = 0.01};
  SmallRun whole;
  const TrainState expected = whole.train(options);
  TrainOptions short_options = options;
  short_options.epochs = expected.epoch - 2;
  SmallRun first;
  TrainState kept;
  first.train(short_options, {.on_checkpoint = [&](const TrainState& state) { kept = state; },
                              .checkpoint_seconds = 0});
  SmallRun second;
  EXPECT_EQ(second.train(options, {}, kept).epoch, expected.epoch);
}

// One weight; the loss of the third epoch is not a number.
class DivergingModel : public TrainableModel {
 public:
  void start(const MessageGraph&, const Features&, Random&) override {}
  void encode(const MessageGraph&, const Features&) override {}
  std::vector<Parameter> parameters() override {
    return {{"weight", {1}, {&weight_, 1}, {&slope_, 1}}};
  }
  StepReport compute_gradients(const TrainStep&) override {
    return {++epochs_ == 3 ? std::nan("") : 1.0, 0};
  }
  void refresh() override {}
  void score(std::span<const NodePair> pairs, std::span<float> logits) const override {
    for (size_t i = 0; i < pairs.size(); ++i) {
      logits[i] = static_cast<float>(pairs[i].source);
    }
  }

 private:
  float weight_ = 1;
  float slope_ = 1;
  int epochs_ = 0;
};

TEST(Train, KeepsTheBestWeightsWhenTheLossIsNotFinite) {
  SmallRun run;
  DivergingModel model;
  TrainState kept;
  const std::string error = error_of([&] {
    train(model, run.graph, run.split, run.message_graph, {.epochs = 10},
          {.on_checkpoint = [&](const TrainState& state) { kept = state; }});
  });
  EXPECT_THAT(error, HasSubstr("the loss of epoch 3 is not finite"));
  EXPECT_THAT(error, HasSubstr("the last good weights are those of epoch 1"));
  EXPECT_EQ(kept.epoch, 2);
  EXPECT_EQ(kept.values, kept.best);
}

// The loss of the tenth epoch is too large, twice.
class HastyModel : public DivergingModel {
 public:
  StepReport compute_gradients(const TrainStep& step) override {
    return {step.epoch == 10 && failures_++ < 2 ? 500.0 : 2.0, 0};
  }

 private:
  int failures_ = 0;
};

TEST(Train, BeginsAnewInSmallerStepsWhenTheLossGrows) {
  SmallRun run;
  HastyModel model;
  std::vector<double> rates;
  const TrainHooks hooks{.on_restart = [&](const EpochReport& failed, double rate) {
    EXPECT_EQ(failed.epoch, 10);
    EXPECT_EQ(failed.loss, 500);
    rates.push_back(rate);
  }};
  const TrainOptions options{.epochs = 15, .learning_rate = 0.01};
  const TrainState state = train(model, run.graph, run.split, run.message_graph, options, hooks);
  ASSERT_EQ(rates.size(), 2);
  EXPECT_DOUBLE_EQ(rates[0], 0.003);
  EXPECT_DOUBLE_EQ(rates[1], 0.0009);
  EXPECT_EQ(state.restarts, 2);
  EXPECT_DOUBLE_EQ(state.learning_rate, 0.0009);
  EXPECT_EQ(state.epoch, 15);
  EXPECT_EQ(state.losses, std::vector<double>(15, 2.0)) << "of the last attempt alone";
}

TEST(Train, AnAttemptAfterAFailedOneIsAFirstOneInSmallerSteps) {
  SmallRun hasty;
  std::vector<double> rates;
  const TrainHooks hooks{
      .on_restart = [&](const EpochReport&, double rate) { rates.push_back(rate); }};
  const TrainState state = hasty.train({.epochs = 12, .learning_rate = 3, .restarts = 10}, hooks);
  ASSERT_FALSE(rates.empty());
  SmallRun careful;
  EXPECT_EQ(careful.train({.epochs = 12, .learning_rate = rates.back(), .restarts = 0}).values,
            state.values);
}

TEST(Train, GoesOnInTheSmallerStepsOfItsAttempt) {
  const TrainOptions options{.epochs = 12, .learning_rate = 3, .restarts = 10};
  SmallRun whole;
  const TrainState expected = whole.train(options);
  ASSERT_GT(expected.restarts, 0);
  SmallRun first;
  TrainState kept;
  TrainOptions fewer = options;
  fewer.epochs = 5;
  first.train(fewer, {.on_checkpoint = [&](const TrainState& state) { kept = state; },
                      .checkpoint_seconds = 0});
  ASSERT_EQ(kept.restarts, expected.restarts);
  SmallRun second;
  EXPECT_EQ(second.train(options, {}, kept).values, expected.values);
}

TEST(Train, SaysInWhichEpochScoresStoppedBeingNumbers) {
  SmallRun run;
  EXPECT_THAT(error_of([&] { run.train({.epochs = 200, .learning_rate = 1e30}); }),
              HasSubstr("in epoch 1 the model's score of"));
}

TEST(Train, SaysWhatIsMissing) {
  SmallRun run;
  EXPECT_THAT(error_of([&] { run.train({.epochs = 0}); }), HasSubstr("expected at least 1 each"));
  EXPECT_THAT(error_of([&] { run.train({.learning_rate = 0}); }), HasSubstr("expected above 0"));
  run.split.valid = {};
  EXPECT_THAT(error_of([&] { run.train({}); }), HasSubstr("no validation links"));
}

TEST(DisenLink, RefusesOptionsOutsideTheirRange) {
  const auto fault = [](const std::string& name, const std::string& value) {
    return error_of([&] { find_model("disenlink").make({{name, value}}); });
  };
  EXPECT_THAT(fault("beta", "0"), HasSubstr("expected a number above 0 and at most 1"));
  EXPECT_THAT(fault("beta", "1.01"), HasSubstr("expected a number above 0 and at most 1"));
  EXPECT_THAT(fault("temperature", "0"), HasSubstr("expected a number above 0"));
}

}  // namespace
}  // namespace disenlink
