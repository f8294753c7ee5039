// SEAL's network: its formulas written out plainly, gradients by finite differences in double, and
// vectors against plain loops.
#include "models/baselines/seal_network.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "models/seal_arrays.h"
#include "models/small_graphs.h"

namespace disenlink {
namespace {

using detail::Dgcnn;
using detail::DgcnnArrays;
using detail::DgcnnKernels;
using detail::DgcnnShape;
using detail::read_only;
using detail::SubgraphBatch;
using detail::SubgraphSource;
using testing::length_of;
using testing::random_graph;
using testing::SealArrays;
using testing::some_pairs;

Features some_features(int64_t nodes, bool is_sparse) {
  Random random(13);
  std::vector<float> values(nodes * 3);
  for (float& value : values) {
    value = random.below(2) == 0 ? static_cast<float>(random.normal()) : 0.0F;
  }
  if (!is_sparse) {
    return Features::dense(nodes, 3, std::move(values));
  }
  std::vector<int64_t> offsets(nodes + 1);
  std::vector<int32_t> columns(nodes * 3);
  for (int64_t i = 0; i < nodes * 3; ++i) {
    columns[i] = static_cast<int32_t>(i % 3);
    offsets[i / 3 + 1] = i + 1;
  }
  return Features::sparse(3, std::move(offsets), std::move(columns), std::move(values));
}

// More pairs than the network takes together, in subgraphs of which some have fewer rows than
// pooling keeps and some have more.
template <typename T>
struct Task {
  explicit Task(bool has_features = false, int64_t hidden = 5)
      : shape{.bounds = {.largest_label = 10, .pooled_rows = 13},
              .num_features = has_features ? 3 : 0,
              .hidden = hidden},
        source{&graph, has_features ? &features : nullptr, {.hops = 2, .nodes_per_hop = 8}},
        weights(shape) {
    weights.fill_at_random(3);
    Random random(4);
    for (size_t i = 0; i < pairs.size(); ++i) {
      signs.push_back(i % 3 == 0 ? T{-1} : T{1});
      factors.push_back(static_cast<T>(0.5 + random.uniform()));
      for (int64_t unit = 0; unit < DgcnnShape::kDenseUnits; ++unit) {
        dropout.push_back(random.below(2) == 0 ? T{0} : T{2});
      }
    }
  }

  double learn(SealArrays<T>& gradients, const DgcnnKernels<T>& kernels = {}) {
    Dgcnn<T> network(shape, kernels);
    return network.learn(
        source, {.pairs = pairs, .signs = signs, .weights = factors, .dropout = dropout.data()},
        read_only(weights.arrays()), gradients.arrays());
  }

  std::vector<T> scores(const DgcnnKernels<T>& kernels = {}) {
    std::vector<T> logits(pairs.size());
    Dgcnn<T>(shape, kernels).score(source, pairs, read_only(weights.arrays()), logits);
    return logits;
  }

