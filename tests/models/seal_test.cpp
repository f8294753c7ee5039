// SEAL: the network's sizes, which gradients a step hands out, and the same bits for any number of
// threads.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "disenlink/evaluate.h"
#include "disenlink/random.h"
#include "disenlink/threads.h"
#include "disenlink/train.h"
#include "models/baselines/learned.h"
#include "models/baselines/seal_network.h"
#include "models/seal_arrays.h"
#include "models/small_graphs.h"
#include "nn/parameter_set.h"
#include "test_files.h"

namespace disenlink {
namespace {

using detail::DgcnnShape;
using testing::complete_graph;
using testing::error_of;
using ::testing::HasSubstr;
using testing::length_of;
using testing::random_graph;
using testing::SealArrays;
using testing::some_pairs;

std::unique_ptr<TrainableModel> new_model(const ModelOptions& options = {}) {
  const auto factory = detail::new_seal();
  detail::OptionTable table;
  factory->add_options(table);
  table.set_all(options);
  return std::unique_ptr<TrainableModel>(
      &dynamic_cast<TrainableModel&>(*factory->make().release()));
}

std::unique_ptr<TrainableModel> started(const MessageGraph& graph, const ModelOptions& options = {},
                                        const Features& features = {}, uint64_t seed = 1) {
  auto model = new_model(options);
  Random random(seed);
  model->start(graph, features, random);
  return model;
}

std::vector<float> scores(const LinkModel& model, std::span<const NodePair> pairs) {
  std::vector<float> logits(pairs.size());
  model.score(pairs, logits);
  return logits;
}

Parameter parameter(TrainableModel& model, std::string_view name) {
  for (const Parameter& candidate : model.parameters()) {
    if (candidate.name == name) {
      return candidate;
    }
  }
  ADD_FAILURE() << "no parameter " << name;
  return {};
}

// Sets the number of threads for a while.
class Threads {
 public:
  explicit Threads(int count) : before_(num_threads()) { set_num_threads(count); }
  ~Threads() { set_num_threads(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

TEST(Seal, HasTheParametersOfTheArchitecture) {
  const MessageGraph graph = complete_graph(4);
  const auto model = started(graph);
  int64_t count = 0;
  for (const Parameter& each : model->parameters()) {
    EXPECT_EQ(each.values.size(), each.gradients.size());
    count += static_cast<int64_t>(each.values.size());
  }
  EXPECT_EQ(count, 11'171);
}

TEST(Seal, DenseLayerFitsTheRowsThatAreKept) {
  const std::vector<std::pair<NodeId, int64_t>> widths = {
      {10, 32}, {11, 32}, {20, 192}, {30, 352}, {50, 672}};
  for (const auto& [rows, width] : widths) {
    const MessageGraph graph = complete_graph(rows);
    EXPECT_EQ(parameter(*started(graph), "w_dense").shape[0], width) << rows;
  }
}

// A loaded model starts anew on its graph, with a generator of no account.
TEST(Seal, SizesDoNotDependOnTheSeed) {
  const MessageGraph graph = random_graph(300, 900, 6);
  const auto a = started(graph, {}, {}, 1);
  const auto b = started(graph, {}, {}, 2);
  const auto first = a->parameters();
  const auto second = b->parameters();
  ASSERT_EQ(first.size(), second.size());
  for (size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].shape, second[i].shape);
  }
  EXPECT_NE(first[0].values[0], second[0].values[0]);
}

TEST(Seal, KeepsItsSizesOnALargerGraph) {
  const MessageGraph small = complete_graph(4);
  const MessageGraph large = random_graph(300, 3000, 7);
  const auto model = started(small);
  const std::vector<NodePair> pairs = some_pairs(300, 40, 8);
  model->encode(large, {});
  EXPECT_EQ(parameter(*model, "w_dense").shape[0], 32);
  for (const float score : scores(*model, pairs)) {
    EXPECT_TRUE(std::isfinite(score));
  }
}

TEST(Seal, BothDirectionsOfAPairScoreTheSame) {
  const MessageGraph graph = random_graph(100, 400, 9);
  const auto model = started(graph);
  const std::vector<NodePair> pairs = some_pairs(100, 90, 10);
  std::vector<NodePair> reversed;
  reversed.reserve(pairs.size());
  for (const NodePair& pair : pairs) {
    reversed.push_back({pair.target, pair.source});
  }
  const std::vector<float> logits = scores(*model, pairs);
  EXPECT_EQ(logits, scores(*model, reversed));
  EXPECT_GT(std::set(logits.begin(), logits.end()).size(), 20U);
}

// Links of the graph and other pairs, in batches that do not divide them.
struct Task {
  MessageGraph graph = random_graph(120, 500, 11);
  std::vector<NodePair> positives{graph.arcs().begin(), graph.arcs().begin() + 60};
  std::vector<NodePair> negatives = some_pairs(120, 150, 12);

  TrainStep step(int64_t index) const {
    return {.positives = positives, .negatives = negatives, .epoch = 1, .index = index, .seed = 5};
  }
};

TEST(Seal, AnEpochSeesEachPairOnceAndWeighsBothKindsTheSame) {
  const Task task;
  const auto model = started(task.graph, {{"batch", "32"}});
  const auto count = static_cast<int64_t>(task.positives.size() + task.negatives.size());
  EXPECT_EQ(model->steps_per_epoch(count), 7);
  EXPECT_EQ(
      started(task.graph, {{"batch", "32"}, {"pairs-per-epoch", "64"}})->steps_per_epoch(count), 2);
  // With an output that is always 0 the loss of a pair is log 2 times its weight.
  for (const Parameter& each : model->parameters()) {
    if (each.name == "w_out" || each.name == "b_out") {
      std::ranges::fill(each.values, 0.0F);
    }
  }
  double loss = 0;
  for (int64_t index = 0; index < 7; ++index) {
    const auto pairs = index < 6 ? 32 : count - 6 * 32;
    loss += model->compute_gradients(task.step(index)).loss * static_cast<double>(pairs) /
            static_cast<double>(count);
  }
  EXPECT_NEAR(loss, 2 * std::log(2), 1e-5);
}

TEST(Seal, SameBitsForAnyNumberOfThreads) {
  const Task task;
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 3}) {
    const Threads scope(threads);
    const auto model = started(task.graph);
    std::vector<float> result = {static_cast<float>(model->compute_gradients(task.step(0)).loss)};
    for (const Parameter& each : model->parameters()) {
      result.insert(result.end(), each.gradients.begin(), each.gradients.end());
    }
    const std::vector<float> logits = scores(*model, task.negatives);
    result.insert(result.end(), logits.begin(), logits.end());
    results.push_back(std::move(result));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

Features node_features(int64_t nodes, bool sparse) {
  Random random(13);
  std::vector<float> values(nodes * 6);
  for (float& value : values) {
    value = random.below(3) == 0 ? static_cast<float>(random.uniform()) : 0.0F;
  }
  if (!sparse) {
    return Features::dense(nodes, 6, std::move(values));
  }
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> columns;
  std::vector<float> kept;
  for (int64_t i = 0; i < nodes * 6; ++i) {
    if (values[i] != 0) {
      columns.push_back(static_cast<int32_t>(i % 6));
      kept.push_back(values[i]);
    }
    if (i % 6 == 5) {
      offsets.push_back(static_cast<int64_t>(columns.size()));
    }
  }
  return Features::sparse(6, std::move(offsets), std::move(columns), std::move(kept));
}

TEST(Seal, ReadsFeaturesSparseOrDense) {
  const Task task;
  const Features sparse = node_features(120, true);
  const Features dense = node_features(120, false);
  const auto from_sparse = started(task.graph, {{"use-features", "true"}}, sparse);
  const auto from_dense = started(task.graph, {{"use-features", "true"}}, dense);
  const auto labels_only = started(task.graph);
  EXPECT_EQ(parameter(*from_dense, "w_graph1").shape[0],
            parameter(*labels_only, "w_graph1").shape[0] + 6);
  EXPECT_EQ(scores(*from_sparse, task.negatives), scores(*from_dense, task.negatives));
  EXPECT_NE(scores(*from_sparse, task.negatives), scores(*labels_only, task.negatives));
}

// Steps of one pair, whose dropout is known, against the network in double, of which
// seal_network_test.cpp checks the gradients.
void expect_gradients_of_the_network(const Features& features, const ModelOptions& options) {
  const MessageGraph graph = random_graph(40, 160, 15);
  const auto model = started(graph, options, features);
  const DgcnnShape shape = {.bounds = detail::sample_bounds(graph, {}),
                            .num_features = features.num_columns()};
  SealArrays<double> weights(shape);
  SealArrays<double> expected(shape);
  for (size_t i = 0; const Parameter& array : model->parameters()) {
    std::ranges::copy(array.values, weights.values()[i++].begin());
  }
  const detail::SubgraphSource source = {&graph, features.empty() ? nullptr : &features, {}};
  for (const NodePair pair : {NodePair{0, 1}, NodePair{7, 3}, NodePair{20, 21}}) {
    for (const bool is_link : {true, false}) {
      const std::vector<NodePair> one = {pair};
      TrainStep step;
      step.epoch = 2;
      (is_link ? step.positives : step.negatives) = one;
      const torch::Tensor dropout =
          detail::dropout_mask({1, DgcnnShape::kDenseUnits}, 0.5, step, "dropout")
              .to(torch::kDouble);
      const std::vector<double> sign = {is_link ? -1.0 : 1.0};
      const std::vector<double> weight = {1};
      const double loss = detail::Dgcnn<double>(shape).learn(
          source, {one, sign, weight, dropout.data_ptr<double>()},
          detail::read_only(weights.arrays()), expected.arrays());
      EXPECT_NEAR(model->compute_gradients(step).loss, loss, 1e-6);
      for (size_t i = 0; const Parameter& array : model->parameters()) {
        const std::vector<double>& values = expected.values()[i++];
        std::vector<double> apart(values.size());
        std::ranges::transform(array.gradients, values, apart.begin(), std::minus<>());
        EXPECT_GT(length_of(values), 0) << array.name;
        EXPECT_LT(length_of(apart), 1e-4 * length_of(values)) << array.name;
      }
    }
  }
}

TEST(Seal, GradientsAreThoseOfTheNetwork) {
  expect_gradients_of_the_network({}, {});
  for (const bool sparse : {true, false}) {
    expect_gradients_of_the_network(node_features(40, sparse), {{"use-features", "true"}});
  }
}

TEST(Seal, SaysWhatItMisses) {
  const MessageGraph graph = complete_graph(5);
  EXPECT_THAT(error_of([&] {
                started(graph, {{"use-features", "true"}});
              }),
              HasSubstr("needs node features"));
  EXPECT_THAT(error_of([&] { new_model()->encode(graph, {}); }), HasSubstr("must be trained"));
  const Features six = node_features(5, false);
  const Features none;
  const auto model = started(graph, {{"use-features", "true"}}, six);
  EXPECT_THAT(error_of([&] { model->encode(graph, none); }), HasSubstr("do not fit"));
}

// Three groups with links inside only: common neighbours tell links from other pairs.
TEST(Seal, LearnsASmallGraph) {
  Random random(14);
  GraphParts parts;
  parts.num_nodes = 60;
  std::vector<NodePair> others;
  for (NodeId a = 0; a < 60; ++a) {
    for (NodeId b = 0; b < a; ++b) {
      if (a % 3 != b % 3) {
        others.push_back({a, b});
      } else if (random.uniform() < 0.5) {
        parts.arcs.push_back({a, b});
      }
    }
  }
  const Graph graph(std::move(parts));
  shuffle(std::span(others), random);
  EdgeSplit split;
  split.num_nodes = 60;
  split.train.positives.assign(graph.arcs().begin(), graph.arcs().end());
  split.train.negatives.assign(others.begin(), others.begin() + 300);
  split.valid = split.train;
  const MessageGraph message_graph = split.message_graph();
  const auto model = new_model({{"batch", "20"}});
  const TrainState state =
      train(*model, graph, split, message_graph,
            {.epochs = 8, .learning_rate = 0.003, .weight_decay = 0, .fresh_negatives = false});
  EXPECT_GT(evaluate(*model, split.train, graph.names()).auc, 0.97);
  EXPECT_LT(state.losses.back(), 0.5 * state.losses.front());
}

}  // namespace
}  // namespace disenlink
