// One battery over every model that learns, and each model's formula on a graph small enough to
// work out by hand.
#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "disenlink/evaluate.h"
#include "disenlink/generate.h"
#include "disenlink/threads.h"
#include "disenlink/train.h"
#include "models/factory.h"
#include "models/registry.h"
#include "test_files.h"
#include "train/checkpoint.h"

namespace disenlink {
namespace {

using testing::TemporaryFolder;

std::unique_ptr<TrainableModel> make(std::string_view name, const ModelOptions& options = {}) {
  auto model = find_model(name).make(options);
  auto* trainable = dynamic_cast<TrainableModel*>(model.release());
  return std::unique_ptr<TrainableModel>(trainable);
}

// Small and with no two widths equal.
ModelOptions small_options(std::string_view name) {
  if (name == "disenlink") {
    return {{"factors", "3"}, {"embed", "5"}, {"hidden", "7"}};
  }
  if (name == "seal") {
    return {{"batch", "16"}, {"hidden", "6"}};
  }
  if (name == "factorgnn") {
    return {{"embed", "5"},
            {"hidden", "12"},
            {"first-factors", "4"},
            {"factors", "3"},
            {"discriminator", "0.3"}};
  }
  return {{"embed", "5"}, {"hidden", "7"}};
}

double rate_of(std::string_view name) { return name == "seal" ? 0.003 : 0.01; }

class LearnedModel : public ::testing::TestWithParam<std::string> {
 protected:
  Graph graph_ = generate_graph({.nodes = 120, .links = 480, .factors = 2, .nearest = 8});
  EdgeSplit split_ = split_edges(graph_, {});
  MessageGraph messages_ = split_.message_graph();

  TrainState train_for(int64_t epochs, TrainableModel& model, TrainState state = {}) const {
    TrainOptions options;
    options.epochs = epochs;
    options.learning_rate = rate_of(GetParam());
    return train(model, graph_, split_, messages_, options, {}, std::move(state));
  }

