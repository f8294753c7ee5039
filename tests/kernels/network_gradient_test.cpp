// The whole forward and backward pass of every kernel table, in double and float, against the exact
// derivatives of a plain N x N implementation of the paper's formulas.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "kernels/dense_model.h"
#include "kernels/sorted_pairs.h"

namespace disenlink::detail {
namespace {

struct Case {
  const char* name;
  bool standardise = false;
  bool sparse = true;
  PairLoss loss = PairLoss::kCrossEntropy;
  double scale = 1;  // of the weights, and with them of the logits
  FactorForm form = {};
};

// Widths below, at and beside whole vectors of every instruction set; more factors than one vector
// has lanes.
struct Sizes {
  int64_t factors, width, hidden;
};
constexpr Sizes kSizes[] = {{3, 5, 7}, {2, 16, 13}, {5, 33, 4}, {1, 64, 8}, {19, 16, 3}};

// Links, pairs and features of a small random graph, with what real ones have: repeats, self
// loops, a node without links, negatives that are links.
struct Example {
  explicit Example(bool sparse) {
    Random random(5);
    for (int i = 0; i < 26; ++i) {
      links.push_back({NodeId(random.below(kNodes - 1)), NodeId(random.below(kNodes - 1))});
    }
    graph = Adjacency::from_arcs(kNodes, links);
    features = make_features(sparse, random);
    positives.assign(links.begin(), links.begin() + 15);
    for (int i = 0; i < 40; ++i) {
      negatives.push_back({NodeId(random.below(kNodes)), NodeId(random.below(kNodes))});
    }
  }

