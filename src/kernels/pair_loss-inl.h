// Scores of pairs, fused with the loss and its gradients.
//
// Strip by strip: one pass over the pairs of each head computes scores, loss and the head's
// gradients while the tails' vectors are in the cache; a second pass gathers the tails' gradients.
#if defined(DISENLINK_PAIR_LOSS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_PAIR_LOSS_INL_H
#undef DISENLINK_PAIR_LOSS_INL_H
#else
#define DISENLINK_PAIR_LOSS_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/without_message-inl.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

template <class Ops, typename T>
struct PairLoss {
  const MessagePass<Ops, T>& pass;
  const PairBatch& batch;
  PairResults<T> out;
  NodeGradients<T> gradients;

  // Work space of some heads or tails. Values of a group stand factor by factor, kGroupSize each.
  struct Scratch {
    explicit Scratch(const FactorShape& shape)
        : weights(kGroupSize * shape.factors),
          products(kGroupSize * shape.factors),
          z_slopes(kGroupSize * shape.factors),
          coefficients(group_room(2 * shape.factors)),
          head(std::make_unique_for_overwrite<T[]>(kGroupSize * shape.row())),
          tail(std::make_unique_for_overwrite<T[]>(kGroupSize * shape.row())) {}

    std::vector<T> weights, products, z_slopes;  // (factors, group)
    std::vector<T> coefficients;                 // (2, factors, group)
    std::unique_ptr<T[]> head, tail;             // (group, factors, width) without a message
    T logits[kGroupSize], targets[kGroupSize], losses[kGroupSize], slopes[kGroupSize];
    T pair_weights[kGroupSize];
    NodeId heads[kGroupSize];
    const T *head_z[kGroupSize], *head_h[kGroupSize];
    const T *tail_z[kGroupSize], *tail_h[kGroupSize];
    T* coefficients_for_tails[kGroupSize];
  };

  // Some pairs of the order by head.
  struct Group {
    int64_t strip;
    int64_t first;
    int64_t count;
  };

  const T* z_row(int64_t node) const { return pass.z + node * pass.shape.row(); }
  const T* h_row(int64_t node) const { return pass.messages.h + node * pass.shape.row(); }
  int64_t first_of_strip(int64_t strip) const {
    return batch.head_offsets[strip * pass.shape.nodes];
  }
  // Of the pair at this place in the order by tail.
  T* coefficients(int64_t strip, int64_t place) const {
    return out.coefficients +
           (place - first_of_strip(strip)) * PairResults<T>::coefficients_per_pair(pass.shape);
  }

  T weight(int64_t edge, int64_t factor) const {
    return edge_weight(pass.form, pass.importance(edge), factor);
  }

  // Calls body(number among the `count` pairs from `first` on, own link, factors) for those that
  // leave a message out. own_links: of one of the two orders.
  template <typename Body>
  void for_each_left_out(const int32_t* own_links, int64_t first, int64_t count,
                         Body&& body) const {
    if (own_links == nullptr || !pass.form.leave_one_out) {
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      const int64_t own = own_links[first + i];
      if (own >= 0) {
        body(i, own, pass.active(batch.edge_of_own_link[own]));
      }
    }
  }

  // Fills both ends' vectors without each other's message on the factors that carry one.
  void take_out_messages(NodePair pair, int64_t edge, ActiveFactors range, T* head, T* tail) const {
    const WithoutMessage<Ops, T> without{pass};
    for (int64_t factor = range.begin; factor < range.end; ++factor) {
      const int64_t at = factor * pass.shape.width;
      without.vector(pair.source, pair.target, factor, weight(edge, factor), head + at);
      without.vector(pair.target, pair.source, factor, weight(edge, factor), tail + at);
    }
  }

