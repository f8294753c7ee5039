// FactorGNN (FactorGCN). Yang, Feng, Song and Wang, Factorizable graph convolutional networks.
//
//   layer with K factors: B = X w + b                  (N, hidden / K), shared by the factors
//     f[j -> i, k] = sigma(6 (l[k].B[j] + lc[k] + r[k].B[i] + rc[k]))
//     out[i, k] = sum over j of f B[j] / sqrt(deg j)   (N, K, hidden / K)
//   three layers, each followed by batch normalisation and leaky_relu_0.2; then ReLU,
//   hidden -> hidden / 2, ReLU, -> embed = z
//
// Differs from the paper: no discriminator that names the factor of a factor graph, which needs
// many graphs. Differs from the authors' code: parts without effect (an embedding table, a spare
// normalisation, discriminators that are never used) are not made; scores use the running means.
#include <torch/torch.h>

#include <cmath>

#include "core/fail.h"
#include "models/baselines/embedding_model.h"
#include "models/baselines/learned.h"
#include "nn/edge_ops.h"
#include "nn/linear.h"

namespace disenlink::detail {
namespace {

constexpr double kSlope = 0.2;
constexpr double kSharpness = 6;
constexpr double kMomentum = 0.1;
constexpr double kEpsilon = 1e-5;

struct FactorGnnOptions {
  EncoderOptions encoder{.hidden = 128};
  int64_t first_factors = 8;
  int64_t factors = 4;
  int64_t layers = 3;
};

class FactorGnn : public EmbeddingModel {
 public:
  explicit FactorGnn(const FactorGnnOptions& options)
      : EmbeddingModel(options.encoder), own_(options) {
    for (const int64_t factors : {own_.first_factors, own_.factors}) {
      if (own_.encoder.hidden % factors != 0) {
        fail_usage("hidden: {} given, expected a multiple of the {} factors", own_.encoder.hidden,
                   factors);
      }
    }
  }

 protected:
  void take_graph(const MessageGraph& graph) override {
    graph_ = directed(graph, false);
    std::vector<float> scales(graph_.num_nodes());
    for (int64_t node = 0; node < graph_.num_nodes(); ++node) {
      const auto degree = static_cast<double>(std::max<int64_t>(1, graph_.in_degree(node)));
      scales[node] = static_cast<float>(1 / std::sqrt(degree));
    }
    sender_scales_ = torch::tensor(scales).unsqueeze(1);
  }

  void make_parameters(ParameterSet& parameters, Random& random) override {
    const int64_t hidden = options().hidden;
    layers_.clear();
    for (int64_t i = 0; i < own_.layers; ++i) {
      const int64_t factors = i == 0 ? own_.first_factors : own_.factors;
      layers_.push_back(make_layer(parameters, std::to_string(i + 1),
                                   i == 0 ? input().columns() : hidden, factors, random));
    }
    w_half_ = parameters.add("w_half", {hidden, hidden / 2});
    b_half_ = parameters.add("b_half", {hidden / 2});
    w_out_ = parameters.add("w_out", {hidden / 2, options().embed});
    b_out_ = parameters.add("b_out", {options().embed});
    fill_linear(w_half_, b_half_, random);
    fill_linear(w_out_, b_out_, random);
  }

  NodeCode encode_nodes(bool training) override {
    torch::Tensor values;
    for (const Layer& layer : layers_) {
      const auto shared = values.defined() ? dense_layer(values, layer.w, layer.b)
                                           : project(input(), layer.w, layer.b);
      const auto normalised =
          torch::batch_norm(disentangle(shared, layer), layer.scale, layer.offset, layer.mean,
                            layer.variance, training, kMomentum, kEpsilon, false);
      values = torch::leaky_relu(normalised, kSlope);
    }
    const auto half = torch::relu(dense_layer(torch::relu(values), w_half_, b_half_));
    return {dense_layer(half, w_out_, b_out_), {}};
  }

  bool differs_in_training() const override { return true; }

 private:
  struct Layer {
    torch::Tensor w, b;                    // (from, width), (width)
    torch::Tensor w_sender, b_sender;      // (width, factors), (factors)
    torch::Tensor w_receiver, b_receiver;  // the same
    torch::Tensor scale, offset;           // (hidden) of the batch normalisation
    torch::Tensor mean, variance;          // (hidden) running
  };

  Layer make_layer(ParameterSet& parameters, const std::string& name, int64_t from, int64_t factors,
                   Random& random) const {
    const int64_t hidden = options().hidden;
    const int64_t width = hidden / factors;
    Layer layer{parameters.add("w" + name, {from, width}),
                parameters.add("b" + name, {width}),
                parameters.add("w_sender" + name, {width, factors}),
                parameters.add("b_sender" + name, {factors}),
                parameters.add("w_receiver" + name, {width, factors}),
                parameters.add("b_receiver" + name, {factors}),
                parameters.add("norm_scale" + name, {hidden}),
                parameters.add("norm_offset" + name, {hidden}),
                parameters.add_kept("norm_mean" + name, {hidden}, 0),
                parameters.add_kept("norm_variance" + name, {hidden}, 1)};
    fill_linear(layer.w, layer.b, random);
    fill_linear(layer.w_sender, layer.b_sender, random);
    fill_linear(layer.w_receiver, layer.b_receiver, random);
    const torch::NoGradGuard no_gradient;
    layer.scale.fill_(1);
    return layer;
  }

  // shared: (N, width) -> (N, factors * width)
  torch::Tensor disentangle(const torch::Tensor& shared, const Layer& layer) const {
    const auto gates = torch::sigmoid(
        kSharpness * edge_sums(graph_, dense_layer(shared, layer.w_sender, layer.b_sender),
                               dense_layer(shared, layer.w_receiver, layer.b_receiver)));
    return aggregate(graph_, gates, (shared * sender_scales_).unsqueeze(1))
        .reshape({shared.size(0), -1});
  }

  FactorGnnOptions own_;
  DirectedGraph graph_;
  torch::Tensor sender_scales_;  // (N, 1)
  std::vector<Layer> layers_;
  torch::Tensor w_half_, b_half_, w_out_, b_out_;
};

class FactorGnnFactory : public BaselineFactory {
 public:
  FactorGnnFactory() : BaselineFactory("factorgnn") {}

  void add_options(OptionTable& table) override {
    options_.encoder.add_to(table);
    table.add({.name = "first-factors",
               .help = "Factors of the first layer; they share --hidden",
               .target = &options_.first_factors,
               .least = 1,
               .most = 1024});
    table.add({.name = "factors",
               .help = "Factors of the other layers",
               .target = &options_.factors,
               .least = 1,
               .most = 1024});
    table.add({.name = "layers",
               .help = "Layers that divide links among factors",
               .target = &options_.layers,
               .least = 1,
               .most = 100});
  }

  std::unique_ptr<LinkModel> make() const override { return std::make_unique<FactorGnn>(options_); }

 protected:
  ModelOptions published_options() const override {
    return {{"epochs", "1000"}, {"patience", "1000"}, {"message-graph", "symmetric"}};
  }

 private:
  FactorGnnOptions options_;
};

}  // namespace

std::unique_ptr<ModelFactory> new_factor_gnn() { return new_factory<FactorGnnFactory>(); }

}  // namespace disenlink::detail