  MessageGraph graph = random_graph(60, 90, 1);
  Features features = some_features(60, true);
  std::vector<NodePair> pairs = some_pairs(60, 70, 2);
  DgcnnShape shape;
  SubgraphSource source;
  SealArrays<T> weights;
  std::vector<T> signs, factors, dropout;
};

using Matrix = std::vector<std::vector<double>>;

Matrix product(const Matrix& a, const double* w, const double* b, int64_t columns) {
  Matrix result;
  for (const std::vector<double>& row : a) {
    std::vector<double>& out = result.emplace_back(columns);
    for (int64_t j = 0; j < columns; ++j) {
      out[j] = b == nullptr ? 0 : b[j];
      for (size_t i = 0; i < row.size(); ++i) {
        out[j] += row[i] * w[static_cast<int64_t>(i) * columns + j];
      }
    }
  }
  return result;
}

void relu(Matrix& matrix) {
  for (std::vector<double>& row : matrix) {
    std::ranges::replace_if(
        row, [](double value) { return value < 0; }, 0.0);
  }
}

// The formulas at the head of seal.cpp for one pair.
double logit_of(const SubgraphBatch& graph, const DgcnnShape& shape,
                const DgcnnArrays<const double>& weights) {
  const auto layers = shape.layers();
  const int64_t n = graph.num_rows();
  Matrix h(n, std::vector<double>(layers[0].from));
  for (int64_t row = 0; row < n; ++row) {
    h[row][std::min<int64_t>(graph.labels[row], shape.bounds.largest_label)] = 1;
  }
  Matrix all(n);
  for (size_t l = detail::kGraph1; l <= detail::kGraph4; ++l) {
    const Matrix sent = product(h, weights[l].w, nullptr, layers[l].to);
    h.assign(n, std::vector<double>(layers[l].to));
    for (int64_t row = 0; row < n; ++row) {
      const int64_t begin = graph.neighbors.offsets[row];
      const int64_t end = graph.neighbors.offsets[row + 1];
      for (int64_t j = 0; j < layers[l].to; ++j) {
        double sum = weights[l].b[j];
        for (int64_t entry = begin; entry < end; ++entry) {
          sum += sent[graph.neighbors.others[entry]][j];
        }
        h[row][j] = std::tanh(sum / static_cast<double>(end - begin));
        all[row].push_back(h[row][j]);
      }
    }
  }
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.back() > b.back(); });
  all.resize(shape.bounds.pooled_rows, std::vector<double>(shape.row_width()));
  Matrix read = product(all, weights[detail::kRows].w, weights[detail::kRows].b, 16);
  relu(read);
  Matrix windows(shape.bounds.pooled_rows / 2 - 4);
  for (size_t window = 0; window < windows.size(); ++window) {
    for (size_t place = window; place < window + 5; ++place) {
      for (size_t i = 0; i < 16; ++i) {
        windows[window].push_back(std::max(read[2 * place][i], read[2 * place + 1][i]));
      }
    }
  }
  Matrix v = product(windows, weights[detail::kWindows].w, weights[detail::kWindows].b, 32);
  relu(v);
  Matrix flat(1);
  for (const std::vector<double>& row : v) {
    flat[0].insert(flat[0].end(), row.begin(), row.end());
  }
  Matrix dense = product(flat, weights[detail::kDense].w, weights[detail::kDense].b, 128);
  relu(dense);
  const Matrix out = product(dense, weights[detail::kOut].w, weights[detail::kOut].b, 2);
  return out[0][1] - out[0][0];
}

TEST(SealNetwork, ScoresAsTheFormulasSay) {
  Task<double> task;
  const std::vector<double> scores = task.scores();
  int64_t small = 0;
  for (size_t i = 0; i < task.pairs.size(); ++i) {
    const SubgraphBatch graph =
        extract_subgraphs(task.graph, std::span(task.pairs).subspan(i, 1), task.source.options);
    EXPECT_NEAR(scores[i], logit_of(graph, task.shape, read_only(task.weights.arrays())), 1e-9);
    small += graph.num_rows() < task.shape.bounds.pooled_rows ? 1 : 0;
  }
  EXPECT_GT(small, 5);
  EXPECT_LT(small, 65);
}

// The loss has kinks: ReLUs, the larger of two rows, nodes that change their places in the pooled
// order. Where one lies within a step, the differences to both sides disagree; elsewhere the
// gradient must be what they say to a ten-thousandth of the array's largest.
void expect_gradients_of_differences(bool has_features) {
  constexpr double kStep = 1e-6;
  constexpr double kTolerance = 1e-4;
  Task<double> task(has_features);
  SealArrays<double> gradients(task.shape);
  SealArrays<double> unused(task.shape);
  const double loss = task.learn(gradients);
  Random random(5);
  int64_t kinks = 0;
  int64_t checked = 0;
  for (size_t array = 0; array < gradients.values().size(); ++array) {
    const std::vector<double>& gradient = gradients.values()[array];
    const double largest = std::abs(
        *std::ranges::max_element(gradient, {}, [](double value) { return std::abs(value); }));
    EXPECT_GT(largest, 1e-3) << array;
    for (int sample = 0; sample < 25; ++sample, ++checked) {
      const size_t i = random.below(gradient.size());
      double& value = task.weights.values()[array][i];
      const double before = value;
      value = before + kStep;
      const double above = (task.learn(unused) - loss) / kStep;
      value = before - kStep;
      const double below = (loss - task.learn(unused)) / kStep;
      value = before;
      if (std::abs(above - below) > kTolerance * largest) {
        ++kinks;
      } else {
        EXPECT_NEAR(gradient[i], (above + below) / 2, kTolerance * largest) << array << " " << i;
      }
    }
  }
  EXPECT_LT(kinks, checked / 10);
}