  std::vector<NodePair> links, positives, negatives;
  Adjacency graph;
  Features features;
};

NetworkOptions make_options(const Case& wanted, const Sizes& sizes) {
  NetworkOptions options;
  options.factors = sizes.factors;
  options.width = sizes.width;
  options.hidden = sizes.hidden;
  options.standardise = wanted.standardise;
  options.loss = wanted.loss;
  options.divide_negatives = wanted.loss != PairLoss::kCrossEntropy;
  options.form = wanted.form;
  return options;
}

// Largest difference from the dense loss's derivatives by some parameters of one array, relative to
// the largest of these.
template <typename T>
double difference(const Buffer<T>& found, const std::function<Dual()>& loss,
                  std::vector<Dual>& array) {
  const size_t step = array.size() / 8 + 1;
  double largest = 0;
  double apart = 0;
  for (size_t i = 0; i < array.size(); i += step) {
    array[i].derivative = 1;
    const double expected = loss().derivative;
    array[i].derivative = 0;
    largest = std::max(largest, std::abs(expected));
    apart = std::max(apart, std::abs(double(found[i]) - expected));
  }
  return largest == 0 ? apart : apart / largest;
}

template <typename T>
void expect_same(const Case& wanted, const FactorKernels<T>& kernels, double tolerance) {
  for (const Sizes& sizes : kSizes) {
    SCOPED_TRACE(testing::Message() << "width " << sizes.width);
    const Example example(wanted.sparse);
    const NetworkOptions options = make_options(wanted, sizes);
    Network<T> network(example.graph, example.features, options, kernels);
    Random random(7);
    network.initialise(false, random);
    auto& weights = network.parameters();
    for (Buffer<T>* array : {&weights.w1, &weights.b1, &weights.w2, &weights.b2}) {
      std::for_each(array->begin(), array->end(), [&](T& value) { value *= T(wanted.scale); });
    }
    network.forward();
    const LossReport report = network.backward(example.positives, example.negatives);

    DenseModel<Dual> dense(example.graph, example.features, options);
    DenseParameters<Dual> p(network.parameters());
    const auto loss = [&] { return dense.loss(p, example.positives, example.negatives); };
    const double expected = loss().value;
    EXPECT_NEAR(report.loss, expected, tolerance * expected);
    EXPECT_LE(difference(network.gradients().b2, loss, p.b2), tolerance) << "b2";
    EXPECT_LE(difference(network.gradients().w2, loss, p.w2), tolerance) << "w2";
    EXPECT_LE(difference(network.gradients().b1, loss, p.b1), tolerance) << "b1";
    EXPECT_LE(difference(network.gradients().w1, loss, p.w1), tolerance) << "w1";
  }
}

class NetworkGradient : public ::testing::TestWithParam<Case> {};

TEST_P(NetworkGradient, EqualsDenseFormulasInDouble) {
  expect_same<double>(GetParam(), factor_kernels<double>(), 1e-9);
}

TEST_P(NetworkGradient, EqualsDenseFormulasInFloat) {
  expect_same<float>(GetParam(), factor_kernels<float>(), 1e-5);
}

TEST_P(NetworkGradient, PlainLoopsEqualDenseFormulas) {
  expect_same<double>(GetParam(), reference_kernels<double>(), 1e-9);
  expect_same<float>(GetParam(), reference_kernels<float>(), 1e-5);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const auto add = [&](const char* name, const std::function<void(Case&)>& change) {
    for (const bool leave_one_out : {false, true}) {
      for (const bool by_sender : {false, true}) {
        Case next{name};
        next.form.temperature = 0.7;
        next.form.leave_one_out = leave_one_out;
        next.form.by_sender = by_sender;
        change(next);
        cases.push_back(next);
      }
    }
  };
  add("full", [](Case&) {});
  add("squared", [](Case& c) { c.loss = PairLoss::kSquaredError; });
  // Near certainty this form loses its digits, as it must.
  add("clipped_log", [](Case& c) { c.loss = PairLoss::kClippedLog, c.scale = 0.2; });
  add("standardised", [](Case& c) { c.standardise = true; });
  add("dense", [](Case& c) { c.sparse = false; });
  add("dense_standardised", [](Case& c) { c.sparse = false, c.standardise = true; });
  add("no_importance", [](Case& c) { c.form.importance = false, c.form.weighted_score = false; });
  add("no_selection", [](Case& c) { c.form.select = false; });
  add("plain_score", [](Case& c) { c.form.weighted_score = false; });
  add("no_messages", [](Case& c) { c.form.beta = 1; });
  add("clipped", [](Case& c) { c.form.largest_exponent = 0.05; });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(AllForms, NetworkGradient, ::testing::ValuesIn(all_cases()),
                         [](const auto& chosen) {
                           const Case& c = chosen.param;
                           return std::string(c.name) + (c.form.leave_one_out ? "_left_out" : "") +
                                  (c.form.by_sender ? "_by_sender" : "");
                         });

// Without selection, and with a low temperature, all of a node's importances on one factor can
// vanish.
TEST(NetworkWithoutSelection, StaysFiniteWhereImportancesVanish) {
  for (const bool by_sender : {false, true}) {
    for (const bool leave_one_out : {false, true}) {
      const Example example(true);
      Case wanted{"vanishing"};
      wanted.form.select = false;
      wanted.form.temperature = 0.002;
      wanted.form.by_sender = by_sender;
      wanted.form.leave_one_out = leave_one_out;
      Network<float> network(example.graph, example.features, make_options(wanted, {3, 5, 7}),
                             factor_kernels<float>());
      Random random(7);
      network.initialise(false, random);
      network.forward();
      const float least =
          *std::min_element(network.importance().begin(), network.importance().end());
      ASSERT_LT(least, 1e-30) << "nothing vanishes here";
      const LossReport report = network.backward(example.positives, example.negatives);
      EXPECT_TRUE(std::isfinite(report.loss));
      const auto& gradients = network.gradients();
      for (const auto* array : {&gradients.w1, &gradients.b1, &gradients.w2, &gradients.b2}) {
        EXPECT_TRUE(std::all_of(array->begin(), array->end(),
                                [](float value) { return std::isfinite(value); }));
      }
    }
  }
}

// A graph whose vectors do not fit the cache goes through the loss in blocks of nodes; some pairs
// of it at a time do not.
TEST(PairBlocks, GiveWhatTheirPairsGiveOneByOne) {
  constexpr int64_t kManyNodes = 60;
  constexpr size_t kParts = 12;
  Random random(3);
  std::vector<NodePair> positives, negatives;
  for (size_t i = 0; i < 80 * kParts; ++i) {
    (i % 2 == 0 ? positives : negatives)
        .push_back({NodeId(random.below(kManyNodes)), NodeId(random.below(kManyNodes))});
  }
  const Adjacency graph = Adjacency::from_arcs(kManyNodes, positives);
  std::vector<float> values(kManyNodes * 3);
  std::generate(values.begin(), values.end(), [&] { return float(random.uniform()); });
  NetworkOptions options;
  options.factors = 4;
  options.width = 512;
  options.hidden = 8;
  options.form.leave_one_out = true;
  Network<double> network(graph, Features::dense(kManyNodes, 3, values), options);
  Random weights(7);
  network.initialise(true, weights);
  network.forward();
  const double loss = network.backward(positives, negatives).loss;
  const Buffer<double> expected = network.gradients().w2;

  SortedPairs pairs;
  pairs.assign({kManyNodes, 2 * 4 * 512 * int64_t{sizeof(double)}}, positives, negatives, nullptr);
  ASSERT_GT(pairs.batch().blocks, 1);
  double sum = 0;
  std::vector<double> gradient(expected.size(), 0);
  for (size_t part = 0; part < kParts; ++part) {
    const size_t size = positives.size() / kParts;
    network.forward();
    sum += network
               .backward(std::span(positives).subspan(part * size, size),
                         std::span(negatives).subspan(part * size, size))
               .loss;
    for (size_t i = 0; i < gradient.size(); ++i) {
      gradient[i] += network.gradients().w2[i] / kParts;
    }
  }
  EXPECT_NEAR(loss, sum / kParts, 1e-12 * loss);
  double largest = 0;
  for (size_t i = 0; i < gradient.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
  }
  for (size_t i = 0; i < gradient.size(); ++i) {
    ASSERT_NEAR(gradient[i], expected[i], 1e-12 * largest) << i;
  }
}

}  // namespace
}  // namespace disenlink::detail
