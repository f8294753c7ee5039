// FAGCN. Bo, Wang, Shi and Shen, Beyond low-frequency information in graph convolutional networks.
//
//   R = relu(X w1 + b1)                                (N, hidden)
//   layer: g[j -> i] = tanh(a_target.h[i] + a_source.h[j] + c)
//     h'[i] = eps R[i] + sum over j of g / sqrt(deg i deg j) h[j]
//   two stacks of layers, one for mu and one for ls, then a linear layer each
//
// Differs from the paper: no dropout, two outputs instead of classes. Differs from the authors'
// code: each layer reads the one before it, where theirs all read R, so that only the last one
// counts; --stacking authors brings that back.
#include <torch/torch.h>

#include <cmath>

#include "models/baselines/embedding_model.h"
#include "models/baselines/learned.h"
#include "nn/edge_ops.h"
#include "nn/linear.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kStacks = 2;  // mean and deviation

struct FagcnOptions {
  EncoderOptions encoder{.hidden = 256};
  int64_t layers = 2;
  double own_share = 0.3;
  std::string stacking = "chained";
};

// Xavier's normal with the gain of the original.
void fill_xavier(const torch::Tensor& weight, int64_t from, int64_t to, Random& random) {
  fill_normal(weight, 1.414 * std::sqrt(2.0 / static_cast<double>(from + to)), random);
}

class Fagcn : public EmbeddingModel {
 public:
  explicit Fagcn(const FagcnOptions& options) : EmbeddingModel(options.encoder), own_(options) {}

 protected:
  void take_graph(const MessageGraph& graph) override {
    graph_ = weighted(graph, false);
    graph_.weights = graph_.weights.unsqueeze(1);
  }

  void make_parameters(ParameterSet& parameters, Random& random) override {
    const int64_t hidden = options().hidden;
    const int64_t embed = options().embed;
    w1_ = parameters.add("w1", {input().columns(), hidden});
    b1_ = parameters.add("b1", {hidden});
    fill_linear(w1_, b1_, random);
    gates_.clear();
    for (int64_t layer = 0; layer < own_.layers; ++layer) {
      const std::string name = std::to_string(layer + 1);
      Gate gate{parameters.add("target" + name, {kStacks, hidden}),
                parameters.add("source" + name, {kStacks, hidden}),
                parameters.add("bias" + name, {kStacks})};
      fill_xavier(gate.target, 2 * hidden, 1, random);
      fill_xavier(gate.source, 2 * hidden, 1, random);
      fill_uniform(gate.bias, 1 / std::sqrt(static_cast<double>(2 * hidden)), random);
      gates_.push_back(std::move(gate));
    }
    w_mean_ = parameters.add("w_mean", {hidden, embed});
    b_mean_ = parameters.add("b_mean", {embed});
    w_deviation_ = parameters.add("w_deviation", {hidden, embed});
    b_deviation_ = parameters.add("b_deviation", {embed});
    const double range = 1 / std::sqrt(static_cast<double>(hidden));
    for (auto [w, b] : {std::pair(w_mean_, b_mean_), std::pair(w_deviation_, b_deviation_)}) {
      fill_xavier(w, hidden, embed, random);
      fill_uniform(b, range, random);
    }
  }

  NodeCode encode_nodes(bool /*training*/) override {
    const auto raw = project(input(), w1_, b1_).relu_().unsqueeze(1);  // (N, 1, hidden)
    auto h = raw;
    for (const Gate& gate : gates_) {
      h = filter(own_.stacking == "chained" ? h : raw, raw, gate);
    }
    return {dense_layer(h.select(1, 0), w_mean_, b_mean_),
            dense_layer(h.select(1, 1), w_deviation_, b_deviation_)};
  }

 private:
  struct Gate {
    torch::Tensor target, source;  // (stacks, hidden)
    torch::Tensor bias;            // (stacks)
  };

  // h: (N, 1 or stacks, hidden); one for both stacks where they have not parted yet.
  torch::Tensor filter(const torch::Tensor& h, const torch::Tensor& raw, const Gate& gate) const {
    const auto targets = scores(h, gate.target) + gate.bias;
    const auto gates = edge_sums(graph_.edges, scores(h, gate.source), targets).tanh_();
    return aggregate(graph_.edges, gates * graph_.weights, h).add_(raw, own_.own_share);
  }

  // (N, stacks): each stack's vectors along its own row of a.
  static torch::Tensor scores(const torch::Tensor& h, const torch::Tensor& a) {
    if (h.size(1) == 1) {
      return dense_layer(h.squeeze(1), a.t());
    }
    return torch::cat({dense_layer(h.select(1, 0), a[0].unsqueeze(1)),
                       dense_layer(h.select(1, 1), a[1].unsqueeze(1))},
                      1);
  }

  FagcnOptions own_;
  WeightedGraph graph_;
  torch::Tensor w1_, b1_, w_mean_, b_mean_, w_deviation_, b_deviation_;
  std::vector<Gate> gates_;
};

class FagcnFactory : public BaselineFactory {
 public:
  FagcnFactory() : BaselineFactory("fagcn") {}

  void add_options(OptionTable& table) override {
    options_.encoder.add_to(table);
    table.add({.name = "layers",
               .help = "Rounds of messages",
               .target = &options_.layers,
               .least = 1,
               .most = 100});
    table.add({.name = "own-share",
               .help = "Share of a node's own first vector in every layer",
               .target = &options_.own_share,
               .least = 0,
               .most = 1});
    table.add({.name = "stacking",
               .help = "Layers read the one before, or all the first vector as in authors' code",
               .target = &options_.stacking,
               .allowed = {"chained", "authors"}});
  }

  std::unique_ptr<LinkModel> make() const override { return std::make_unique<Fagcn>(options_); }

 protected:
  ModelOptions published_options() const override {
    return {{"stacking", "authors"}, {"patience", "300"}, {"message-graph", "symmetric"}};
  }

 private:
  FagcnOptions options_;
};

}  // namespace

std::unique_ptr<ModelFactory> new_fagcn() { return new_factory<FagcnFactory>(); }

}  // namespace disenlink::detail
