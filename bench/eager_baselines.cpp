#include "eager_baselines.h"

namespace disenlink::bench {
namespace {

using torch::Tensor;
using Code = std::pair<Tensor, Tensor>;

Tensor ends(std::span<const NodePair> pairs, NodeId NodePair::*end) {
  std::vector<int64_t> nodes;
  nodes.reserve(pairs.size());
  for (const NodePair& pair : pairs) {
    nodes.push_back(pair.*end);
  }
  return torch::tensor(nodes);
}

Tensor logits(const Tensor& z, std::span<const NodePair> pairs) {
  return (z.index_select(0, ends(pairs, &NodePair::source)) *
          z.index_select(0, ends(pairs, &NodePair::target)))
      .sum(1);
}

Tensor sparse_features(const Features& features) {
  std::vector<int64_t> rows;
  std::vector<int64_t> columns;
  for (int64_t row = 0; row < features.num_rows(); ++row) {
    for (const int32_t column : features.sparse_row(row).columns) {
      rows.push_back(row);
      columns.push_back(column);
    }
  }
  const std::vector<float> values(features.values().begin(), features.values().end());
  return torch::sparse_coo_tensor(torch::stack({torch::tensor(rows), torch::tensor(columns)}),
                                  torch::tensor(values),
                                  {features.num_rows(), features.num_columns()})
      .coalesce();
}

class EagerVgae : public EagerBaseline {
 protected:
  Code encode() override {
    const auto hidden = torch::relu(propagate(torch::mm(x_, at("w1"))) + at("b1"));
    return {propagate(torch::mm(hidden, at("w_mean"))) + at("b_mean"),
            propagate(torch::mm(hidden, at("w_deviation"))) + at("b_deviation")};
  }
};

class EagerArgva : public EagerVgae {
 public:
  void learn(std::span<const NodePair> positives, std::span<const NodePair> negatives) override {
    const auto [mean, log_deviation] = encode();
    const auto z = draw(mean, log_deviation);
    for (int step = 0; step < kDiscriminatorSteps; ++step) {
      descend(torch::softplus(-discriminate(torch::randn_like(z))).mean() +
                  torch::softplus(discriminate(z.detach())).mean(),
              1);
    }
    descend(pair_loss(z, positives, negatives) + torch::softplus(-discriminate(z)).mean() +
            divergence(mean, log_deviation));
  }

 private:
  static constexpr int kDiscriminatorSteps = 3;

  Tensor discriminate(const Tensor& codes) const {
    auto values = codes;
    for (const std::string layer : {"1", "2"}) {
      values = torch::relu(
          torch::addmm(at("b_discriminator" + layer), values, at("w_discriminator" + layer)));
      values = torch::dropout(values, 0.5, true);
    }
    return torch::addmm(at("b_discriminator3"), values, at("w_discriminator3"));
  }
};

class EagerGprGnn : public EagerBaseline {
  Code encode() override {
    const auto hidden = torch::relu(torch::mm(x_, at("w1")) + at("b1"));
    return {walk(torch::mm(hidden, at("w_mean")) + at("b_mean"), at("gamma_mean")),
            walk(torch::mm(hidden, at("w_deviation")) + at("b_deviation"), at("gamma_deviation"))};
  }

  Tensor walk(Tensor values, const Tensor& gamma) const {
    auto sum = gamma[0] * values;
    for (int64_t k = 1; k < gamma.size(0); ++k) {
      values = propagate(values);
      sum = sum + gamma[k] * values;
    }
    return sum;
  }
};

class EagerFagcn : public EagerBaseline {
  Code encode() override {
    const auto raw = torch::relu(torch::mm(x_, at("w1")) + at("b1"));
    return {torch::mm(stack(raw, 0), at("w_mean")) + at("b_mean"),
            torch::mm(stack(raw, 1), at("w_deviation")) + at("b_deviation")};
  }

  Tensor stack(const Tensor& raw, int64_t number) const {
    auto h = raw;
    for (const std::string layer : {"1", "2"}) {
      const auto senders = h.index_select(0, sources_);
      const auto receivers = h.index_select(0, targets_);
      const auto gates = torch::tanh(torch::mv(receivers, at("target" + layer)[number]) +
                                     torch::mv(senders, at("source" + layer)[number]) +
                                     at("bias" + layer)[number]);
      h = (0.3 * raw).index_add(0, targets_, (gates * norms_).unsqueeze(1) * senders);
    }
    return h;
  }
};

class EagerLinkx : public EagerBaseline {
  Code encode() override {
    if (!a_.defined()) {
      a_ = torch::sparse_coo_tensor(torch::stack({targets_, sources_}),
                                    torch::ones({targets_.size(0)}), {nodes_, nodes_})
               .coalesce();
    }
    const auto of_graph = torch::mm(a_, at("w_graph")) + at("b_graph");
    const auto of_features = torch::mm(x_, at("w_features")) + at("b_features");
    const auto hidden =
        torch::relu(torch::mm(torch::cat({of_graph, of_features}, 1), at("w_joined")) +
                    at("b_joined") + of_graph + of_features);
    return {torch::mm(hidden, at("w_mean")) + at("b_mean"),
            torch::mm(hidden, at("w_deviation")) + at("b_deviation")};
  }
  bool has_prior() const override { return false; }