  std::vector<float> test_scores(const LinkModel& model) const {
    std::vector<float> logits(split_.test.positives.size());
    model.score(split_.test.positives, logits);
    return logits;
  }
};

TEST_P(LearnedModel, ReachesEveryParameterWithFiniteGradients) {
  const auto model = make(GetParam(), small_options(GetParam()));
  Random random(3);
  model->start(messages_, graph_.features(), random);
  model->refresh();
  const auto parameters = model->parameters();
  std::map<std::string, bool> reached;
  const auto pairs =
      static_cast<int64_t>(split_.train.positives.size() + split_.train.negatives.size());
  TrainStep step{split_.train.positives, split_.train.negatives};
  for (; step.index < model->steps_per_epoch(pairs); ++step.index) {
    EXPECT_TRUE(std::isfinite(model->compute_gradients(step).loss));
    for (const Parameter& parameter : parameters) {
      for (const float slope : parameter.gradients) {
        ASSERT_TRUE(std::isfinite(slope)) << parameter.name;
        reached[parameter.name] |= slope != 0;
      }
    }
  }
  for (const auto& [name, is_reached] : reached) {
    EXPECT_TRUE(is_reached) << name << " has no gradient";
  }
}

// Two groups of five, everybody linked within, nobody across; features that do not tell the groups.
Graph ten_nodes() {
  GraphParts parts;
  parts.name = "ten";
  parts.num_nodes = 10;
  for (NodeId a = 0; a < 10; ++a) {
    for (NodeId b = a + 1; b < 10; ++b) {
      if (a / 5 == b / 5) {
        parts.arcs.push_back({a, b});
      }
    }
  }
  std::vector<float> identity(100, 0.0F);
  for (int node = 0; node < 10; ++node) {
    identity[node * 11] = 1;
  }
  parts.features = Features::dense(10, 10, std::move(identity));
  return Graph(std::move(parts));
}

TEST_P(LearnedModel, LearnsTenNodesByHeart) {
  const Graph graph = ten_nodes();
  EdgeSplit split;
  split.num_nodes = 10;
  split.train.positives.assign(graph.arcs().begin(), graph.arcs().end());
  for (NodeId a = 0; a < 5; ++a) {
    for (NodeId b = 5; b < 10; ++b) {
      split.train.negatives.push_back({a, b});
    }
  }
  split.valid = split.train;
  TrainOptions options;
  // With ten nodes the prior weighs much; it holds GPR-GNN back for a thousand epochs and more.
  options.epochs = GetParam() == "gpr-gnn" ? 4000 : 600;
  options.patience = 4000;
  options.learning_rate = rate_of(GetParam());
  options.fresh_negatives = false;
  const auto model = make(GetParam(), small_options(GetParam()));
  const TrainState state = train(*model, graph, split, split.message_graph(), options);
  EXPECT_EQ(state.best_auc, 1);
  if (GetParam() != "argva") {  // whose two networks pull its loss both ways
    EXPECT_LT(state.losses.back(), 0.8 * state.losses.front());
  }
}

TEST_P(LearnedModel, ScoresTheSameAfterSavingAndLoading) {
  const TemporaryFolder folder;
  const auto model = make(GetParam(), small_options(GetParam()));
  train_for(3, *model);
  detail::save_model(folder.path() / "m.safetensors", model->parameters(), {});
  const auto loaded = make(GetParam(), small_options(GetParam()));
  Random other(99);
  loaded->start(messages_, graph_.features(), other);
  detail::load_model(folder.path() / "m.safetensors", loaded->parameters());
  loaded->refresh();
  EXPECT_EQ(test_scores(*model), test_scores(*loaded));
}

TEST_P(LearnedModel, GivesTheSameBitsForAnyThreadCount) {
  const int before = num_threads();
  std::vector<TrainState> states;
  for (const int threads : {1, 2, 3}) {
    set_num_threads(threads);
    states.push_back(train_for(3, *make(GetParam(), small_options(GetParam()))));
  }
  set_num_threads(before);
  EXPECT_EQ(states[0].values, states[1].values);
  EXPECT_EQ(states[0].values, states[2].values);
  EXPECT_EQ(states[0].losses, states[2].losses);
}

TEST_P(LearnedModel, GoesOnToTheSameBitsAfterAStop) {
  const auto whole = train_for(6, *make(GetParam(), small_options(GetParam())));
  const TemporaryFolder folder;
  TrainOptions options;
  options.epochs = 4;
  options.learning_rate = rate_of(GetParam());
  TrainState kept;
  TrainHooks hooks;
  hooks.checkpoint_seconds = -1;  // after every epoch
  hooks.on_checkpoint = [&](const TrainState& state) { kept = state; };
  train(*make(GetParam(), small_options(GetParam())), graph_, split_, messages_, options, hooks);
  const auto resumed = train_for(6, *make(GetParam(), small_options(GetParam())), kept);
  EXPECT_EQ(whole.losses, resumed.losses);
  EXPECT_EQ(whole.best, resumed.best);
}

TEST_P(LearnedModel, ScoresABlockAsItScoresPairs) {
  const auto model = make(GetParam(), small_options(GetParam()));
  train_for(2, *model);
  std::vector<float> block(3 * 4);
  model->score_block(5, 8, 20, 24, block);
  for (NodeId head = 5; head < 8; ++head) {
    for (NodeId tail = 20; tail < 24; ++tail) {
      const NodePair pair{head, tail};
      float logit = 0;
      model->score({&pair, 1}, {&logit, 1});
      EXPECT_NEAR(block[(head - 5) * 4 + tail - 20], logit, 1e-4 * (1 + std::abs(logit)));
    }
  }
}

std::vector<std::string> learned_models() {
  std::vector<std::string> names;
  for (const ModelInfo& model : models()) {
    if (model.factory()->learns()) {
      names.emplace_back(model.name);
    }
  }
  return names;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, LearnedModel, ::testing::ValuesIn(learned_models()), test_name);

// The path 0 - 1 - 2 with the one feature (1, 2, 4).
class PathGraph {
 public:
  explicit PathGraph(std::string_view name, ModelOptions options, bool two_way = true)
      : messages_(3, two_way ? std::vector<NodePair>{{0, 1}, {1, 0}, {1, 2}, {2, 1}}
                             : std::vector<NodePair>{{0, 1}, {1, 2}}) {
    options.insert({{"embed", "1"}, {"hidden", "1"}});
    options["message-graph"] = two_way ? "symmetric" : "one-direction";
    model_ = make(name, options);
    Random random(1);
    model_->start(messages_, features_, random);
    for (Parameter& parameter : model_->parameters()) {
      if (!parameter.gradients.empty()) {
        std::fill(parameter.values.begin(), parameter.values.end(), 0.0F);
      }
    }
  }