  // The ends of a group's pairs; `node` is the head before, or the first one. What is left of the
  // group repeats the last pair, with no weight in the loss. Returns the last head.
  int64_t take(const Group& group, int64_t node, Scratch& scratch) const {
    const int64_t* const offsets = batch.head_offsets + group.strip * pass.shape.nodes;
    for (int64_t i = 0; i < kGroupSize; ++i) {
      const int64_t pair = group.first + std::min(i, group.count - 1);
      while (offsets[node + 1] <= pair) {
        ++node;
      }
      const int64_t tail = batch.tails[pair];
      const bool is_link = batch.is_link[pair] != 0;
      scratch.heads[i] = static_cast<NodeId>(node);
      scratch.head_z[i] = z_row(node);
      scratch.head_h[i] = h_row(node);
      scratch.tail_z[i] = z_row(tail);
      scratch.tail_h[i] = h_row(tail);
      scratch.targets[i] = is_link ? T{1} : T{0};
      scratch.pair_weights[i] = static_cast<T>(is_link ? batch.link_weight : batch.other_weight);
    }
    std::fill(scratch.pair_weights + group.count, scratch.pair_weights + kGroupSize, T{0});
    return node;
  }

  // Products of h, and the weights that similarities of z give them in the score; returns how many
  // met the bound.
  int64_t multiply(const Group& group, Scratch& scratch) const {
    const int64_t factors = pass.shape.factors;
    const int64_t width = pass.shape.width;
    Ops::group_pair_dots(scratch.head_h, scratch.tail_h, group.count, factors, width,
                         scratch.products.data());
    for_each_left_out(batch.own_links, group.first, group.count,
                      [&](int64_t i, int64_t own, ActiveFactors range) HWY_ATTR {
                        T* const head = scratch.head.get() + i * pass.shape.row();
                        T* const tail = scratch.tail.get() + i * pass.shape.row();
                        take_out_messages({scratch.heads[i], batch.tails[group.first + i]},
                                          batch.edge_of_own_link[own], range, head, tail);
                        for (int64_t factor = range.begin; factor < range.end; ++factor) {
                          scratch.products[factor * kGroupSize + i] =
                              Ops::dot(head + factor * width, tail + factor * width, width);
                        }
                      });
    if (!pass.form.weighted_score) {
      std::fill(scratch.weights.begin(), scratch.weights.end(), T{1});
      return 0;
    }
    Ops::group_pair_dots(scratch.head_z, scratch.tail_z, group.count, factors, width,
                         scratch.weights.data());
    return Ops::bounded_exponentials(
        scratch.weights.data(), scratch.z_slopes.data(), factors * kGroupSize,
        static_cast<T>(1 / pass.form.temperature), static_cast<T>(pass.form.largest_exponent));
  }

  // Loss of a group.
  double lose(Scratch& scratch) const {
    std::fill_n(scratch.logits, kGroupSize, T{0});
    for (int64_t factor = 0; factor < pass.shape.factors; ++factor) {
      const int64_t at = factor * kGroupSize;
      Ops::add_products(scratch.logits, scratch.weights.data() + at, scratch.products.data() + at,
                        kGroupSize);
    }
    Ops::pair_losses(scratch.logits, scratch.targets, kGroupSize, batch.loss, scratch.losses,
                     scratch.slopes);
    Ops::multiply_each(scratch.slopes, scratch.slopes, scratch.pair_weights, kGroupSize);
    return static_cast<double>(Ops::dot(scratch.losses, scratch.pair_weights, kGroupSize));
  }

  // Gradients by the products, for the heads in the scratch space, for the tails in `out`.
  void find_coefficients(const Group& group, Scratch& scratch) const {
    const int64_t factors = pass.shape.factors;
    const int64_t size = factors * kGroupSize;
    T* const of_h = scratch.coefficients.data();
    T* const of_z = of_h + size;
    for (int64_t at = 0; at < size; at += kGroupSize) {
      Ops::multiply_each(of_h + at, scratch.slopes, scratch.weights.data() + at, kGroupSize);
    }
    if (pass.form.weighted_score) {
      Ops::multiply_each(of_z, of_h, scratch.products.data(), size);
      Ops::multiply_each(of_z, of_z, scratch.z_slopes.data(), size);
    }
    for (int64_t i = 0; i < group.count; ++i) {
      scratch.coefficients_for_tails[i] = coefficients(group.strip, batch.places[group.first + i]);
    }
    Ops::scatter_group(of_h, group.count, pass.form.weighted_score ? 2 * factors : factors,
                       scratch.coefficients_for_tails);
  }

