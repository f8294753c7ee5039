// Scores of pairs, fused with the loss and its gradients.
//
// One pass over the pairs of each head computes scores, loss and the head's gradients while the
// tails' vectors are in the cache; a second pass gathers the tails' gradients.
#if defined(DISENLINK_PAIR_LOSS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_PAIR_LOSS_INL_H
#undef DISENLINK_PAIR_LOSS_INL_H
#else
#define DISENLINK_PAIR_LOSS_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <utility>
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

template <class Ops, typename T>
struct PairLoss {
  const MessagePass<Ops, T>& pass;
  const PairBatch& batch;
  PairResults<T> out;
  NodeGradients<T> gradients;

  // Work space of one block of nodes. Values of a group stand factor by factor, kGroupSize each.
  struct Scratch {
    explicit Scratch(const FactorShape& shape)
        : weights(kGroupSize * shape.factors),
          products(kGroupSize * shape.factors),
          z_slopes(kGroupSize * shape.factors),
          coefficients(kGroupSize * shape.factors),
          hidden(kGroupSize * shape.factors),
          head(kGroupSize * shape.row()),
          tail(kGroupSize * shape.row()) {}

    std::vector<T> weights, products, z_slopes, coefficients;  // (factors, group)
    std::vector<T> hidden;                                     // (group, factors)
    std::vector<T> head, tail;                                 // (group, factors, width)
    T logits[kGroupSize], targets[kGroupSize], losses[kGroupSize], slopes[kGroupSize];
    const T *z_rows[kGroupSize], *h_rows[kGroupSize];
    T *z_weights[kGroupSize], *h_weights[kGroupSize];
    NodeId others[kGroupSize];
    int32_t pairs[kGroupSize];
  };

  bool reads_z() const { return pass.form.weighted_score || pass.form.leave_one_out; }
  const T* z_row(int64_t node) const { return pass.z + node * pass.shape.row(); }
  const T* h_row(int64_t node) const { return pass.messages.h + node * pass.shape.row(); }
  T* h_coefficients(int64_t pair) const {
    return out.coefficients + pair * PairResults<T>::coefficients_per_pair(pass.shape);
  }
  T* z_coefficients(int64_t pair) const { return h_coefficients(pair) + pass.shape.factors; }

  T weight(int64_t edge, int64_t factor) const {
    return edge_weight(pass.form, pass.importance(edge), factor);
  }

  void prefetch(int64_t node) const {
    if (reads_z()) {
      Ops::prefetch(z_row(node), pass.shape.row());
    }
    Ops::prefetch(h_row(node), pass.shape.row());
  }

  // Pair and other node of one place in the group.
  void take(int64_t place, int64_t pair, int64_t other, Scratch& scratch) const {
    scratch.pairs[place] = static_cast<int32_t>(pair);
    scratch.others[place] = static_cast<NodeId>(other);
    scratch.z_rows[place] = z_row(other);
    scratch.h_rows[place] = h_row(other);
    scratch.z_weights[place] = z_coefficients(pair);
    scratch.h_weights[place] = h_coefficients(pair);
  }

  // Calls body(place in the batch, pair, edge, factors) for the pairs that leave a message out.
  template <typename Body>
  void for_each_left_out(int64_t count, const Scratch& scratch, Body&& body) const {
    if (batch.edges == nullptr || !pass.form.leave_one_out) {
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      const int64_t edge = batch.edges[scratch.pairs[i]];
      if (edge >= 0) {
        body(i, scratch.pairs[i], edge, pass.active(edge));
      }
    }
  }

  // Fills both ends' vectors without each other's message on the factors that carry one.
  void take_out_messages(int64_t place, int64_t pair, int64_t edge, ActiveFactors range,
                         Scratch& scratch) const {
    const WithoutMessage<Ops, T> without{pass};
    const int64_t u = batch.heads[pair];
    const int64_t v = batch.tails[pair];
    for (int64_t factor = range.begin; factor < range.end; ++factor) {
      const int64_t at = place * pass.shape.row() + factor * pass.shape.width;
      without.vector(u, v, factor, weight(edge, factor), scratch.head.data() + at);
      without.vector(v, u, factor, weight(edge, factor), scratch.tail.data() + at);
    }
  }

  // Takes the next `count` pairs of a head, while the rows of the group after them are fetched.
  void take_tails(int64_t head, int64_t first, int64_t count, Scratch& scratch) const {
    for (int64_t i = 0; i < count; ++i) {
      if (first + i + kGroupSize < batch.num_pairs) {
        prefetch(batch.tails[first + i + kGroupSize]);
      }
      take(i, first + i, batch.tails[first + i], scratch);
      scratch.targets[i] = batch.is_link[first + i] != 0 ? T{1} : T{0};
    }
    std::fill(scratch.z_rows + count, scratch.z_rows + kGroupSize, z_row(head));
    std::fill(scratch.h_rows + count, scratch.h_rows + kGroupSize, h_row(head));
    std::fill(scratch.targets + count, scratch.targets + kGroupSize, T{0});
  }

