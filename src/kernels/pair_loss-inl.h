// Scores of pairs, fused with the loss and its gradients.
//
// One pass over the pairs of each head computes scores, loss and the head's gradients while the
// tail's vectors are in the first-level cache; a second pass gathers the tails' gradients.
#if defined(DISENLINK_PAIR_LOSS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_PAIR_LOSS_INL_H
#undef DISENLINK_PAIR_LOSS_INL_H
#else
#define DISENLINK_PAIR_LOSS_INL_H
#endif

#include <hwy/highway.h>

#include <cmath>
#include <vector>

#include "kernels/message_passing-inl.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

// A node's vector on one factor without the message of one neighbour, and what its gradient needs.
template <class Ops, typename T>
struct WithoutMessage {
  const MessagePass<Ops, T>& pass;

  // Below this share of the total nothing but rounding is left after the message is taken out.
  static constexpr T kLeastShare = static_cast<T>(1e-5);

  T remaining(int64_t self, int64_t factor, T weight) const {
    const T total = pass.total(self, factor);
    const T left = total - weight;
    return left > kLeastShare * total ? left : T{0};
  }

  // out = h of `self` on this factor without the message from `other`.
  void vector(int64_t self, int64_t other, int64_t factor, T weight, T* out) const {
    const int64_t width = pass.shape.width;
    const T* z_other = pass.at(pass.z, other, factor);
    if (pass.form.by_sender) {
      Ops::blend(out, T{1}, pass.at(static_cast<const T*>(pass.messages.h), self, factor),
                 -pass.mix() * weight / pass.total(other, factor), z_other, width);
      return;
    }
    const T left = remaining(self, factor, weight);
    if (left == 0) {
      Ops::blend(out, pass.keep(), pass.at(pass.z, self, factor), T{0}, z_other, width);
      return;
    }
    Ops::blend(out, pass.keep(), pass.at(pass.z, self, factor), pass.mix() / left,
               pass.at(static_cast<const T*>(pass.messages.sums), self, factor), width);
    Ops::axpy(out, -pass.mix() * weight / left, z_other, width);
  }

  // Adds to the rows of `self`. slope: gradient of the loss by the product of the two vectors.
  void backward(int64_t self, int64_t other, int64_t factor, T weight, T slope, const T* own,
                const T* others, const NodeGradients<T>& gradients) const {
    const int64_t width = pass.shape.width;
    T* to_z = pass.at(gradients.z, self, factor);
    T* to_h = pass.at(gradients.h, self, factor);
    T& to_total = gradients.totals[self * pass.shape.factors + factor];
    const T total = pass.total(self, factor);
    const T mix = pass.mix();
    if (pass.form.by_sender) {
      Ops::axpy(to_h, slope, others, width);
      Ops::axpy(to_z, -mix * weight / total * slope, own, width);
      to_total += mix * weight / (total * total) * slope *
                  Ops::dot(own, pass.at(pass.z, self, factor), width);
      return;
    }
    const T left = remaining(self, factor, weight);
    if (left == 0) {
      Ops::axpy(to_z, pass.keep() * slope, others, width);
    } else {
      // Message passing will treat to_h as the gradient of the undivided h, so scale it to the
      // smaller total here and take back what that adds too much.
      const T ratio = total / left;
      Ops::axpy(to_h, ratio * slope, others, width);
      Ops::axpy(to_z, pass.keep() * (1 - ratio) * slope, others, width);
      to_total += mix / (total * left) * slope * sum_dot(self, factor, others) +
                  total_slope(self, other, factor, weight, slope, others, left);
    }
    const T other_left = remaining(other, factor, weight);
    if (other_left != 0) {
      Ops::axpy(to_z, -weight * mix / other_left * slope, own, width);
    }
  }

