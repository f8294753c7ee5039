// DisenGCN. Ma, Cui, Kuang, Wang and Zhu, Disentangled graph convolutional networks.
//
//   Y = leaky_relu_0.01(X w + b)                       (N, channels, width)
//   layer, without parameters: c = Y / |Y| for each channel, u = c; some times:
//     p[s -> t, k] = softmax over k of (c[s, k].u[t, k] / temperature)
//     u[t, k] = normalise(c[t, k] + sum over s of p c[s, k])
//   Y = leaky_relu_0.01(u); after the last layer z = Y w_out + b_out          (N, embed)
//
// Differs from the paper: one projection at the input instead of one a layer, no dropout. Differs
// from the authors' code: messages go both ways unless --message-graph one-direction. --routing
// reference is the public code of the method: uniform first weights, the last round not normalised,
// ReLU.
#include <torch/torch.h>

#include <cmath>

#include "models/baselines/embedding_model.h"
#include "models/baselines/learned.h"
#include "nn/edge_ops.h"
#include "nn/linear.h"

namespace disenlink::detail {
namespace {

constexpr double kSlope = 0.01;
constexpr double kLeastLength = 1e-12;

struct DisenGcnOptions {
  EncoderOptions encoder{.hidden = 32};
  int64_t channels = 7;
  int64_t layers = 5;
  int64_t rounds = 6;
  double temperature = 1;
  std::string routing = "authors";
};

class DisenGcn : public EmbeddingModel {
 public:
  explicit DisenGcn(const DisenGcnOptions& options)
      : EmbeddingModel(options.encoder), own_(options) {}

 protected:
  void take_graph(const MessageGraph& graph) override { graph_ = directed(graph, false); }

  void make_parameters(ParameterSet& parameters, Random& random) override {
    const int64_t row = own_.channels * options().hidden;
    w_in_ = parameters.add("w_in", {input().columns(), row});
    b_in_ = parameters.add("b_in", {row});
    // By the output's width, as the authors' code does.
    fill_uniform(w_in_, 1 / std::sqrt(static_cast<double>(row)), random);
    fill_uniform(b_in_, 1 / std::sqrt(static_cast<double>(row)), random);
    w_out_ = parameters.add("w_out", {row, options().embed});
    b_out_ = parameters.add("b_out", {options().embed});
    fill_linear(w_out_, b_out_, random);
  }

  NodeCode encode_nodes(bool /*training*/) override {
    auto y = activate(project(input(), w_in_, b_in_))
                 .view({num_nodes(), own_.channels, options().hidden});
    for (int64_t layer = 0; layer < own_.layers; ++layer) {
      y = activate(route_rounds(y));
    }
    return {dense_layer(y.reshape({num_nodes(), -1}), w_out_, b_out_), {}};
  }

 private:
  bool is_reference() const { return own_.routing == "reference"; }

  // In place.
  torch::Tensor activate(torch::Tensor values) const {
    return is_reference() ? values.relu_() : torch::leaky_relu_(values, kSlope);
  }

  static torch::Tensor normalise(const torch::Tensor& vectors) {
    return vectors / vectors.norm(2, -1, true).clamp_min(kLeastLength);
  }

  torch::Tensor route_rounds(const torch::Tensor& y) const {
    const auto c = normalise(y);
    if (!is_reference()) {
      return route(graph_, c, c, own_.rounds, own_.temperature);
    }
    // Its uniform first shares are what comparing with nothing gives.
    const auto u = route(graph_, c, torch::zeros_like(c), own_.rounds - 1, own_.temperature);
    const auto shares = torch::softmax(edge_dots(graph_, c, u) / own_.temperature, 1);
    return c + aggregate(graph_, shares, c);
  }

  DisenGcnOptions own_;
  DirectedGraph graph_;
  torch::Tensor w_in_, b_in_, w_out_, b_out_;
};

class DisenGcnFactory : public BaselineFactory {
 public:
  DisenGcnFactory() : BaselineFactory("disengcn") {}

  void add_options(OptionTable& table) override {
    options_.encoder.add_to(table);
    table.add({.name = "channels",
               .help = "Channels, each --hidden wide",
               .target = &options_.channels,
               .least = 1,
               .most = 1024});
    table.add({.name = "layers",
               .help = "Routing layers",
               .target = &options_.layers,
               .least = 1,
               .most = 100});
    table.add({.name = "rounds",
               .help = "Rounds of routing in each layer",
               .target = &options_.rounds,
               .least = 1,
               .most = 100});
    table.add({.name = "temperature",
               .help = "Divides agreements; smaller = more selective",
               .target = &options_.temperature,
               .least = 1e-6,
               .most = 1e6});
    table.add({.name = "routing",
               .help = "Routing of the authors' code of DisenLink, or of the method's public code",
               .target = &options_.routing,
               .allowed = {"authors", "reference"}});
  }

  std::unique_ptr<LinkModel> make() const override { return std::make_unique<DisenGcn>(options_); }

 private:
  DisenGcnOptions options_;
};

}  // namespace

std::unique_ptr<ModelFactory> new_disengcn() { return new_factory<DisenGcnFactory>(); }

}  // namespace disenlink::detail
