// Every operation with a gradient: against a plain formula, its gradient by finite differences in
// double, and the SIMD kernels against the plain ones.
#include "nn/edge_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <array>

#include "disenlink/random.h"
#include "kernels/graph_kernels.h"
#include "nn/inner_product_loss.h"
#include "nn/linear.h"
#include "nn/variational.h"

namespace disenlink::detail {
namespace {

using torch::Tensor;

Tensor random_tensor(torch::IntArrayRef shape, Random& random, torch::Dtype type = torch::kDouble) {
  Tensor tensor = torch::empty(shape, torch::kDouble);
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    tensor.data_ptr<double>()[i] = random.normal();
  }
  return tensor.to(type).contiguous();
}

// Nodes 0 .. 5; node 5 has no edges, 0 -> 1 comes twice, 3 has a loop.
DirectedGraph small_graph() {
  const std::vector<NodePair> arcs = {{0, 1}, {1, 0}, {0, 1}, {2, 1}, {3, 3}, {4, 2}, {3, 2}};
  return {6, arcs};
}

// More edges than go through a step together, and some left over.
DirectedGraph larger_graph() {
  constexpr int kNodes = 40;
  Random random(10, "arcs");
  std::vector<NodePair> arcs;
  for (int i = 0; i < 203; ++i) {
    arcs.push_back(
        {static_cast<NodeId>(random.below(kNodes)), static_cast<NodeId>(random.below(kNodes / 2))});
  }
  return {kNodes, arcs};
}

double number_of(const Tensor& value) { return value.item<double>(); }

// Compares the gradients of a random weighting of the result with central differences.
template <typename Function>
void expect_right_gradients(std::vector<Tensor> inputs, Function&& function) {
  Random random(7, "weights of the result");
  for (Tensor& input : inputs) {
    input.requires_grad_(true);
  }
  const Tensor weights = random_tensor(function(inputs).sizes(), random);
  const auto value = [&] { return (function(inputs) * weights).sum(); };
  value().backward();
  constexpr double kStep = 1e-5;
  for (Tensor& input : inputs) {
    const torch::NoGradGuard no_gradient;
    for (int64_t i = 0; i < input.numel(); ++i) {
      double& entry = input.data_ptr<double>()[i];
      const double before = entry;
      entry = before + kStep;
      const double above = number_of(value());
      entry = before - kStep;
      const double below = number_of(value());
      entry = before;
      const double expected = (above - below) / (2 * kStep);
      EXPECT_NEAR(input.grad().data_ptr<double>()[i], expected, 1e-7 * (1 + std::abs(expected)));
    }
  }
}

TEST(EdgeOps, AggregateIsTheWeightedSumOfSenders) {
  const DirectedGraph graph = small_graph();
  Random random(1);
  const Tensor weights = random_tensor({graph.num_edges(), 2}, random);
  const Tensor x = random_tensor({6, 2, 3}, random);
  Tensor expected = torch::zeros({6, 2, 3}, torch::kDouble);
  const EdgeLists& lists = graph.by_receiver();
  for (int64_t node = 0; node < 6; ++node) {
    for (int64_t edge = lists.offsets[node]; edge < lists.offsets[node + 1]; ++edge) {
      expected[node] += weights[edge].unsqueeze(1) * x[lists.others[edge]];
    }
  }
  EXPECT_TRUE(torch::allclose(aggregate(graph, weights, x), expected, 1e-12, 1e-12));
  EXPECT_EQ(aggregate(graph, weights, x)[5].abs().sum().item<double>(), 0);
}

TEST(EdgeOps, AggregateHasRightGradients) {
  const DirectedGraph graph = small_graph();
  Random random(2);
  const auto run = [&](const std::vector<Tensor>& in) { return aggregate(graph, in[0], in[1]); };
  for (const int64_t width : {1, 3, 17, 40}) {
    const Tensor weights = random_tensor({graph.num_edges(), 2}, random);
    expect_right_gradients({weights.clone(), random_tensor({6, 2, width}, random)}, run);
    expect_right_gradients({weights.clone(), random_tensor({6, 1, width}, random)}, run);
  }
}

Tensor numbers_of(std::span<const int32_t> nodes) {
  return torch::tensor(std::vector<int64_t>(nodes.begin(), nodes.end()));
}

// aggregate() in libtorch's operations.
Tensor eager_aggregate(const DirectedGraph& graph, const Tensor& weights, const Tensor& x) {
  const Tensor sent = x.index_select(0, numbers_of(graph.by_receiver().others));
  return torch::zeros({x.size(0), weights.size(1), x.size(2)}, x.options())
      .index_add(0, numbers_of(graph.receivers()), weights.unsqueeze(2) * sent);
}

// Too much for a second-level cache, and every vector is asked for many times.
TEST(EdgeOps, TilesOfColumnsGiveTheSameSumsAndGradients) {
  constexpr int64_t kNodes = 700;
  Random random(13);
  std::vector<NodePair> arcs;
  for (int i = 0; i < 8 * kNodes; ++i) {
    arcs.push_back(
        {static_cast<NodeId>(random.below(kNodes)), static_cast<NodeId>(random.below(kNodes))});
  }
  const DirectedGraph graph(kNodes, arcs);
  for (const auto& [heads, x_heads, width] :
       std::vector<std::array<int64_t, 3>>{{3, 3, 130}, {2, 1, 270}, {1, 1, 256}}) {
    Tensor weights = random_tensor({graph.num_edges(), heads}, random).requires_grad_(true);
    Tensor x = random_tensor({kNodes, x_heads, width}, random).requires_grad_(true);
    const Tensor slope = random_tensor({kNodes, heads, width}, random);
    const auto results = [&](const Tensor& out) {
      weights.mutable_grad() = Tensor();
      x.mutable_grad() = Tensor();
      (out * slope).sum().backward();
      return std::vector<Tensor>{out.detach(), weights.grad(), x.grad()};
    };
    const auto expected = results(eager_aggregate(graph, weights, x));
    const auto found = results(aggregate(graph, weights, x));
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-10, 1e-10))
          << heads << " heads, result " << i;
    }
  }
}