  // What the own edge must give back of its weight's gradient, for the side of `self`.
  T own_edge_slope(int64_t self, int64_t other, int64_t factor, T weight, T slope,
                   const T* others) const {
    const T along = Ops::dot(others, pass.at(pass.z, other, factor), pass.shape.width);
    if (pass.form.by_sender) {
      return -pass.mix() / pass.total(other, factor) * slope * along;
    }
    const T left = remaining(self, factor, weight);
    if (left == 0) {
      return 0;
    }
    return -(pass.mix() / left * slope * along +
             total_slope(self, other, factor, weight, slope, others, left));
  }

 private:
  T sum_dot(int64_t self, int64_t factor, const T* others) const {
    return Ops::dot(others, pass.at(static_cast<const T*>(pass.messages.sums), self, factor),
                    pass.shape.width);
  }

  T total_slope(int64_t self, int64_t other, int64_t factor, T weight, T slope, const T* others,
                T left) const {
    const T along = Ops::dot(others, pass.at(pass.z, other, factor), pass.shape.width);
    return -pass.mix() / (left * left) * slope * (sum_dot(self, factor, others) - weight * along);
  }
};

template <typename T>
struct LossValue {
  double loss;
  T slope;  // by the logit
};

// Of one pair with target 0 or 1; neither form overflows.
template <typename T>
HWY_INLINE LossValue<T> pair_loss_of(T logit, T target, bool squared_error) {
  const T small = std::exp(-std::abs(logit));
  const T probability = logit >= 0 ? 1 / (1 + small) : small / (1 + small);
  const T error = probability - target;
  if (squared_error) {
    return {static_cast<double>(error) * error, 2 * error * probability * (1 - probability)};
  }
  const T positive_part = logit > 0 ? logit : T{0};
  return {static_cast<double>(positive_part - logit * target + std::log1p(small)), error};
}

template <class Ops, typename T>
struct PairLoss {
  const MessagePass<Ops, T>& pass;
  const PairBatch& batch;
  PairResults<T> out;
  NodeGradients<T> gradients;

  // Work space of one block of nodes.
  struct Scratch {
    std::vector<T> exponents, products, head, tail;
    explicit Scratch(const FactorShape& shape)
        : exponents(shape.factors), products(shape.factors), head(shape.row()), tail(shape.row()) {}
  };

  int64_t edge_of(int64_t pair) const {
    return batch.edges == nullptr || !pass.form.leave_one_out ? -1 : batch.edges[pair];
  }

  ActiveFactors left_out(int64_t edge) const {
    return edge < 0 ? ActiveFactors{0, 0} : pass.active(edge);
  }

  T weight(int64_t edge, int64_t factor) const {
    return edge_weight(pass.form, pass.importance(edge), factor);
  }

  // Fills both ends' vectors without each other's message on the factors that carry one.
  void take_out_messages(int64_t pair, int64_t edge, ActiveFactors range, Scratch& scratch) const {
    const WithoutMessage<Ops, T> without{pass};
    const int64_t u = batch.heads[pair];
    const int64_t v = batch.tails[pair];
    for (int64_t factor = range.begin; factor < range.end; ++factor) {
      T* head = scratch.head.data() + factor * pass.shape.width;
      T* tail = scratch.tail.data() + factor * pass.shape.width;
      without.vector(u, v, factor, weight(edge, factor), head);
      without.vector(v, u, factor, weight(edge, factor), tail);
    }
  }