  PathGraph& set(const std::string& name, std::vector<float> values) {
    for (Parameter& parameter : model_->parameters()) {
      if (parameter.name == name) {
        EXPECT_EQ(parameter.values.size(), values.size()) << name;
        std::copy(values.begin(), values.end(), parameter.values.begin());
        return *this;
      }
    }
    ADD_FAILURE() << "no parameter " << name;
    return *this;
  }

  std::vector<float> z() {
    model_->refresh();
    const NodeVectors vectors = model_->vectors().front();
    return {vectors.values.begin(), vectors.values.end()};
  }

  TrainableModel& model() { return *model_; }

 private:
  Features features_ = Features::dense(3, 1, {1, 2, 4});
  MessageGraph messages_;
  std::unique_ptr<TrainableModel> model_;
};

void expect_near(const std::vector<float>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 2e-6 * (1 + std::abs(expected[i]))) << "node " << i;
  }
}

// The first layer's result is the hand-computed P x; the second applies P again.
TEST(Vgae, PropagatesWithNormalisedWeights) {
  const double s = 1 / std::sqrt(6.0);
  const std::vector<double> once = {1.3164966, 2.7079081, 2.8164966};
  PathGraph two_way("vgae", {});
  two_way.set("w1", {1}).set("w_mean", {1});
  expect_near(two_way.z(), {once[0] / 2 + s * once[1], s * once[0] + once[1] / 3 + s * once[2],
                            s * once[1] + once[2] / 2});
  PathGraph one_way("vgae", {}, false);
  one_way.set("w1", {1}).set("w_mean", {1});
  // In-degrees with loops are 1, 2, 2: P x = (1, 1.7071068, 3).
  expect_near(one_way.z(), {1, std::sqrt(0.5) + 1.7071068 / 2, 1.7071068 / 2 + 1.5});
}

TEST(Argva, LossesOfAnUndecidedDiscriminator) {
  PathGraph path("argva", {{"discriminator-hidden", "2"}});
  const std::vector<NodePair> pairs = {{0, 1}};
  TrainStep step{pairs, pairs};
  path.model().refresh();
  EXPECT_NEAR(path.model().compute_gradients(step).loss, 1.3862944, 1e-6);
  EXPECT_EQ(path.model().group_of_step(0), 1);
  step.index = 3;
  EXPECT_EQ(path.model().group_of_step(3), 0);
  // Codes are draws of a standard normal here, so the divergence is 0; what is above the
  // adversarial part is the pair's own loss, at least 2 log 2 for one pair on both sides.
  EXPECT_GE(path.model().compute_gradients(step).loss, 0.6931472 + 1.3862944 - 1e-6);
}