TEST(EdgeOps, DotsSumsAndSoftmaxHaveRightGradients) {
  const DirectedGraph graph = small_graph();
  Random random(3);
  expect_right_gradients(
      {random_tensor({6, 2, 5}, random), random_tensor({6, 2, 5}, random)},
      [&](const std::vector<Tensor>& in) { return edge_dots(graph, in[0], in[1]); });
  expect_right_gradients(
      {random_tensor({6, 3}, random), random_tensor({6, 3}, random)},
      [&](const std::vector<Tensor>& in) { return edge_sums(graph, in[0], in[1]); });
  expect_right_gradients({random_tensor({graph.num_edges(), 3}, random)},
                         [&](const std::vector<Tensor>& in) { return edge_softmax(graph, in[0]); });
}

TEST(EdgeOps, SoftmaxSumsToOneAtEachReceiver) {
  const DirectedGraph graph = small_graph();
  Random random(4);
  // Far too large for an exponential that is not shifted.
  const Tensor weights = edge_softmax(graph, 1000 * random_tensor({graph.num_edges(), 2}, random));
  const EdgeLists& lists = graph.by_receiver();
  for (int64_t node = 0; node < 5; ++node) {
    if (graph.in_degree(node) > 0) {
      const Tensor sum = weights.slice(0, lists.offsets[node], lists.offsets[node + 1]).sum(0);
      EXPECT_TRUE(torch::allclose(sum, torch::ones({2}, torch::kDouble)));
    }
  }
}

TEST(EdgeOps, RouteHasRightGradients) {
  Random random(5);
  const DirectedGraph small = small_graph();
  for (const double temperature : {1.0, 0.3}) {
    for (const int64_t rounds : {1, 3}) {
      expect_right_gradients({random_tensor({6, 2, 4}, random), random_tensor({6, 2, 4}, random)},
                             [&](const std::vector<Tensor>& in) {
                               return route(small, in[0], in[1], rounds, temperature);
                             });
    }
  }
  const DirectedGraph larger = larger_graph();
  expect_right_gradients(
      {random_tensor({40, 3, 18}, random), random_tensor({40, 3, 18}, random)},
      [&](const std::vector<Tensor>& in) { return route(larger, in[0], in[1], 2, 0.7); });
}

// A round in libtorch's operations.
Tensor eager_round(const DirectedGraph& graph, const Tensor& c, const Tensor& u,
                   double temperature) {
  const Tensor receivers = numbers_of(graph.receivers());
  const Tensor sent = c.index_select(0, numbers_of(graph.by_receiver().others));
  const Tensor agreements = (sent * u.index_select(0, receivers)).sum(2);
  const Tensor shares = torch::softmax(agreements / temperature, 1);
  const Tensor sums = c.index_add(0, receivers, shares.unsqueeze(2) * sent);
  return sums / sums.norm(2, -1, true);
}