  // Scores one pair and leaves the gradients' coefficients in `out`.
  void score(int64_t pair, ActiveFactors range, Scratch& scratch, double& loss,
             int64_t& clipped) const {
    const int64_t u = batch.heads[pair];
    const int64_t v = batch.tails[pair];
    const int64_t width = pass.shape.width;
    const int64_t factors = pass.shape.factors;
    const T inverse_temperature = static_cast<T>(1 / pass.form.temperature);
    const T bound = static_cast<T>(pass.form.largest_exponent);
    T* weights = scratch.exponents.data();
    T* products = scratch.products.data();
    T* z_slope = out.z_coefficients + pair * factors;
    const T* h = pass.messages.h;
    for (int64_t factor = 0; factor < factors; ++factor) {
      const bool changed = factor >= range.begin && factor < range.end;
      products[factor] = changed ? Ops::dot(scratch.head.data() + factor * width,
                                            scratch.tail.data() + factor * width, width)
                                 : Ops::dot(pass.at(h, u, factor), pass.at(h, v, factor), width);
      const T q = inverse_temperature *
                  Ops::dot(pass.at(pass.z, u, factor), pass.at(pass.z, v, factor), width);
      const bool bounded = q > bound;
      clipped += bounded ? 1 : 0;
      weights[factor] = bounded ? bound : q;
      z_slope[factor] = bounded ? T{0} : inverse_temperature;
    }
    if (pass.form.weighted_score) {
      Ops::exponentials(weights, factors);
    } else {
      std::fill(weights, weights + factors, T{1});
      std::fill(z_slope, z_slope + factors, T{0});
    }
    const T logit = Ops::dot(weights, products, factors);
    const bool is_link = batch.is_link[pair] != 0;
    const double pair_weight = is_link ? batch.link_weight : batch.other_weight;
    const LossValue<T> value = pair_loss_of(logit, is_link ? T{1} : T{0}, batch.squared_error);
    loss += pair_weight * value.loss;
    const T slope = static_cast<T>(pair_weight) * value.slope;
    for (int64_t factor = 0; factor < factors; ++factor) {
      const T by_product = slope * weights[factor];
      out.h_coefficients[pair * factors + factor] = by_product;
      z_slope[factor] *= by_product * products[factor];
    }
  }

  // Adds a pair's gradients to the rows of one of its ends.
  void add_to(int64_t self, int64_t other, int64_t pair, int64_t edge, ActiveFactors range,
              const T* own, const T* others) const {
    const int64_t width = pass.shape.width;
    const int64_t factors = pass.shape.factors;
    const T* h_slope = out.h_coefficients + pair * factors;
    const T* z_slope = out.z_coefficients + pair * factors;
    const WithoutMessage<Ops, T> without{pass};
    for (int64_t factor = 0; factor < factors; ++factor) {
      if (pass.form.weighted_score) {
        Ops::axpy(pass.at(gradients.z, self, factor), z_slope[factor],
                  pass.at(pass.z, other, factor), width);
      }
      if (factor >= range.begin && factor < range.end) {
        without.backward(self, other, factor, weight(edge, factor), h_slope[factor],
                         own + factor * width, others + factor * width, gradients);
      } else {
        Ops::axpy(pass.at(gradients.h, self, factor), h_slope[factor],
                  pass.at(static_cast<const T*>(pass.messages.h), other, factor), width);
      }
    }
  }

  void heads(int64_t node, Scratch& scratch) const {
    double loss = 0;
    int64_t clipped = 0;
    for (int64_t pair = batch.head_offsets[node]; pair < batch.head_offsets[node + 1]; ++pair) {
      const int64_t edge = edge_of(pair);
      const ActiveFactors range = left_out(edge);
      take_out_messages(pair, edge, range, scratch);
      score(pair, range, scratch, loss, clipped);
      add_to(node, batch.tails[pair], pair, edge, range, scratch.head.data(), scratch.tail.data());
    }
    out.node_loss[node] = loss;
    out.clipped[node] = clipped;
  }

  void tails(int64_t node, Scratch& scratch) const {
    for (int64_t place = batch.tail_offsets[node]; place < batch.tail_offsets[node + 1]; ++place) {
      const int64_t pair = batch.tail_order[place];
      const int64_t edge = edge_of(pair);
      const ActiveFactors range = left_out(edge);
      take_out_messages(pair, edge, range, scratch);
      add_to(node, batch.heads[pair], pair, edge, range, scratch.tail.data(), scratch.head.data());
    }
  }