TEST(GprGnn, SumsNeighbourhoodsByItsCoefficients) {
  PathGraph two_way("gpr-gnn", {{"hops", "2"}, {"alpha", "0.1"}});
  two_way.set("w1", {1}).set("w_mean", {1}).set("gamma_mean", {0.1F, 0.09F, 0.81F});
  expect_near(two_way.z(), {1.6471199, 2.5415497, 2.6896199});
  PathGraph one_way("gpr-gnn", {{"hops", "2"}, {"alpha", "0.1"}}, false);
  one_way.set("w1", {1}).set("w_mean", {1}).set("gamma_mean", {0.1F, 0.09F, 0.81F});
  expect_near(one_way.z(), {1, 1.6177743, 2.5763782});
}

TEST(GprGnn, StartsItsCoefficientsAsPageRank) {
  const auto model = make("gpr-gnn", {{"alpha", "0.1"}});
  const Features features = Features::dense(2, 1, {1, 2});
  const MessageGraph messages(2, {{0, 1}});
  Random random(1);
  model->start(messages, features, random);
  for (const Parameter& parameter : model->parameters()) {
    if (parameter.name.starts_with("gamma")) {
      ASSERT_EQ(parameter.values.size(), 11);
      EXPECT_FLOAT_EQ(parameter.values[0], 0.1F);
      EXPECT_FLOAT_EQ(parameter.values[9], 0.0387420489F);
      EXPECT_FLOAT_EQ(parameter.values[10], 0.3486784401F);
    }
  }
}

TEST(Fagcn, AddsAndSubtractsByItsGates) {
  const auto with_gates = [](PathGraph path, int layers) {
    path.set("w1", {1}).set("w_mean", {1});
    for (int layer = 1; layer <= layers; ++layer) {
      const std::string name = std::to_string(layer);
      path.set("target" + name, {0.5F, 0}).set("source" + name, {-0.25F, 0});
      path.set("bias" + name, {0.1F, 0});
    }
    return path.z();
  };
  const std::vector<double> once = {0.4409518, 1.3705636, 2.5034362};
  expect_near(with_gates(PathGraph("fagcn", {{"layers", "1"}}), 1), once);
  expect_near(with_gates(PathGraph("fagcn", {{"layers", "2"}}), 2),
              {0.2785227, 1.0632710, 1.9417565});
  // In the authors' code only the last layer counts.
  expect_near(with_gates(PathGraph("fagcn", {{"layers", "2"}, {"stacking", "authors"}}), 2), once);
}

TEST(Linkx, JoinsRowsOfTheGraphAndFeatures) {
  PathGraph path("linkx", {}, false);
  path.set("w_graph", {0.5F, -1, 2}).set("b_graph", {0.1F}).set("w_features", {1});
  path.set("w_joined", {0.3F, -0.2F}).set("w_mean", {1});
  expect_near(path.z(), {0, 4.33, 3.33});
}

TEST(Gat, WeighsNeighboursByAttention) {
  const auto first_layer = [](PathGraph path) {
    path.set("w_1", {1}).set("source_1", {1}).set("target_1", {-1.5F});
    path.set("w_mean", {1});  // the second layer's attention is 0: a plain mean
    return path.z();
  };
  const std::vector<double> two_way = {1.6456563, 3.1328421, 3.1973753};
  expect_near(first_layer(PathGraph("gat", {{"heads", "1"}})),
              {(two_way[0] + two_way[1]) / 2, (two_way[0] + two_way[1] + two_way[2]) / 3,
               (two_way[1] + two_way[2]) / 2});
  const std::vector<double> one_way = {1, 1.5498340, 3.1973753};
  expect_near(first_layer(PathGraph("gat", {{"heads", "1"}}, false)),
              {one_way[0], (one_way[0] + one_way[1]) / 2, (one_way[1] + one_way[2]) / 2});
}