  // Products of h, and the weights that similarities of z give them in the score; returns how many
  // met the bound.
  int64_t multiply(int64_t head, int64_t count, Scratch& scratch) const {
    const int64_t factors = pass.shape.factors;
    const int64_t width = pass.shape.width;
    Ops::group_dots(h_row(head), scratch.h_rows, count, factors, width, scratch.products.data());
    for_each_left_out(count, scratch,
                      [&](int64_t place, int64_t pair, int64_t edge, ActiveFactors range) HWY_ATTR {
                        take_out_messages(place, pair, edge, range, scratch);
                        for (int64_t factor = range.begin; factor < range.end; ++factor) {
                          const int64_t at = place * pass.shape.row() + factor * width;
                          scratch.products[factor * kGroupSize + place] =
                              Ops::dot(scratch.head.data() + at, scratch.tail.data() + at, width);
                        }
                      });
    if (!pass.form.weighted_score) {
      std::fill(scratch.weights.begin(), scratch.weights.end(), T{1});
      return 0;
    }
    Ops::group_dots(z_row(head), scratch.z_rows, count, factors, width, scratch.weights.data());
    return Ops::bounded_exponentials(
        scratch.weights.data(), scratch.z_slopes.data(), factors * kGroupSize,
        static_cast<T>(1 / pass.form.temperature), static_cast<T>(pass.form.largest_exponent));
  }

  // Loss of the pairs; leaves the gradients' coefficients in `out`.
  double lose(int64_t count, Scratch& scratch) const {
    std::fill_n(scratch.logits, kGroupSize, T{0});
    for (int64_t factor = 0; factor < pass.shape.factors; ++factor) {
      const int64_t at = factor * kGroupSize;
      Ops::add_products(scratch.logits, scratch.weights.data() + at, scratch.products.data() + at,
                        kGroupSize);
    }
    Ops::pair_losses(scratch.logits, scratch.targets, kGroupSize, batch.loss, scratch.losses,
                     scratch.slopes);
    double loss = 0;
    for (int64_t i = 0; i < count; ++i) {
      const double pair_weight = scratch.targets[i] == 1 ? batch.link_weight : batch.other_weight;
      loss += pair_weight * static_cast<double>(scratch.losses[i]);
      scratch.slopes[i] *= static_cast<T>(pair_weight);
    }
    find_coefficients(count, scratch);
    return loss;
  }

  void find_coefficients(int64_t count, Scratch& scratch) const {
    const int64_t factors = pass.shape.factors;
    T* const coefficients = scratch.coefficients.data();
    for (int64_t factor = 0; factor < factors; ++factor) {
      const int64_t at = factor * kGroupSize;
      Ops::multiply_each(coefficients + at, scratch.slopes, scratch.weights.data() + at,
                         kGroupSize);
    }
    scatter_group(coefficients, count, factors, scratch.h_weights);
    if (pass.form.weighted_score) {
      const int64_t size = factors * kGroupSize;
      Ops::multiply_each(coefficients, coefficients, scratch.products.data(), size);
      Ops::multiply_each(coefficients, coefficients, scratch.z_slopes.data(), size);
      scatter_group(coefficients, count, factors, scratch.z_weights);
    }
  }

  // Adds the gradients of the pairs in the scratch space to the rows of the end they share.
  void add_to(int64_t self, int64_t count, bool is_head, Scratch& scratch) const {
    const int64_t factors = pass.shape.factors;
    const int64_t width = pass.shape.width;
    const auto& own = is_head ? scratch.head : scratch.tail;
    const auto& others = is_head ? scratch.tail : scratch.head;
    const WithoutMessage<Ops, T> without{pass};
    // What leaves a message out is added here, and hidden from the sums below.
    for_each_left_out(count, scratch,
                      [&](int64_t place, int64_t pair, int64_t edge, ActiveFactors range) HWY_ATTR {
                        for (int64_t factor = range.begin; factor < range.end; ++factor) {
                          const int64_t at = place * pass.shape.row() + factor * width;
                          T& slope = h_coefficients(pair)[factor];
                          without.backward(self, scratch.others[place], factor,
                                           weight(edge, factor), slope, own.data() + at,
                                           others.data() + at, gradients);
                          scratch.hidden[place * factors + factor] = std::exchange(slope, T{0});
                        }
                      });
    if (pass.form.weighted_score) {
      Ops::add_group(pass.at(gradients.z, self, 0), scratch.z_rows, scratch.z_weights, count,
                     factors, width);
    }
    Ops::add_group(pass.at(gradients.h, self, 0), scratch.h_rows, scratch.h_weights, count, factors,
                   width);
    for_each_left_out(
        count, scratch,
        [&](int64_t place, int64_t pair, int64_t /*edge*/, ActiveFactors range) HWY_ATTR {
          for (int64_t factor = range.begin; factor < range.end; ++factor) {
            h_coefficients(pair)[factor] = scratch.hidden[place * factors + factor];
          }
        });
  }