TEST(SealNetwork, GradientsEqualFiniteDifferences) { expect_gradients_of_differences(false); }

TEST(SealNetwork, GradientsWithFeaturesEqualFiniteDifferences) {
  expect_gradients_of_differences(true);
}

TEST(SealNetwork, ReadsFeaturesSparseOrDense) {
  Task<double> task(true);
  const std::vector<double> of_sparse = task.scores();
  task.features = some_features(60, false);
  EXPECT_EQ(task.scores(), of_sparse);
}

// 32 units fill whole vectors, 5 do not.
TEST(SealNetwork, VectorsSayWhatPlainLoopsSay) {
  for (const int64_t hidden : {5, 32}) {
    Task<float> fast(false, hidden);
    Task<double> plain(false, hidden);
    for (size_t array = 0; array < plain.weights.values().size(); ++array) {
      std::ranges::copy(fast.weights.values()[array], plain.weights.values()[array].begin());
    }
    const DgcnnKernels<double> loops = {&detail::reference_kernels<double>(),
                                        &detail::reference_graph_kernels<double>()};
    const std::vector<float> scores = fast.scores();
    const std::vector<double> expected = plain.scores(loops);
    for (size_t i = 0; i < scores.size(); ++i) {
      EXPECT_NEAR(scores[i], expected[i], 1e-4 * std::max(1.0, std::abs(expected[i])));
    }
    SealArrays<float> gradients(fast.shape);
    SealArrays<double> by_loops(plain.shape);
    const double loss = plain.learn(by_loops, loops);
    EXPECT_NEAR(fast.learn(gradients), loss, 1e-5 * loss);
    for (size_t array = 0; array < by_loops.values().size(); ++array) {
      const std::vector<double>& values = by_loops.values()[array];
      std::vector<double> apart(values.size());
      std::ranges::transform(gradients.values()[array], values, apart.begin(), std::minus<>());
      EXPECT_LT(length_of(apart), 1e-4 * length_of(values)) << array;
    }
  }
}

// Rows of one value, far into both tails, and what is not a number.
TEST(SealNetwork, TanhIsThatOfTheStandardLibrary) {
  std::vector<float> x;
  detail::EdgeLists lists{.offsets = {0}, .others = {}, .edges = {}};
  for (int i = -3000; i <= 3000; ++i) {
    x.push_back(static_cast<float>(i * std::abs(i)) / 3e5F);
  }
  x.push_back(std::numeric_limits<float>::infinity());
  x.push_back(std::numeric_limits<float>::quiet_NaN());
  for (size_t i = 0; i < x.size(); ++i) {
    lists.others.push_back(static_cast<int32_t>(i));
    lists.offsets.push_back(static_cast<int64_t>(i) + 1);
  }
  const float zero = 0;
  for (const int64_t step : {1, 2}) {
    std::vector<float> out(x.size() * step);
    detail::graph_kernels<float>().mean_tanh(lists, 1, x.data(), &zero, out.data(), step);
    EXPECT_TRUE(std::isnan(out[(x.size() - 1) * step]));
    for (size_t i = 0; i + 1 < x.size(); ++i) {
      EXPECT_NEAR(out[i * step], std::tanh(x[i]), 3e-7) << x[i];
    }
  }
}

}  // namespace
}  // namespace disenlink