TEST(EdgeOps, RouteEqualsRoundsInPlainTensorOperations) {
  const DirectedGraph graph = larger_graph();
  Random random(11);
  for (const int64_t width : {1, 7, 16, 32, 50}) {
    const Tensor c = random_tensor({40, 3, width}, random);
    const Tensor first = random_tensor({40, 3, width}, random);
    Tensor expected = first;
    for (int64_t rounds = 0; rounds <= 3; ++rounds) {
      EXPECT_TRUE(torch::allclose(route(graph, c, first, rounds, 0.5), expected, 1e-10, 1e-12))
          << "width " << width << ", " << rounds << " rounds";
      expected = eager_round(graph, c, expected, 0.5);
    }
  }
}

// Worked out by hand: one arc 0 -> 1, two channels of two.
TEST(EdgeOps, RouteEqualsTheHandComputedRounds) {
  const std::vector<NodePair> arcs = {{0, 1}};
  const DirectedGraph graph(2, arcs);
  const Tensor c =
      torch::tensor({0.6, 0.8, 0.0, 1.0, 1.0, 0.0, 0.0, -1.0}, torch::kDouble).view({2, 2, 2});
  const Tensor once = route(graph, c, c, 1, 1.0);
  EXPECT_NEAR(once[1][0][0].item<double>(), 0.9139702, 1e-7);
  EXPECT_NEAR(once[1][0][1].item<double>(), 0.4057814, 1e-7);
  const Tensor u = route(graph, c, c, 6, 1.0);
  EXPECT_NEAR(u[1][0][0].item<double>(), 0.9097342, 1e-7);
  EXPECT_NEAR(u[1][0][1].item<double>(), 0.4151912, 1e-7);
  EXPECT_NEAR(u[1][1][1].item<double>(), -1, 1e-12);
  EXPECT_TRUE(torch::allclose(u[0], c[0]));
}

TEST(EdgeOps, SimdKernelsEqualThePlainOnes) {
  const DirectedGraph graph = small_graph();
  const EdgeLists& lists = graph.by_receiver();
  Random random(6);
  for (const int64_t width : {1, 7, 8, 16, 33, 64, 129}) {
    const HeadShape shape{3, width};
    const Tensor weights = random_tensor({graph.num_edges(), 3}, random, torch::kFloat);
    const Tensor a = random_tensor({6, 3, width}, random, torch::kFloat);
    const Tensor b = random_tensor({6, 3, width}, random, torch::kFloat);
    const auto run = [&](const GraphKernels<float>& kernels) {
      Tensor sums = torch::empty({6, 3, width});
      Tensor joined = torch::empty({6, width});
      Tensor dots = torch::empty({graph.num_edges(), 3});
      kernels.aggregate(lists, shape, false, weights.data_ptr<float>(), a.data_ptr<float>(),
                        sums.data_ptr<float>());
      kernels.aggregate_heads(lists, shape, weights.data_ptr<float>(), a.data_ptr<float>(),
                              joined.data_ptr<float>());
      kernels.edge_dots(lists, shape, false, a.data_ptr<float>(), b.data_ptr<float>(),
                        dots.data_ptr<float>());
      return std::vector<Tensor>{sums, joined, dots};
    };
    const auto simd = run(graph_kernels<float>());
    const auto plain = run(reference_graph_kernels<float>());
    for (size_t i = 0; i < simd.size(); ++i) {
      EXPECT_TRUE(torch::allclose(simd[i], plain[i], 1e-4, 1e-5)) << "result " << i;
    }
  }
}