  // The pairs of a head with the tails of one block.
  void heads(int64_t block, int64_t node, Scratch& scratch) const {
    double loss = 0;
    int64_t clipped = 0;
    const int64_t* const offsets = batch.head_offsets + block * pass.shape.nodes;
    const int64_t end = offsets[node + 1];
    for (int64_t first = offsets[node]; first < end; first += kGroupSize) {
      const int64_t count = std::min<int64_t>(kGroupSize, end - first);
      take_tails(node, first, count, scratch);
      clipped += multiply(node, count, scratch);
      loss += lose(count, scratch);
      add_to(node, count, true, scratch);
    }
    out.node_loss[node] = (block == 0 ? 0 : out.node_loss[node]) + loss;
    out.clipped[node] = (block == 0 ? 0 : out.clipped[node]) + clipped;
  }

  // The pairs of a tail with the heads of one block.
  void tails(int64_t block, int64_t node, Scratch& scratch) const {
    const int64_t* const offsets = batch.tail_offsets + block * pass.shape.nodes;
    const int64_t end = offsets[node + 1];
    for (int64_t first = offsets[node]; first < end; first += kGroupSize) {
      const int64_t count = std::min<int64_t>(kGroupSize, end - first);
      for (int64_t i = 0; i < count; ++i) {
        if (first + i + kGroupSize < batch.num_pairs) {
          const int64_t next = batch.tail_order[first + i + kGroupSize];
          prefetch(batch.heads[next]);
          Ops::prefetch(h_coefficients(next), PairResults<T>::coefficients_per_pair(pass.shape));
        }
        const int64_t pair = batch.tail_order[first + i];
        take(i, pair, batch.heads[pair], scratch);
      }
      for_each_left_out(count, scratch,
                        [&](int64_t place, int64_t pair, int64_t edge, ActiveFactors range)
                            HWY_ATTR { take_out_messages(place, pair, edge, range, scratch); });
      add_to(node, count, false, scratch);
    }
  }

  // What the pairs on an edge give back of its weights' gradients.
  void own_edge(int64_t edge, Scratch& scratch) const {
    const WithoutMessage<Ops, T> without{pass};
    const int64_t width = pass.shape.width;
    const ActiveFactors range = pass.active(edge);
    for (int64_t i = batch.edge_offsets[edge]; i < batch.edge_offsets[edge + 1]; ++i) {
      const int64_t pair = batch.edge_pairs[i];
      const int64_t u = batch.heads[pair];
      const int64_t v = batch.tails[pair];
      take_out_messages(0, pair, edge, range, scratch);
      for (int64_t factor = range.begin; factor < range.end; ++factor) {
        const T slope = h_coefficients(pair)[factor];
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
  const auto for_each = [&](int64_t count, int64_t grain, auto&& body) HWY_ATTR {
    parallel_blocks(count, grain, [&](int64_t begin, int64_t end) HWY_ATTR {
      Scratch scratch(shape);
      for (int64_t item = begin; item < end; ++item) {
        body(item, scratch);
      }
    });
  };
  const int64_t grain =
      rows_per_block(shape.nodes, batch.num_pairs / batch.blocks * shape.row() * 4);
  for (int64_t block = 0; block < batch.blocks; ++block) {
    for_each(shape.nodes, grain,
             [&](int64_t node, Scratch& scratch) HWY_ATTR { loss.heads(block, node, scratch); });
  }
  for (int64_t block = 0; block < batch.blocks; ++block) {
    for_each(shape.nodes, grain,
             [&](int64_t node, Scratch& scratch) HWY_ATTR { loss.tails(block, node, scratch); });
  }
  if (form.leave_one_out && form.importance && batch.edges != nullptr) {
    const int64_t edges = index.num_edges();
    for_each(edges, rows_per_block(edges, edges * shape.width * 8),
             [&](int64_t edge, Scratch& scratch) HWY_ATTR { loss.own_edge(edge, scratch); });
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
