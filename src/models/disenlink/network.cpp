#include "models/disenlink/network.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

template <typename T>
void fill_uniform(Buffer<T>& values, double range, Random& random) {
  for (T& value : values) {
    value = static_cast<T>(range * (2 * random.uniform() - 1));
  }
}

// By the threads that will add to it, each to its own share.
template <typename T>
void clear(Buffer<T>& values, int64_t size) {
  constexpr int64_t kGrain = 1 << 16;
  values.resize(size);
  parallel_blocks(size, kGrain, [&](int64_t begin, int64_t end) {
    std::fill(values.begin() + begin, values.begin() + end, T{0});
  });
}

}  // namespace

template <typename T>
void NetworkParameters<T>::resize(int64_t features, const NetworkOptions& options) {
  const int64_t first_width = options.factors * options.hidden;
  w1.assign(features * first_width, T{0});
  b1.assign(first_width, T{0});
  w2.assign(first_width * options.width, T{0});
  b2.assign(options.factors * options.width, T{0});
}

template <typename T>
Network<T>::Network(const Adjacency& message_graph, const Features& features,
                    NetworkOptions options, const FactorKernels<T>& kernels)
    : options_(options),
      shape_{message_graph.num_nodes(), options.factors, options.width},
      edges_(message_graph),
      input_(features, options.standardise ? RowScale::kStandardise : RowScale::kNone),
      kernels_(kernels) {
  parameters_.resize(features.num_columns(), options_);
  hidden_.resize(shape_.nodes * options_.factors * options_.hidden);
  z_.resize(shape_.size());
  h_.resize(shape_.size());
  sums_.resize(shape_.size());
  totals_.resize(shape_.nodes * shape_.factors);
  importance_.resize(edges_.num_edges() * shape_.factors);
  selected_.resize(edges_.num_edges());
}

template <typename T>
void Network<T>::reserve_training() {
  if (!gradients_.b2.empty()) {
    return;
  }
  gradients_.resize(input_.columns(), options_);
  q_gradient_.resize(importance_.size());
  node_loss_.resize(shape_.nodes);
  clipped_.resize(shape_.nodes);
}

template <typename T>
void Network<T>::initialise(bool glorot, Random& random) {
  const auto features = static_cast<double>(input_.columns());
  const auto hidden = static_cast<double>(options_.hidden);
  const auto width = static_cast<double>(options_.width);
  if (glorot) {
    fill_uniform(parameters_.w1, std::sqrt(6 / (features + hidden)), random);
    fill_uniform(parameters_.w2, std::sqrt(6 / (hidden + width)), random);
    std::fill(parameters_.b1.begin(), parameters_.b1.end(), T{0});
    std::fill(parameters_.b2.begin(), parameters_.b2.end(), T{0});
    return;
  }
  fill_uniform(parameters_.w1, 1 / std::sqrt(features), random);
  fill_uniform(parameters_.b1, 1 / std::sqrt(features), random);
  fill_uniform(parameters_.w2, 1 / std::sqrt(hidden), random);
  fill_uniform(parameters_.b2, 1 / std::sqrt(hidden), random);
}

template <typename T>
void Network<T>::forward() {
  input_.project(kernels_, options_.factors * options_.hidden, parameters_.w1.data(),
                 parameters_.b1.data(), true, hidden_.data());
  kernels_.factor_linear(shape_, options_.hidden, hidden_.data(), parameters_.w2.data(),
                         parameters_.b2.data(), z_.data());
  kernels_.edge_factors(edges_, shape_, options_.form, z_.data(), edge_factors());
  kernels_.pass_messages(edges_, shape_, options_.form, z_.data(), edge_factors(), messages());
}

template <typename T>
void Network<T>::clear_gradients() {
  clear(z_gradient_, shape_.size());
  clear(h_gradient_, shape_.size());
  clear(totals_gradient_, std::ssize(totals_));
  clear(edge_gradient_, std::ssize(importance_));
}

// Adds the pairs' gradients by z, h, totals and edge weights.
template <typename T>
LossReport Network<T>::pairs_backward(std::span<const NodePair> positives,
                                      std::span<const NodePair> negatives, double link_weight,
                                      double other_weight) {
  const int64_t vectors = options_.form.weighted_score ? 2 : 1;  // h, and z
  pairs_.assign({shape_.nodes, vectors * shape_.row() * static_cast<int64_t>(sizeof(T))}, positives,
                negatives, options_.form.leave_one_out ? &edges_ : nullptr);
  PairBatch batch = pairs_.batch();
  batch.loss = options_.loss;
  batch.link_weight = link_weight;
  batch.other_weight = other_weight;
  coefficients_.resize(batch.most_in_strip * PairResults<T>::coefficients_per_pair(shape_));
  own_slopes_.resize(batch.num_own_links * shape_.factors);
  const PairResults<T> results{coefficients_.data(), own_slopes_.data(), node_loss_.data(),
                               clipped_.data()};
  kernels_.pair_loss(edges_, shape_, options_.form, z_.data(), edge_factors(), messages(), batch,
                     results, node_gradients());
  return {std::accumulate(node_loss_.begin(), node_loss_.end(), 0.0),
          std::accumulate(clipped_.begin(), clipped_.end(), int64_t{0})};
}

