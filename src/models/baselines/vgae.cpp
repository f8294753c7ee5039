// VGAE. Kipf and Welling, Variational graph auto-encoders.
//
//   P  = D^-1/2 (A + I) D^-1/2                         (N, N) sparse
//   H  = relu(P X w1 + b1)                             (N, hidden)
//   mu = P H w_mean + b_mean, ls = P H w_deviation + b_deviation     (N, embed) each
//   z  = mu + noise exp(ls) in training, mu in scoring
//   loss = cross-entropy of z_u.z_v + KL(z | standard normal) / N
//
// Differs from the paper: sampled negatives instead of all N x N pairs; hidden 64 and embed 32
// instead of 32 and 16. Differs from the authors' code: messages go both ways unless
// --message-graph one-direction; cross-entropy on logits, whose gradient never dies.
#include "models/baselines/vgae.h"

#include <torch/torch.h>

#include "models/baselines/learned.h"
#include "nn/edge_ops.h"
#include "nn/linear.h"

namespace disenlink::detail {

void Vgae::make_parameters(ParameterSet& parameters, Random& random) {
  const int64_t hidden = options().hidden;
  const int64_t embed = options().embed;
  w1_ = parameters.add("w1", {input().columns(), hidden});
  b1_ = parameters.add("b1", {hidden});
  w_mean_ = parameters.add("w_mean", {hidden, embed});
  b_mean_ = parameters.add("b_mean", {embed});
  w_deviation_ = parameters.add("w_deviation", {hidden, embed});
  b_deviation_ = parameters.add("b_deviation", {embed});
  for (const torch::Tensor& weight : {w1_, w_mean_, w_deviation_}) {
    fill_glorot(weight, random);
  }
}

NodeCode Vgae::encode_nodes(bool /*training*/) {
  const auto hidden =
      torch::relu(propagate(graph_.edges, graph_.weights, project(input(), w1_)) + b1_);
  // Weights before messages: the narrower side is propagated, both halves at once.
  const auto both = propagate(graph_.edges, graph_.weights,
                              dense_layer(hidden, torch::cat({w_mean_, w_deviation_}, 1))) +
                    torch::cat({b_mean_, b_deviation_});
  const auto halves = both.chunk(2, 1);
  return {halves[0], halves[1]};
}

namespace {

class VgaeFactory : public BaselineFactory {
 public:
  VgaeFactory() : BaselineFactory("vgae") {}
  void add_options(OptionTable& table) override { options_.add_to(table); }
  std::unique_ptr<LinkModel> make() const override { return std::make_unique<Vgae>(options_); }

 private:
  EncoderOptions options_;
};

}  // namespace

std::unique_ptr<ModelFactory> new_vgae() { return new_factory<VgaeFactory>(); }

}  // namespace disenlink::detail
