// LINKX. Lim, Hohne, Li, Huang, Gupta, Bhalerao and Lim, Large scale learning on non-homophilous
// graphs: new benchmarks and strong simple methods.
//
//   a  = A w_graph + b_graph      A[i, j] = links from i to j, sparse (N, N); (N, hidden)
//   f  = X w_features + b_features                     (N, hidden)
//   H  = relu([a | f] w + b + a + f)                   (N, hidden)
//   mu = H w_mean + b_mean, ls = H w_deviation + b_deviation; z = mu + noise exp(ls)
//
// Differs from the paper: one layer everywhere, no dropout, vectors instead of classes. Differs
// from the authors' code: both directions unless --message-graph one-direction; rows are not
// shifted when node 0 has no outgoing link. As there, no prior unless --kl.
#include <torch/torch.h>

#include "core/fail.h"
#include "models/baselines/embedding_model.h"
#include "models/baselines/learned.h"
#include "nn/edge_ops.h"
#include "nn/linear.h"

namespace disenlink::detail {
namespace {

struct LinkxOptions {
  EncoderOptions encoder{.hidden = 128};
  bool kl = false;
};

class Linkx : public EmbeddingModel {
 public:
  explicit Linkx(const LinkxOptions& options) : EmbeddingModel(options.encoder), kl_(options.kl) {}

 protected:
  void take_graph(const MessageGraph& graph) override {
    if (w_graph_.defined() && w_graph_.size(0) != graph.num_nodes()) {
      fail("LINKX has a weight for each of its {} training nodes and cannot take {} nodes",
           w_graph_.size(0), graph.num_nodes());
    }
    // Node i gathers the rows of w_graph of the nodes it links to.
    if (options().message_graph == "symmetric") {
      graph_ = DirectedGraph::symmetric(graph, false);
    } else {
      std::vector<NodePair> reversed;
      reversed.reserve(graph.arcs().size());
      for (const NodePair arc : graph.arcs()) {
        reversed.push_back({arc.target, arc.source});
      }
      graph_ = DirectedGraph(graph.num_nodes(), reversed);
    }
    ones_ = torch::ones({graph_.num_edges()});
  }

  void make_parameters(ParameterSet& parameters, Random& random) override {
    const int64_t hidden = options().hidden;
    const int64_t embed = options().embed;
    const auto layer = [&](const std::string& name, int64_t from, int64_t to, torch::Tensor& w,
                           torch::Tensor& b) {
      w = parameters.add("w_" + name, {from, to});
      b = parameters.add("b_" + name, {to});
      fill_linear(w, b, random);
    };
    layer("graph", num_nodes(), hidden, w_graph_, b_graph_);
    layer("features", input().columns(), hidden, w_features_, b_features_);
    layer("joined", 2 * hidden, hidden, w_joined_, b_joined_);
    layer("mean", hidden, embed, w_mean_, b_mean_);
    layer("deviation", hidden, embed, w_deviation_, b_deviation_);
  }

  NodeCode encode_nodes(bool /*training*/) override {
    const auto of_graph = propagate(graph_, ones_, w_graph_) + b_graph_;
    const auto of_features = project(input(), w_features_, b_features_);
    const auto joined = dense_layer(torch::cat({of_graph, of_features}, 1), w_joined_, b_joined_);
    const auto hidden = torch::relu(joined + of_graph + of_features);
    const auto both = dense_layer(hidden, torch::cat({w_mean_, w_deviation_}, 1),
                                  torch::cat({b_mean_, b_deviation_}));
    const auto halves = both.chunk(2, 1);
    return {halves[0], halves[1]};
  }

  bool has_prior() const override { return kl_; }

 private:
  bool kl_;
  DirectedGraph graph_;
  torch::Tensor ones_;
  torch::Tensor w_graph_, b_graph_, w_features_, b_features_, w_joined_, b_joined_;
  torch::Tensor w_mean_, b_mean_, w_deviation_, b_deviation_;
};

class LinkxFactory : public BaselineFactory {
 public:
  LinkxFactory() : BaselineFactory("linkx") {}

  void add_options(OptionTable& table) override {
    options_.encoder.add_to(table);
    table.add({.name = "kl",
               .help = "Draw the codes towards a standard normal, as VGAE does",
               .target = &options_.kl});
  }

  std::unique_ptr<LinkModel> make() const override { return std::make_unique<Linkx>(options_); }

 private:
  LinkxOptions options_;
};

}  // namespace

std::unique_ptr<ModelFactory> new_linkx() { return new_factory<LinkxFactory>(); }

}  // namespace disenlink::detail
