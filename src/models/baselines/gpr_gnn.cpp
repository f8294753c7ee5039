// GPR-GNN. Chien, Peng, Li and Milenkovic, Adaptive universal generalized PageRank graph neural
// network.
//
//   H  = relu(X w1 + b1)                               (N, hidden)
//   mu = sum over k = 0 .. hops of gamma[k] P^k (H w_mean + b_mean)       (N, embed)
//   ls the same with its own weights and coefficients; P, z and the loss as in VGAE
//   gamma starts as alpha (1 - alpha)^k, the last as (1 - alpha)^hops, and is learned
//
// Differs from the paper: two outputs instead of classes, no dropout. Differs from the authors'
// code: messages go both ways unless --message-graph one-direction.
#include <torch/torch.h>

#include <cmath>

#include "models/baselines/embedding_model.h"
#include "models/baselines/learned.h"
#include "nn/edge_ops.h"
#include "nn/linear.h"

namespace disenlink::detail {
namespace {

struct GprOptions {
  EncoderOptions encoder{.hidden = 128};
  double alpha = 0.4;
  int64_t hops = 10;
};

class GprGnn : public EmbeddingModel {
 public:
  explicit GprGnn(const GprOptions& options) : EmbeddingModel(options.encoder), own_(options) {}

 protected:
  void take_graph(const MessageGraph& graph) override { graph_ = weighted(graph, true); }

  void make_parameters(ParameterSet& parameters, Random& random) override {
    const int64_t hidden = options().hidden;
    const int64_t embed = options().embed;
    w1_ = parameters.add("w1", {input().columns(), hidden});
    b1_ = parameters.add("b1", {hidden});
    w_mean_ = parameters.add("w_mean", {hidden, embed});
    b_mean_ = parameters.add("b_mean", {embed});
    w_deviation_ = parameters.add("w_deviation", {hidden, embed});
    b_deviation_ = parameters.add("b_deviation", {embed});
    fill_linear(w1_, b1_, random);
    fill_linear(w_mean_, b_mean_, random);
    fill_linear(w_deviation_, b_deviation_, random);
    gamma_mean_ = parameters.add("gamma_mean", {own_.hops + 1});
    gamma_deviation_ = parameters.add("gamma_deviation", {own_.hops + 1});
    for (int64_t k = 0; k <= own_.hops; ++k) {
      const double rest = std::pow(1 - own_.alpha, static_cast<double>(k));
      const auto start = static_cast<float>(k < own_.hops ? own_.alpha * rest : rest);
      gamma_mean_.data_ptr<float>()[k] = start;
      gamma_deviation_.data_ptr<float>()[k] = start;
    }
  }

  NodeCode encode_nodes(bool /*training*/) override {
    const int64_t embed = options().embed;
    const auto hidden = torch::relu(project(input(), w1_, b1_));
    auto walk = dense_layer(hidden, torch::cat({w_mean_, w_deviation_}, 1),
                            torch::cat({b_mean_, b_deviation_}));
    // (hops + 1, 2 embed): the coefficient of each column at each distance.
    const auto gamma = torch::cat({gamma_mean_.unsqueeze(1).expand({-1, embed}),
                                   gamma_deviation_.unsqueeze(1).expand({-1, embed})},
                                  1);
    auto sum = gamma[0] * walk;
    for (int64_t k = 1; k <= own_.hops; ++k) {
      walk = propagate(graph_.edges, graph_.weights, walk);
      sum = sum + gamma[k] * walk;
    }
    const auto halves = sum.chunk(2, 1);
    return {halves[0], halves[1]};
  }

 private:
  GprOptions own_;
  WeightedGraph graph_;
  torch::Tensor w1_, b1_, w_mean_, b_mean_, w_deviation_, b_deviation_;
  torch::Tensor gamma_mean_, gamma_deviation_;
};

class GprGnnFactory : public BaselineFactory {
 public:
  GprGnnFactory() : BaselineFactory("gpr-gnn") {}

  void add_options(OptionTable& table) override {
    options_.encoder.add_to(table);
    table.add({.name = "alpha",
               .help = "Start of the coefficients: 1 = the node alone, 0 = the farthest hop alone",
               .target = &options_.alpha,
               .least = 0,
               .most = 1});
    table.add({.name = "hops",
               .help = "Farthest neighbourhood",
               .target = &options_.hops,
               .least = 1,
               .most = 1000});
  }

  std::unique_ptr<LinkModel> make() const override { return std::make_unique<GprGnn>(options_); }

 private:
  GprOptions options_;
};

}  // namespace

std::unique_ptr<ModelFactory> new_gpr_gnn() { return new_factory<GprGnnFactory>(); }

}  // namespace disenlink::detail