  // What leaves a message out is added here, and hidden from the sums.
  void add_left_out_heads(const Group& group, Scratch& scratch) const {
    const WithoutMessage<Ops, T> without{pass};
    const int64_t factors = pass.shape.factors;
    for_each_left_out(batch.own_links, group.first, group.count,
                      [&](int64_t i, int64_t own, ActiveFactors range) HWY_ATTR {
                        const int64_t edge = batch.edge_of_own_link[own];
                        for (int64_t factor = range.begin; factor < range.end; ++factor) {
                          const int64_t at = i * pass.shape.row() + factor * pass.shape.width;
                          const T slope =
                              std::exchange(scratch.coefficients[factor * kGroupSize + i], T{0});
                          out.own_slopes[own * factors + factor] = slope;
                          without.backward(scratch.heads[i], batch.tails[group.first + i], factor,
                                           weight(edge, factor), slope, scratch.head.get() + at,
                                           scratch.tail.get() + at, gradients);
                        }
                      });
  }

  // Adds the gradients of a group to the rows of its heads.
  void add_to_heads(const Group& group, Scratch& scratch) const {
    add_left_out_heads(group, scratch);
    const T* const of_h = scratch.coefficients.data();
    const T* const of_z = of_h + pass.shape.factors * kGroupSize;
    for (int64_t begin = 0, end = 0; begin < group.count; begin = end) {
      while (end < group.count && scratch.heads[end] == scratch.heads[begin]) {
        ++end;
      }
      add_to(scratch.heads[begin], batch.tails + group.first + begin, end - begin,
             GroupWeights<T>{of_h + begin}, GroupWeights<T>{of_z + begin});
    }
  }

  // Adds to the rows of `self` those of the other ends of its pairs.
  template <class Weights>
  void add_to(int64_t self, const NodeId* others, int64_t count, const Weights& of_h,
              const Weights& of_z) const {
    const FactorShape& shape = pass.shape;
    if (pass.form.weighted_score) {
      Ops::add_rows(pass.at(gradients.z, self, 0), {pass.z, others, count}, of_z, shape.factors,
                    shape.width);
    }
    Ops::add_rows(pass.at(gradients.h, self, 0), {pass.messages.h, others, count}, of_h,
                  shape.factors, shape.width);
  }

  // The pairs of some heads with the tails of one strip.
  void heads(int64_t strip, int64_t begin, int64_t end, Scratch& scratch) const {
    const int64_t* const offsets = batch.head_offsets + strip * pass.shape.nodes;
    double loss = 0;
    int64_t clipped = 0;
    int64_t node = begin;
    for (int64_t first = offsets[begin]; first < offsets[end]; first += kGroupSize) {
      const Group group{strip, first, std::min<int64_t>(kGroupSize, offsets[end] - first)};
      node = take(group, node, scratch);
      clipped += multiply(group, scratch);
      loss += lose(scratch);
      find_coefficients(group, scratch);
      add_to_heads(group, scratch);
    }
    out.node_loss[begin] += loss;
    out.clipped[begin] += clipped;
  }

  // The pairs of a tail with the heads of one block; `slot` numbers the tails of a block.
  void tails(int64_t strip, int64_t block, int64_t slot, Scratch& scratch) const {
    const int64_t tail = strip * batch.nodes_per_block + slot;
    const int64_t* const offsets =
        batch.tail_offsets + (strip * batch.blocks + block) * batch.nodes_per_block + slot;
    const int64_t first = offsets[0];
    const int64_t count = offsets[1] - first;
    if (count == 0) {
      return;
    }
    const int64_t step = PairResults<T>::coefficients_per_pair(pass.shape);
    T* const of_h = coefficients(strip, first);
    add_left_out_tail(tail, first, count, of_h, scratch);
    add_to(tail, batch.heads + first, count, WeightRows<T>{of_h, step},
           WeightRows<T>{of_h + pass.shape.factors, step});
  }

