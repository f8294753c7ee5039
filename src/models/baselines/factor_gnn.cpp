// FactorGNN (FactorGCN). Yang, Feng, Song and Wang, Factorizable graph convolutional networks.
//
//   layer with K factors: B = X w + b                  (N, hidden / K), shared by the factors
//     f[j -> i, k] = sigma(6 (l[k].B[j] + lc[k] + r[k].B[i] + rc[k]))
//     out[i, k] = sum over j of f B[j] / sqrt(deg j)   (N, K, hidden / K)
//   three layers, each followed by batch normalisation and leaky_relu_0.2; then ReLU,
//   hidden -> hidden / 2, ReLU, -> embed = z
//
//   with --discriminator WEIGHT each layer also reads its K factor graphs, edges weighted by f[.,
//   k], with two graph convolutions, and names them:
//     G[k] = tanh(mean over nodes of conv_k(tanh(conv_k(B))))                     (K, hidden / K)
//     loss += WEIGHT cross-entropy of (G w_name + b_name)[k] and k, summed over layers
//
// Differs from the paper: the discriminator is off unless asked for, because it has K examples a
// layer here, where the paper has as many as graphs. Differs from the authors' code: parts without
// effect (an embedding table, a spare normalisation, discriminators that are never used) are not
// made; scores use the running means.
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
  double discriminator = 0;
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
    NodeCode code;
    torch::Tensor values;
    for (const Layer& layer : layers_) {
      const auto shared = values.defined() ? dense_layer(values, layer.w, layer.b)
                                           : project(input(), layer.w, layer.b);
      const auto gates = gates_of(shared, layer);
      const auto normalised =
          torch::batch_norm(disentangle(shared, gates), layer.scale, layer.offset, layer.mean,
                            layer.variance, training, kMomentum, kEpsilon, false);
      values = torch::leaky_relu(normalised, kSlope);
      if (training && own_.discriminator > 0) {
        const auto loss = own_.discriminator * naming_loss(shared, gates, layer.discriminator);
        code.penalty = code.penalty.defined() ? code.penalty + loss : loss;
      }
    }
    const auto half = torch::relu(dense_layer(torch::relu(values), w_half_, b_half_));
    code.mean = dense_layer(half, w_out_, b_out_);
    return code;
  }

  bool differs_in_training() const override { return true; }

 private:
  // Reads the factor graphs of a layer; undefined where there is none.
  struct Discriminator {
    torch::Tensor w_read, b_read;  // (width, width / 2), (width / 2)
    torch::Tensor w_join, b_join;  // (width / 2, width), (width)
    torch::Tensor w_name, b_name;  // (width, factors), (factors)
  };

  struct Layer {
    torch::Tensor w, b;                    // (from, width), (width)
    torch::Tensor w_sender, b_sender;      // (width, factors), (factors)
    torch::Tensor w_receiver, b_receiver;  // the same
    torch::Tensor scale, offset;           // (hidden) of the batch normalisation
    torch::Tensor mean, variance;          // (hidden) running
    Discriminator discriminator = {};
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
    if (own_.discriminator > 0) {
      layer.discriminator = make_discriminator(parameters, name, factors, random);
    }
    return layer;
  }

  Discriminator make_discriminator(ParameterSet& parameters, const std::string& name,
                                   int64_t factors, Random& random) const {
    const int64_t width = options().hidden / factors;
    const int64_t half = std::max<int64_t>(1, width / 2);
    Discriminator result{parameters.add("w_read" + name, {width, half}),
                         parameters.add("b_read" + name, {half}),
                         parameters.add("w_join" + name, {half, width}),
                         parameters.add("b_join" + name, {width}),
                         parameters.add("w_name" + name, {width, factors}),
                         parameters.add("b_name" + name, {factors})};
    fill_linear(result.w_read, result.b_read, random);
    fill_linear(result.w_join, result.b_join, random);
    fill_linear(result.w_name, result.b_name, random);
    return result;
  }

  // (edges, factors)
  torch::Tensor gates_of(const torch::Tensor& shared, const Layer& layer) const {
    return torch::sigmoid(kSharpness *
                          edge_sums(graph_, dense_layer(shared, layer.w_sender, layer.b_sender),
                                    dense_layer(shared, layer.w_receiver, layer.b_receiver)));
  }

  // shared: (N, width) -> (N, factors * width)
  torch::Tensor disentangle(const torch::Tensor& shared, const torch::Tensor& gates) const {
    return aggregate(graph_, gates, (shared * sender_scales_).unsqueeze(1))
        .reshape({shared.size(0), -1});
  }

  // How badly the factors of a layer are told apart.
  torch::Tensor naming_loss(const torch::Tensor& shared, const torch::Tensor& gates,
                            const Discriminator& reader) const {
    const int64_t factors = gates.size(1);
    const auto read = torch::tanh(
        aggregate(graph_, gates, dense_layer(shared * sender_scales_, reader.w_read).unsqueeze(1)) +
        reader.b_read);
    const auto messages =
        dense_layer((read * sender_scales_.unsqueeze(2)).flatten(0, 1), reader.w_join);
    const auto joined =
        aggregate(graph_, gates, messages.view({shared.size(0), factors, -1})) + reader.b_join;
    const auto names = dense_layer(torch::tanh(joined.mean(0)), reader.w_name, reader.b_name);
    return torch::nn::functional::cross_entropy(names, torch::arange(factors));
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
    table.add({.name = "discriminator",
               .help = "Weight of a loss that asks for factors that can be told apart; 0 = none",
               .target = &options_.discriminator,
               .least = 0,
               .most = 1e6});
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
