// GAT. Velickovic, Cucurull, Casanova, Romero, Lio and Bengio, Graph attention networks.
//
//   layer: G = X w                                     (N, heads, width)
//     l[j -> i, h] = leaky_relu_0.2(a_source[h].G[j, h] + a_target[h].G[i, h])
//     out[i, h] = sum over j of softmax_j(l)[h] G[j, h] + b[h], each node is its own neighbour too
//   H1 = relu(layer(X, heads x hidden)); mu and ls: a layer each, heads x embed
//   heads are put side by side (z is heads x embed wide) or averaged (--output mean)
//
// Differs from the paper: no dropout, ReLU instead of ELU, five heads. Differs from the authors'
// code: messages go both ways unless --message-graph one-direction.
#include <torch/torch.h>

#include <cmath>

#include "models/baselines/embedding_model.h"
#include "models/baselines/learned.h"
#include "nn/edge_ops.h"
#include "nn/linear.h"

namespace disenlink::detail {
namespace {

constexpr double kSlope = 0.2;

struct GatOptions {
  EncoderOptions encoder{.hidden = 256};
  int64_t heads = 5;
  std::string output = "concat";
};

// Attention of some heads; their vectors come in from outside.
struct AttentionLayer {
  torch::Tensor w;                   // (in, heads * width)
  torch::Tensor a_source, a_target;  // (heads, width)
  torch::Tensor b;                   // (heads * width)

  AttentionLayer() = default;
  AttentionLayer(ParameterSet& parameters, const std::string& name, int64_t from, int64_t heads,
                 int64_t width, Random& random)
      : w(parameters.add("w_" + name, {from, heads * width})),
        a_source(parameters.add("source_" + name, {heads, width})),
        a_target(parameters.add("target_" + name, {heads, width})),
        b(parameters.add("b_" + name, {heads * width})) {
    fill_glorot(w, random);
    fill_glorot(a_source, random);
    fill_glorot(a_target, random);
  }
};

// (heads, width) -> (heads * width, heads), so that one product takes all heads' scores.
torch::Tensor block_diagonal(const torch::Tensor& a) {
  const int64_t heads = a.size(0);
  return (torch::eye(heads).unsqueeze(1) * a.unsqueeze(2)).reshape({-1, heads});
}

// g: (N, heads * width), the result (N, heads, width). Values that nothing else needs change in
// place.
torch::Tensor attend(const DirectedGraph& graph, const torch::Tensor& g,
                     const torch::Tensor& a_source, const torch::Tensor& a_target,
                     const torch::Tensor& b) {
  const int64_t heads = a_source.size(0);
  const auto scores =
      dense_layer(g, torch::cat({block_diagonal(a_source), block_diagonal(a_target)}, 1));
  auto logits = edge_sums(graph, scores.slice(1, 0, heads), scores.slice(1, heads));
  torch::leaky_relu_(logits, kSlope);
  return aggregate(graph, edge_softmax(graph, logits), g.view({g.size(0), heads, -1}))
      .add_(b.view({heads, -1}));
}

class Gat : public EmbeddingModel {
 public:
  explicit Gat(const GatOptions& options) : EmbeddingModel(options.encoder), own_(options) {}

 protected:
  void take_graph(const MessageGraph& graph) override { graph_ = directed(graph, true); }

  void make_parameters(ParameterSet& parameters, Random& random) override {
    const int64_t hidden = own_.heads * options().hidden;
    first_ = {parameters, "1", input().columns(), own_.heads, options().hidden, random};
    mean_ = {parameters, "mean", hidden, own_.heads, options().embed, random};
    deviation_ = {parameters, "deviation", hidden, own_.heads, options().embed, random};
  }

  NodeCode encode_nodes(bool /*training*/) override {
    const auto hidden =
        attend(graph_, project(input(), first_.w), first_.a_source, first_.a_target, first_.b)
            .relu_()
            .reshape({num_nodes(), -1});
    // Both output layers at once: twice the heads.
    const auto both = attend(graph_, dense_layer(hidden, torch::cat({mean_.w, deviation_.w}, 1)),
                             torch::cat({mean_.a_source, deviation_.a_source}),
                             torch::cat({mean_.a_target, deviation_.a_target}),
                             torch::cat({mean_.b, deviation_.b}))
                          .reshape({num_nodes(), -1});
    const auto halves = both.chunk(2, 1);
    return {join_heads(halves[0]), join_heads(halves[1])};
  }

 private:
  torch::Tensor join_heads(const torch::Tensor& values) const {
    return own_.output == "concat" ? values
                                   : values.reshape({values.size(0), own_.heads, -1}).mean(1);
  }

  GatOptions own_;
  DirectedGraph graph_;
  AttentionLayer first_, mean_, deviation_;
};

class GatFactory : public BaselineFactory {
 public:
  GatFactory() : BaselineFactory("gat") {}

  void add_options(OptionTable& table) override {
    options_.encoder.add_to(table);
    table.add({.name = "heads",
               .help = "Attention heads of each layer",
               .target = &options_.heads,
               .least = 1,
               .most = 1024});
    table.add({.name = "output",
               .help = "Heads of the last layer side by side, or their mean",
               .target = &options_.output,
               .allowed = {"concat", "mean"}});
  }

  std::unique_ptr<LinkModel> make() const override { return std::make_unique<Gat>(options_); }

 private:
  GatOptions options_;
};

}  // namespace

std::unique_ptr<ModelFactory> new_gat() { return new_factory<GatFactory>(); }

}  // namespace disenlink::detail