  Tensor a_;
};

class EagerGat : public EagerBaseline {
  Code encode() override {
    if (!from_.defined()) {
      const auto loops = torch::arange(nodes_);
      from_ = torch::cat({sources_, loops});
      to_ = torch::cat({targets_, loops});
    }
    const auto hidden = torch::relu(attend(torch::mm(x_, at("w_1")), "1"));
    return {attend(torch::mm(hidden, at("w_mean")), "mean"),
            attend(torch::mm(hidden, at("w_deviation")), "deviation")};
  }

  Tensor attend(const Tensor& g, const std::string& layer) const {
    const int64_t heads = at("source_" + layer).size(0);
    const auto vectors = g.view({nodes_, heads, -1});
    const auto scores =
        torch::leaky_relu((vectors * at("source_" + layer)).sum(2).index_select(0, from_) +
                              (vectors * at("target_" + layer)).sum(2).index_select(0, to_),
                          0.2);
    const auto places = to_.unsqueeze(1).expand({-1, heads});
    const auto largest =
        torch::full({nodes_, heads}, -1e30F).scatter_reduce(0, places, scores.detach(), "amax");
    const auto raised = (scores - largest.index_select(0, to_)).exp();
    const auto sums = torch::zeros({nodes_, heads}).index_add(0, to_, raised);
    const auto weights = raised / (sums.index_select(0, to_) + 1e-16);
    const auto messages = vectors.index_select(0, from_) * weights.unsqueeze(2);
    return torch::zeros_like(vectors).index_add(0, to_, messages).view({nodes_, -1}) +
           at("b_" + layer);
  }

  Tensor from_, to_;
};

class EagerDisenGcn : public EagerBaseline {
  Code encode() override {
    auto y = torch::leaky_relu(torch::mm(x_, at("w_in")) + at("b_in"), 0.01)
                 .view({nodes_, kChannels, -1});
    for (int layer = 0; layer < 5; ++layer) {
      const auto c = unit(y);
      const auto senders = c.index_select(0, sources_);
      auto u = c;
      for (int round = 0; round < 6; ++round) {
        const auto shares =
            torch::softmax((senders * u.index_select(0, targets_)).sum(2), 1).unsqueeze(2);
        u = unit(c.index_add(0, targets_, shares * senders));
      }
      y = torch::leaky_relu(u, 0.01);
    }
    return {torch::mm(y.reshape({nodes_, -1}), at("w_out")) + at("b_out"), {}};
  }

  static Tensor unit(const Tensor& vectors) {
    return vectors / vectors.norm(2, -1, true).clamp_min(1e-12);
  }

