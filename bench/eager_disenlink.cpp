#include "eager_disenlink.h"

#include <cmath>

namespace disenlink::bench {
namespace {

torch::Tensor leaf(std::span<const float> values, torch::IntArrayRef shape) {
  return torch::tensor(torch::ArrayRef<float>(values.data(), values.size()))
      .reshape(shape)
      .requires_grad_(true);
}

struct ScaledFeatures {
  torch::Tensor x;
  torch::Tensor shifts;
};

ScaledFeatures scale_rows(const Features& features) {
  std::vector<int64_t> rows;
  std::vector<int64_t> columns;
  std::vector<float> values;
  std::vector<float> shifts;
  const auto width = static_cast<double>(features.num_columns());
  for (int64_t row = 0; row < features.num_rows(); ++row) {
    const SparseRow entries = features.sparse_row(row);
    double sum = 0;
    double squares = 0;
    for (const float value : entries.values) {
      sum += value;
      squares += static_cast<double>(value) * value;
    }
    const double deviation = std::sqrt((squares - sum * sum / width) / (width - 1));
    shifts.push_back(static_cast<float>(sum / width / deviation));
    for (size_t i = 0; i < entries.columns.size(); ++i) {
      rows.push_back(row);
      columns.push_back(entries.columns[i]);
      values.push_back(static_cast<float>(entries.values[i] / deviation));
    }
  }
  const auto indices = torch::stack({torch::tensor(rows), torch::tensor(columns)});
  const auto x = torch::sparse_coo_tensor(indices, torch::tensor(values),
                                          {features.num_rows(), features.num_columns()});
  return {x.coalesce(), torch::tensor(shifts).unsqueeze(1)};
}

torch::Tensor ends(std::span<const NodePair> pairs, NodeId NodePair::*end) {
  std::vector<int64_t> nodes;
  nodes.reserve(pairs.size());
  for (const NodePair& pair : pairs) {
    nodes.push_back(pair.*end);
  }
  return torch::tensor(nodes);
}

}  // namespace

EagerDisenLink::EagerDisenLink(const Adjacency& message_graph, const Features& features,
                               const detail::NetworkOptions& options,
                               const detail::NetworkParameters<float>& parameters,
                               double learning_rate)
    : options_(options), nodes_(message_graph.num_nodes()) {
  const ScaledFeatures scaled = scale_rows(features);
  x_ = scaled.x;
  shifts_ = scaled.shifts;
  const std::vector<NodePair> edges = message_graph.pairs();
  const auto low = ends(edges, &NodePair::source);
  const auto high = ends(edges, &NodePair::target);
  sources_ = torch::cat({low, high});
  targets_ = torch::cat({high, low});
  const int64_t first_width = options.factors * options.hidden;
  w1_ = leaf(parameters.w1, {features.num_columns(), first_width});
  b1_ = leaf(parameters.b1, {first_width});
  w2_ = leaf(parameters.w2, {options.factors, options.hidden, options.width});
  b2_ = leaf(parameters.b2, {options.factors, options.width});
  adam_ = std::make_unique<torch::optim::Adam>(std::vector<torch::Tensor>{w1_, b1_, w2_, b2_},
                                               torch::optim::AdamOptions(learning_rate));
}

torch::Tensor EagerDisenLink::encode() {
  const int64_t factors = options_.factors;
  const auto projected = torch::mm(x_, w1_) - shifts_ * w1_.sum(0, true) + b1_;
  const auto hidden = torch::relu(projected).view({nodes_, factors, options_.hidden});
  z_ = (torch::bmm(hidden.transpose(0, 1), w2_).transpose(0, 1) + b2_).contiguous();

  const auto from = z_.index_select(0, sources_);
  const auto q = (from * z_.index_select(0, targets_)).sum(2) / options_.form.temperature;
  const auto importance = torch::softmax(q, 1);
  const auto chosen = torch::one_hot(q.argmax(1), factors).to(torch::kFloat);
  const auto weights = importance * chosen;  // (2 edges, factors)
  const auto totals = torch::zeros({nodes_, factors}).index_add(0, targets_, weights);
  const auto sums = torch::zeros_like(z_).index_add(0, targets_, weights.unsqueeze(2) * from);
  const auto means = sums / totals.clamp_min(1e-30).unsqueeze(2);
  return options_.form.beta * z_ + (1 - options_.form.beta) * means;
}

torch::Tensor EagerDisenLink::logits(const torch::Tensor& h,
                                     std::span<const NodePair> pairs) const {
  const auto heads = ends(pairs, &NodePair::source);
  const auto tails = ends(pairs, &NodePair::target);
  const auto q =
      (z_.index_select(0, heads) * z_.index_select(0, tails)).sum(2) / options_.form.temperature;
  const auto products = (h.index_select(0, heads) * h.index_select(0, tails)).sum(2);
  return (q.clamp_max(options_.form.largest_exponent).exp() * products).sum(1);
}

double EagerDisenLink::step(std::span<const NodePair> positives,
                            std::span<const NodePair> negatives) {
  namespace F = torch::nn::functional;
  adam_->zero_grad();
  const auto h = encode();
  const auto links = logits(h, positives);
  const auto others = logits(h, negatives);
  const auto loss = F::binary_cross_entropy_with_logits(links, torch::ones_like(links)) +
                    F::binary_cross_entropy_with_logits(others, torch::zeros_like(others));
  loss.backward();
  adam_->step();
  return loss.item<double>();
}

}  // namespace disenlink::bench