  // Few pairs have an edge of their own, and several may share one, so one thread adds them up.
  void own_edges(Scratch& scratch) const {
    const WithoutMessage<Ops, T> without{pass};
    const int64_t width = pass.shape.width;
    for (int64_t pair = 0; pair < batch.num_pairs; ++pair) {
      const int64_t edge = edge_of(pair);
      const ActiveFactors range = left_out(edge);
      if (edge < 0) {
        continue;
      }
      take_out_messages(pair, edge, range, scratch);
      const int64_t u = batch.heads[pair];
      const int64_t v = batch.tails[pair];
      for (int64_t factor = range.begin; factor < range.end; ++factor) {
        const T slope = out.h_coefficients[pair * pass.shape.factors + factor];
        const T message = weight(edge, factor);
        gradients.edge_weight[edge * pass.shape.factors + factor] +=
            without.own_edge_slope(u, v, factor, message, slope,
                                   scratch.tail.data() + factor * width) +
            without.own_edge_slope(v, u, factor, message, slope,
                                   scratch.head.data() + factor * width);
      }
    }
  }
};

template <class Ops, typename T>
void pair_loss(const EdgeIndex& index, const FactorShape& shape, const FactorForm& form, const T* z,
               EdgeFactors<T> factors, Messages<T> messages, const PairBatch& batch,
               PairResults<T> out, NodeGradients<T> gradients) {
  const MessagePass<Ops, T> pass{index, shape, form, z, factors, messages};
  const PairLoss<Ops, T> loss{pass, batch, out, gradients};
  using Scratch = typename PairLoss<Ops, T>::Scratch;
  const int64_t grain = rows_per_block(shape.nodes, batch.num_pairs * shape.row() * 4);
  parallel_blocks(shape.nodes, grain, [&](int64_t begin, int64_t end) HWY_ATTR {
    Scratch scratch(shape);
    for (int64_t node = begin; node < end; ++node) {
      loss.heads(node, scratch);
    }
  });
  parallel_blocks(shape.nodes, grain, [&](int64_t begin, int64_t end) HWY_ATTR {
    Scratch scratch(shape);
    for (int64_t node = begin; node < end; ++node) {
      loss.tails(node, scratch);
    }
  });
  if (form.leave_one_out && form.importance && batch.edges != nullptr) {
    Scratch scratch(shape);
    loss.own_edges(scratch);
  }
}

template <class Ops, typename T>
void pair_scores(const FactorShape& shape, const FactorForm& form, const T* z, const T* h,
                 const NodePair* pairs, int64_t num_pairs, T* logits, T* contributions) {
  const T inverse_temperature = static_cast<T>(1 / form.temperature);
  const T bound = static_cast<T>(form.largest_exponent);
  parallel_blocks(num_pairs, rows_per_block(num_pairs, num_pairs * shape.row() * 2),
                  [&](int64_t begin, int64_t end) HWY_ATTR {
                    std::vector<T> weights(shape.factors);
                    std::vector<T> products(shape.factors);
                    for (int64_t pair = begin; pair < end; ++pair) {
                      const int64_t u = pairs[pair].source * shape.row();
                      const int64_t v = pairs[pair].target * shape.row();
                      for (int64_t factor = 0; factor < shape.factors; ++factor) {
                        const int64_t at = factor * shape.width;
                        products[factor] = Ops::dot(h + u + at, h + v + at, shape.width);
                        weights[factor] =
                            form.weighted_score
                                ? std::min(bound, inverse_temperature *
                                                      Ops::dot(z + u + at, z + v + at, shape.width))
                                : T{0};
                      }
                      Ops::exponentials(weights.data(), shape.factors);
                      logits[pair] = Ops::dot(weights.data(), products.data(), shape.factors);
                      if (contributions != nullptr) {
                        for (int64_t factor = 0; factor < shape.factors; ++factor) {
                          contributions[pair * shape.factors + factor] =
                              weights[factor] * products[factor];
                        }
                      }
                    }
                  });
}

template <class Ops, typename T>
void add_weighted(const FactorForm& form, T* similarities, const T* products, int64_t count,
                  T* logits) {
  if (!form.weighted_score) {
    Ops::axpy(logits, T{1}, products, count);
    return;
  }
  Ops::add_exponential_products(logits, similarities, static_cast<T>(1 / form.temperature),
                                static_cast<T>(form.largest_exponent), products, count);
}

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