// Routing of random vectors and its gradients.
template <typename T>
std::vector<Tensor> routed(const GraphKernels<T>& kernels, const DirectedGraph& graph,
                           HeadShape shape, torch::Dtype type) {
  constexpr int64_t kRounds = 2;
  Random random(12);
  const int64_t nodes = graph.num_nodes();
  const auto vectors = [&] {
    return random_tensor({nodes, shape.heads, shape.width}, random, type);
  };
  const auto room = [&](int64_t values) { return torch::zeros({values}, type); };
  const Tensor c = vectors(), first = vectors(), slope = vectors();
  const Tensor result = torch::zeros_like(c), by_c = torch::zeros_like(c),
               by_first = torch::zeros_like(c);
  const int64_t panels = shape.heads * panels_of_head(shape) * nodes * kPanelWidth;
  const int64_t edges = shape.heads * filled_up(graph.num_edges());
  const Tensor packed = room(panels), compared = room((kRounds + 1) * panels),
               shares = room(kRounds * edges), lengths = room(kRounds * shape.heads * nodes),
               work = room(panels), more_work = room(panels), slopes = room(edges);
  const auto at = [](const Tensor& tensor) { return tensor.data_ptr<T>(); };
  const RoutingTape<T> tape{kRounds, T{0.5}, at(packed), at(compared), at(shares), at(lengths)};
  kernels.route(graph, shape, at(c), at(first), tape, at(result));
  kernels.route_backward(graph, shape, tape,
                         {at(slope), at(work), at(more_work), at(slopes), at(by_c), at(by_first)});
  return {result, by_c, by_first};
}

TEST(EdgeOps, SimdRoutingEqualsThePlainOne) {
  const DirectedGraph graph = larger_graph();
  for (const int64_t width : {1, 7, 16, 32, 33, 64}) {
    const auto simd = routed(graph_kernels<float>(), graph, {3, width}, torch::kFloat);
    const auto plain = routed(reference_graph_kernels<float>(), graph, {3, width}, torch::kFloat);
    for (size_t i = 0; i < simd.size(); ++i) {
      EXPECT_TRUE(torch::allclose(simd[i], plain[i], 1e-4, 1e-5))
          << "width " << width << ", result " << i;
    }
  }
}

TEST(DenseLayer, EqualsTheProductAndHasRightGradients) {
  Random random(8);
  const Tensor x = random_tensor({300, 5}, random);
  const Tensor w = random_tensor({5, 3}, random);
  const Tensor b = random_tensor({3}, random);
  EXPECT_TRUE(torch::allclose(dense_layer(x, w, b), torch::matmul(x, w) + b));
  EXPECT_TRUE(torch::allclose(dense_layer(x, w), torch::matmul(x, w)));
  expect_right_gradients({random_tensor({4, 5}, random), w, b}, [](const std::vector<Tensor>& in) {
    return dense_layer(in[0], in[1], in[2]);
  });
}

TEST(InnerProductLoss, EqualsCrossEntropyOfLogits) {
  Random random(9);
  const Tensor z = random_tensor({5, 7}, random, torch::kFloat).requires_grad_(true);
  const std::vector<NodePair> positives = {{0, 1}, {3, 2}, {0, 1}};
  const std::vector<NodePair> negatives = {{4, 4}, {1, 3}};
  InnerProductLoss decoder;
  const Tensor loss = decoder.loss(z, positives, negatives);
  loss.backward();
  const Tensor gradient = z.grad().clone();
  z.mutable_grad() = Tensor();
  const auto logit = [&](NodePair pair) { return (z[pair.source] * z[pair.target]).sum(); };
  Tensor expected = torch::zeros({});
  for (const NodePair pair : positives) {
    expected = expected + torch::softplus(-logit(pair)) / 3;
  }
  for (const NodePair pair : negatives) {
    expected = expected + torch::softplus(logit(pair)) / 2;
  }
  expected.backward();
  EXPECT_NEAR(loss.item<double>(), expected.item<double>(), 1e-6);
  EXPECT_TRUE(torch::allclose(gradient, z.grad(), 1e-5, 1e-6));
}

TEST(InnerProductLoss, OfNothingIsTwoLogTwo) {
  InnerProductLoss decoder;
  const std::vector<NodePair> pairs = {{0, 1}, {1, 2}};
  EXPECT_NEAR(decoder.loss(torch::zeros({3, 4}), pairs, pairs).item<double>(), 1.3862944, 1e-6);
}

TEST(Variational, DivergenceEqualsTheHandComputedValues) {
  const auto divergence = [](double mean, double log_deviation, int64_t width) {
    const NodeCode code{torch::full({10, width}, mean), torch::full({10, width}, log_deviation)};
    return 10 * divergence_per_node(code).item<double>();
  };
  EXPECT_NEAR(divergence(1, 0, 32), 16, 1e-5);
  EXPECT_NEAR(divergence(0, std::log(2), 1), 0.8068528, 1e-6);
}

}  // namespace
}  // namespace disenlink::detail
