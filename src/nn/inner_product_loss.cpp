#include "nn/inner_product_loss.h"

#include <torch/csrc/autograd/custom_function.h>

#include <numeric>

#include "kernels/factor_kernels.h"

namespace disenlink::detail {
namespace {

using torch::Tensor;

// A plain inner product is DisenLink's score with one factor and no weights.
constexpr FactorForm kPlain = {.weighted_score = false};

// The loss and its gradient are found together; this hands the gradient on.
struct KnownGradient : torch::autograd::Function<KnownGradient> {
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& /*z*/, double loss,
                        const Tensor& gradient) {
    context->save_for_backward({gradient});
    return torch::scalar_tensor(loss);
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list gradients) {
    return {context->get_saved_variables()[0] * gradients[0], Tensor(), Tensor()};
  }
};

}  // namespace

InnerProductLoss::InnerProductLoss(PairLoss form) : form_(form), no_edges_(no_graph_) {}

double InnerProductLoss::add_part(const FactorShape& shape, const float* z, float* gradient,
                                  PairBatch batch) {
  coefficients_.resize(batch.most_in_strip * PairResults<float>::coefficients_per_pair(shape));
  node_loss_.resize(shape.nodes);
  clipped_.resize(shape.nodes);
  // The kernel only reads h; its type serves the message passing that fills it.
  const Messages<float> messages{nullptr, nullptr, const_cast<float*>(z)};
  factor_kernels<float>().pair_loss(
      no_edges_, shape, kPlain, z, {nullptr, nullptr}, messages, batch,
      {coefficients_.data(), nullptr, node_loss_.data(), clipped_.data()},
      {nullptr, gradient, nullptr, nullptr});
  return std::accumulate(node_loss_.begin(), node_loss_.end(), 0.0);
}

Tensor InnerProductLoss::loss(const Tensor& z, std::span<const NodePair> positives,
                              std::span<const NodePair> negatives) {
  const Tensor vectors = z.detach().contiguous();
  const FactorShape shape{z.size(0), 1, z.size(1)};
  Tensor gradient = torch::zeros_like(vectors);
  double loss = 0;
  for_each_part(positives, negatives, [&](auto some_positives, auto some_negatives) {
    pairs_.assign({shape.nodes, shape.width * static_cast<int64_t>(sizeof(float))}, some_positives,
                  some_negatives, nullptr);
    PairBatch batch = pairs_.batch();
    batch.loss = form_;
    batch.link_weight = 1 / static_cast<double>(positives.size());
    batch.other_weight = negatives.empty() ? 0 : 1 / static_cast<double>(negatives.size());
    loss += add_part(shape, vectors.data_ptr<float>(), gradient.data_ptr<float>(), batch);
  });
  return KnownGradient::apply(z, loss, gradient);
}

void InnerProductLoss::scores(const Tensor& z, std::span<const NodePair> pairs,
                              std::span<float> logits) {
  const float* values = z.data_ptr<float>();
  factor_kernels<float>().pair_scores({z.size(0), 1, z.size(1)}, kPlain, values, values,
                                      pairs.data(), static_cast<int64_t>(pairs.size()),
                                      logits.data(), nullptr);
}

void InnerProductLoss::block_scores(const Tensor& z, NodeId first_head, NodeId last_head,
                                    NodeId first_tail, NodeId last_tail, std::span<float> logits) {
  const int64_t width = z.size(1);
  const float* values = z.data_ptr<float>();
  const int64_t tails = last_tail - first_tail;
  factor_kernels<float>().multiply({.m = last_head - first_head,
                                    .n = tails,
                                    .k = width,
                                    .a = {values + first_head * width, width},
                                    .b = {values + first_tail * width, 1, width},
                                    .c = logits.data(),
                                    .c_step = tails});
}

}  // namespace disenlink::detail