  static constexpr int64_t kChannels = 7;
};

class EagerFactorGnn : public EagerBaseline {
  Code encode() override {
    Tensor values;
    for (const std::string layer : {"1", "2", "3"}) {
      const auto shared =
          torch::mm(values.defined() ? values : x_, at("w" + layer)) + at("b" + layer);
      const auto senders = torch::mm(shared, at("w_sender" + layer)) + at("b_sender" + layer);
      const auto receivers = torch::mm(shared, at("w_receiver" + layer)) + at("b_receiver" + layer);
      const auto gates = torch::sigmoid(
          6 * (senders.index_select(0, sources_) + receivers.index_select(0, targets_)));
      const auto messages =
          gates.unsqueeze(2) *
          (shared / degrees_.sqrt().unsqueeze(1)).index_select(0, sources_).unsqueeze(1);
      const auto out = torch::zeros({nodes_, gates.size(1), shared.size(1)})
                           .index_add(0, targets_, messages)
                           .view({nodes_, -1});
      values =
          torch::leaky_relu(torch::batch_norm(out, at("norm_scale" + layer),
                                              at("norm_offset" + layer), at("norm_mean" + layer),
                                              at("norm_variance" + layer), false, 0.1, 1e-5, false),
                            0.2);
    }
    const auto half = torch::relu(torch::mm(torch::relu(values), at("w_half")) + at("b_half"));
    return {torch::mm(half, at("w_out")) + at("b_out"), {}};
  }
};

template <class Model>
std::unique_ptr<EagerBaseline> make_one() {
  return std::make_unique<Model>();
}

}  // namespace

std::unique_ptr<EagerBaseline> EagerBaseline::make(const std::string& name,
                                                   const MessageGraph& graph,
                                                   const Features& features,
                                                   TrainableModel& model) {
  using Maker = std::unique_ptr<EagerBaseline> (*)();
  static const std::map<std::string, Maker> makers = {{"seal", make_eager_seal},
                                                      {"vgae", make_one<EagerVgae>},
                                                      {"argva", make_one<EagerArgva>},
                                                      {"gpr-gnn", make_one<EagerGprGnn>},
                                                      {"fagcn", make_one<EagerFagcn>},
                                                      {"linkx", make_one<EagerLinkx>},
                                                      {"gat", make_one<EagerGat>},
                                                      {"disengcn", make_one<EagerDisenGcn>},
                                                      {"factorgnn", make_one<EagerFactorGnn>}};
  std::unique_ptr<EagerBaseline> eager = makers.at(name)();
  eager->take(graph, features, model);
  return eager;
}

void EagerBaseline::take(const MessageGraph& graph, const Features& features,
                         TrainableModel& model) {
  graph_ = &graph;
  nodes_ = graph.num_nodes();
  x_ = sparse_features(features);
  std::vector<NodePair> both;
  for (const NodePair pair : graph.pairs()) {
    both.push_back(pair);
    both.push_back({pair.target, pair.source});
  }
  sources_ = ends(both, &NodePair::source);
  targets_ = ends(both, &NodePair::target);
  const auto counts =
      torch::zeros({nodes_}).index_add(0, targets_, torch::ones({targets_.size(0)}));
  degrees_ = counts.clamp_min(1);
  norms_ = (degrees_.index_select(0, sources_) * degrees_.index_select(0, targets_)).rsqrt();
  const auto with_loops = counts + 1;
  const auto loops = torch::arange(nodes_);
  const auto from = torch::cat({sources_, loops});
  const auto to = torch::cat({targets_, loops});
  p_ = torch::sparse_coo_tensor(
           torch::stack({to, from}),
           (with_loops.index_select(0, from) * with_loops.index_select(0, to)).rsqrt(),
           {nodes_, nodes_})
           .coalesce();
  std::map<int64_t, std::vector<Tensor>> trained;  // by group
  for (const Parameter& parameter : model.parameters()) {
    Tensor tensor = torch::from_blob(parameter.values.data(), parameter.shape).clone();
    if (!parameter.gradients.empty()) {
      tensor.requires_grad_(true);
      trained[parameter.group].push_back(tensor);
    }
    parameters_[parameter.name] = tensor;
  }
  for (const auto& [group, tensors] : trained) {
    adams_.push_back(std::make_unique<torch::optim::Adam>(
        tensors, torch::optim::AdamOptions(0.005 * model.rate_of_group(group))));
  }
}

Tensor EagerBaseline::pair_loss(const Tensor& z, std::span<const NodePair> positives,
                                std::span<const NodePair> negatives) const {
  return torch::softplus(-logits(z, positives)).mean() +
         torch::softplus(logits(z, negatives)).mean();
}

Tensor EagerBaseline::draw(const Tensor& mean, const Tensor& log_deviation) {
  return log_deviation.defined()
             ? mean + torch::randn_like(mean) * log_deviation.clamp_max(10).exp()
             : mean;
}

Tensor EagerBaseline::divergence(const Tensor& mean, const Tensor& log_deviation) const {
  const auto terms = 1 + 2 * log_deviation - mean.square() - (2 * log_deviation).exp();
  return -0.5 * terms.sum(1).mean() / nodes_;
}

void EagerBaseline::descend(const Tensor& loss, int64_t group) {
  adams_[group]->zero_grad();
  loss.backward();
  adams_[group]->step();
}

void EagerBaseline::learn(std::span<const NodePair> positives,
                          std::span<const NodePair> negatives) {
  const auto [mean, log_deviation] = encode();
  auto loss = pair_loss(draw(mean, log_deviation), positives, negatives);
  if (log_deviation.defined() && has_prior()) {
    loss = loss + divergence(mean, log_deviation);
  }
  descend(loss);
}

Tensor EagerBaseline::score(std::span<const NodePair> pairs) {
  return logits(encode().first, pairs);
}

}  // namespace disenlink::bench