template <typename T>
LossReport Network<T>::backward(std::span<const NodePair> positives,
                                std::span<const NodePair> negatives) {
  reserve_training();
  clear_gradients();
  const auto links = static_cast<double>(positives.size());
  const auto others = static_cast<double>(negatives.size());
  const double other_weight = others == 0 ? 0 : 1 / others;
  const double division = options_.divide_negatives ? links / others : 1;
  LossReport report;
  for_each_part(positives, negatives, [&](auto some_positives, auto some_negatives) {
    const LossReport of_part =
        pairs_backward(some_positives, some_negatives, 1 / links, other_weight * division);
    report.loss += of_part.loss;
    report.clipped += of_part.clipped;
  });
  kernels_.pass_messages_backward(edges_, shape_, options_.form, z_.data(), edge_factors(),
                                  messages(), node_gradients(), q_gradient_.data());
  kernels_.factor_linear_backward(shape_, options_.hidden, hidden_.data(), parameters_.w2.data(),
                                  z_gradient_.data(), gradients_.w2.data(), gradients_.b2.data());
  input_.project_backward(kernels_, options_.factors * options_.hidden, hidden_.data(),
                          gradients_.w1.data(), gradients_.b1.data());
  return report;
}

template <typename T>
void Network<T>::scores(std::span<const NodePair> pairs, std::span<T> logits,
                        std::span<T> contributions) const {
  kernels_.pair_scores(shape_, options_.form, z_.data(), h_.data(), pairs.data(),
                       static_cast<int64_t>(pairs.size()), logits.data(),
                       contributions.empty() ? nullptr : contributions.data());
}

template <typename T>
std::vector<double> Network<T>::pair_importance(NodePair pair) const {
  std::vector<double> q(shape_.factors);
  for (int64_t factor = 0; factor < shape_.factors; ++factor) {
    const T* u = z_.data() + pair.source * shape_.row() + factor * shape_.width;
    const T* v = z_.data() + pair.target * shape_.row() + factor * shape_.width;
    q[factor] = std::inner_product(u, u + shape_.width, v, 0.0) / options_.form.temperature;
  }
  const double largest = *std::max_element(q.begin(), q.end());
  double sum = 0;
  for (double& value : q) {
    value = std::exp(value - largest);
    sum += value;
  }
  for (double& value : q) {
    value /= sum;
  }
  return q;
}

template <typename T>
std::vector<T> Network<T>::hidden_of(NodeId node, int64_t factor) const {
  const int64_t width = options_.factors * options_.hidden;
  const int64_t first = factor * options_.hidden;
  std::vector<T> result(parameters_.b1.begin() + first,
                        parameters_.b1.begin() + first + options_.hidden);
  for (const auto& [feature, value] : input_.row_entries(node)) {
    for (int64_t unit = 0; unit < options_.hidden; ++unit) {
      result[unit] += value * parameters_.w1[feature * width + first + unit];
    }
  }
  for (T& value : result) {
    value = std::max(value, T{0});
  }
  return result;
}

template <typename T>
void Network<T>::block_scores(int64_t first_head, int64_t last_head, int64_t first_tail,
                              int64_t last_tail, T* logits) const {
  const int64_t heads = last_head - first_head;
  const int64_t tails = last_tail - first_tail;
  std::vector<T> weights(heads * tails);
  std::vector<T> products(heads * tails);
  std::fill(logits, logits + heads * tails, T{0});
  const auto multiply = [&](const Buffer<T>& vectors, int64_t factor, T* out) {
    const T* base = vectors.data() + factor * shape_.width;
    kernels_.multiply({.m = heads,
                       .n = tails,
                       .k = shape_.width,
                       .a = {base + first_head * shape_.row(), shape_.row()},
                       .b = {base + first_tail * shape_.row(), 1, shape_.row()},
                       .c = out,
                       .c_step = tails});
  };
  for (int64_t factor = 0; factor < shape_.factors; ++factor) {
    multiply(h_, factor, products.data());
    if (options_.form.weighted_score) {
      multiply(z_, factor, weights.data());
    }
    kernels_.add_weighted(options_.form, weights.data(), products.data(), heads * tails, logits);
  }
}

template struct NetworkParameters<float>;
template struct NetworkParameters<double>;
template class Network<float>;
template class Network<double>;

}  // namespace disenlink::detail