  // As add_left_out_heads, for one tail; its coefficients are not needed after this.
  void add_left_out_tail(int64_t tail, int64_t first, int64_t count, T* of_h,
                         Scratch& scratch) const {
    const WithoutMessage<Ops, T> without{pass};
    for_each_left_out(
        batch.own_links_by_tail, first, count,
        [&](int64_t i, int64_t own, ActiveFactors range) HWY_ATTR {
          const int64_t edge = batch.edge_of_own_link[own];
          const NodeId head = batch.heads[first + i];
          take_out_messages({head, static_cast<NodeId>(tail)}, edge, range, scratch.head.get(),
                            scratch.tail.get());
          for (int64_t factor = range.begin; factor < range.end; ++factor) {
            const int64_t at = factor * pass.shape.width;
            T& slope = of_h[i * PairResults<T>::coefficients_per_pair(pass.shape) + factor];
            without.backward(tail, head, factor, weight(edge, factor), std::exchange(slope, T{0}),
                             scratch.tail.get() + at, scratch.head.get() + at, gradients);
          }
        });
  }

  // What the pairs on an edge give back of its weights' gradients.
  void own_edge(int64_t edge, Scratch& scratch) const {
    const WithoutMessage<Ops, T> without{pass};
    const int64_t width = pass.shape.width;
    const auto [u, v] = pass.index.ends[edge];
    const ActiveFactors range = pass.active(edge);
    for (int64_t own = batch.own_link_offsets[edge]; own < batch.own_link_offsets[edge + 1];
         ++own) {
      take_out_messages({u, v}, edge, range, scratch.head.get(), scratch.tail.get());
      for (int64_t factor = range.begin; factor < range.end; ++factor) {
        const T slope = out.own_slopes[own * pass.shape.factors + factor];
        const T message = weight(edge, factor);
        gradients.edge_weight[edge * pass.shape.factors + factor] +=
            without.own_edge_slope(u, v, factor, message, slope,
                                   scratch.tail.get() + factor * width) +
            without.own_edge_slope(v, u, factor, message, slope,
                                   scratch.head.get() + factor * width);
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
  const auto with_scratch = [&](int64_t count, int64_t grain, auto&& body) HWY_ATTR {
    parallel_blocks(count, grain, [&](int64_t begin, int64_t end) HWY_ATTR {
      Scratch scratch(shape);
      body(begin, end, scratch);
    });
  };
  const auto for_each = [&](int64_t count, int64_t grain, auto&& body) HWY_ATTR {
    with_scratch(count, grain, [&](int64_t begin, int64_t end, Scratch& scratch) HWY_ATTR {
      for (int64_t item = begin; item < end; ++item) {
        body(item, scratch);
      }
    });
  };
  std::fill_n(out.node_loss, shape.nodes, 0.0);
  std::fill_n(out.clipped, shape.nodes, int64_t{0});
  // Heads meet the tails of one block, tails the heads of one.
  const int64_t grain =
      rows_per_block(shape.nodes, batch.num_pairs / batch.blocks * shape.row() * 4);
  for (int64_t strip = 0; strip < batch.blocks; ++strip) {
    with_scratch(shape.nodes, grain, [&](int64_t begin, int64_t end, Scratch& scratch) HWY_ATTR {
      loss.heads(strip, begin, end, scratch);
    });
    const int64_t tails =
        std::min(batch.nodes_per_block, shape.nodes - strip * batch.nodes_per_block);
    for (int64_t block = 0; block < batch.blocks; ++block) {
      for_each(tails, grain, [&](int64_t slot, Scratch& scratch) HWY_ATTR {
        loss.tails(strip, block, slot, scratch);
      });
    }
  }
  if (form.leave_one_out && form.importance && batch.own_links != nullptr) {
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