TEST(FactorGnn, DividesLinksAmongFactors) {
  const auto one_layer = [](const std::vector<float>& sender, const std::vector<float>& receiver) {
    PathGraph path("factorgnn",
                   {{"hidden", "2"}, {"first-factors", "1"}, {"factors", "1"}, {"layers", "1"}});
    path.set("w1", {1, 0}).set("norm_scale1", {1, 1});
    path.set("w_sender1", sender).set("w_receiver1", receiver);
    path.set("w_half", {1, 0}).set("w_out", {1});
    std::vector<float> z = path.z();
    for (float& value : z) {
      value *= static_cast<float>(std::sqrt(1 + 1e-5));  // of the untrained normalisation
    }
    return z;
  };
  expect_near(one_layer({0, 0}, {0, 0}), {0.7071068, 2.5, 0.7071068});
  expect_near(one_layer({0.1F, 0}, {-0.3F, 0}), {0.5011177, 0.9733267, 0.0034968});
}

// Two factors with the same gates: nothing tells them apart, and each name costs log 2 at least.
TEST(FactorGnn, PaysForFactorsThatCannotBeToldApart) {
  const ModelOptions plain = {{"hidden", "4"}, {"first-factors", "2"}, {"factors", "2"}};
  ModelOptions asked = plain;
  asked["discriminator"] = "0.5";
  const std::vector<NodePair> pairs = {{0, 1}};
  const auto loss = [&](const ModelOptions& options) {
    PathGraph path("factorgnn", options);
    path.set("w1", {1, 0}).set("w_half", {1, 0, 0, 0, 0, 0, 0, 0}).set("w_out", {1, 0});
    return path.model().compute_gradients({pairs, pairs}).loss;
  };
  EXPECT_NEAR(loss(asked) - loss(plain), 0.5 * 3 * std::log(2.0), 1e-6);
}

// The difference of two logits beyond 17 is nothing to 1 - sigmoid(x) in float.
TEST(ClippedLoss, HasNoSlopeWhereFloatsEnd) {
  const auto slope_of = [](const char* loss) {
    PathGraph path("linkx", {{"loss", loss}}, false);
    path.set("w_features", {1}).set("w_joined", {0, 1}).set("w_mean", {5});
    // Nothing is drawn: a deviation of exp(-100).
    path.set("b_deviation", {-100});
    const std::vector<NodePair> links = {{0, 0}}, others = {{1, 2}};  // logits 100 and 800
    path.model().refresh();
    path.model().compute_gradients({links, others});
    for (const Parameter& parameter : path.model().parameters()) {
      if (parameter.name == "w_mean") {
        return parameter.gradients[0];
      }
    }
    return std::nanf("");
  };
  EXPECT_GT(slope_of("bce"), 100);
  EXPECT_LT(std::abs(slope_of("clipped")), 1e-30);
}

// Counted by hand for a graph of Cora's size: 2,708 nodes, 1,433 features.
TEST(ParameterCounts, EqualTheHandComputedOnes) {
  const Features features = Features::sparse(1433, std::vector<int64_t>(2709, 0), {}, {});
  const MessageGraph messages(2708, {{0, 1}, {1, 2}});
  const auto count = [&](std::string_view name, const ModelOptions& options) {
    const auto model = make(name, options);
    Random random(1);
    model->start(messages, features, random);
    size_t total = 0;
    for (const Parameter& parameter : model->parameters()) {
      total += parameter.gradients.size();
    }
    return total;
  };
  EXPECT_EQ(count("vgae", {{"hidden", "64"}}), 95'936);
  EXPECT_EQ(count("vgae", {{"hidden", "128"}}), 191'808);
  EXPECT_EQ(count("argva", {{"hidden", "64"}}), 95'936 + 24'864);
  EXPECT_EQ(count("gpr-gnn", {}), 191'830);
  EXPECT_EQ(count("fagcn", {}), 385'604);
  EXPECT_EQ(count("linkx", {{"hidden", "128"}}), 571'456);
  EXPECT_EQ(count("gat", {{"hidden", "64"}}), 562'880);
  EXPECT_EQ(count("gat", {{"hidden", "256"}}), 2'248'640);
  EXPECT_EQ(count("disengcn", {}), 328'416);
  EXPECT_EQ(count("factorgnn", {}), 43'104);
}

}  // namespace
}  // namespace disenlink
