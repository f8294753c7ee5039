// Importance, selection and message passing, for any set of row operations.
#if defined(DISENLINK_MESSAGE_PASSING_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_MESSAGE_PASSING_INL_H
#undef DISENLINK_MESSAGE_PASSING_INL_H
#else
#define DISENLINK_MESSAGE_PASSING_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "kernels/factor_kernels.h"
#include "kernels/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

// Rows per block so that a block does some 100,000 multiplications.
inline int64_t rows_per_block(int64_t rows, int64_t work) {
  constexpr int64_t kWorkPerBlock = 100'000;
  return std::max<int64_t>(1, kWorkPerBlock * rows / std::max<int64_t>(1, work));
}

// Calls body(first, last, scratch) for groups of up to kGroupSize edges.
template <class Scratch, typename Body>
void for_each_edge_group(int64_t edges, const FactorShape& shape, Body&& body) {
  const int64_t groups = (edges + kGroupSize - 1) / kGroupSize;
  parallel_blocks(groups, rows_per_block(groups, edges * shape.row()),
                  [&](int64_t begin, int64_t end) HWY_ATTR {
                    Scratch scratch(shape);
                    for (int64_t group = begin; group < end; ++group) {
                      const int64_t first = group * kGroupSize;
                      body(first, std::min(edges, first + kGroupSize), scratch);
                    }
                  });
}

// Factors on which an edge carries a message: the selected one, or all.
struct ActiveFactors {
  int64_t begin;
  int64_t end;
};

template <typename T>
HWY_INLINE ActiveFactors active_factors(const FactorForm& form, int64_t num_factors,
                                        const EdgeFactors<T>& factors, int64_t edge) {
  if (!form.select) {
    return {0, num_factors};
  }
  const int64_t chosen = factors.selected[edge];
  return {chosen, chosen + 1};
}

template <typename T>
HWY_INLINE T edge_weight(const FactorForm& form, const T* importance, int64_t factor) {
  return form.importance ? importance[factor] : T{1};
}

// Bound to one call: the inputs that every step of message passing reads.
template <class Ops, typename T>
struct MessagePass {
  const EdgeIndex& index;
  const FactorShape& shape;
  const FactorForm& form;
  const T* z;
  EdgeFactors<T> factors;
  Messages<T> messages;

  static constexpr int64_t kEntriesTogether = 8;
  // Without selection all importances of a node on one factor can be so small that they vanish. A
  // total that is no smaller can be divided by, also by its square.
  static constexpr T kLeastTotal = static_cast<T>(std::is_same_v<T, float> ? 1e-12 : 1e-100);

  T keep() const { return static_cast<T>(form.beta); }
  T mix() const { return static_cast<T>(1 - form.beta); }
  const T* importance(int64_t edge) const { return factors.importance + edge * shape.factors; }
  ActiveFactors active(int64_t edge) const {
    return active_factors(form, shape.factors, factors, edge);
  }
  T total(int64_t node, int64_t factor) const {
    return messages.totals[node * shape.factors + factor];
  }
  // What the message from sender to receiver is divided by.
  T divisor(int64_t receiver, int64_t sender, int64_t factor) const {
    return total(form.by_sender ? sender : receiver, factor);
  }
  const T* at(const T* vectors, int64_t node, int64_t factor) const {
    return vectors + node * shape.row() + factor * shape.width;
  }
  T* at(T* vectors, int64_t node, int64_t factor) const {
    return vectors + node * shape.row() + factor * shape.width;
  }

  int64_t num_entries() const { return static_cast<int64_t>(index.neighbors.size()); }

  // The part of a node's row that an edge reads.
  void prefetch_message(const T* vectors, int64_t node, int64_t edge) const {
    const ActiveFactors range = active(edge);
    Ops::prefetch(at(vectors, node, range.begin), (range.end - range.begin) * shape.width);
  }

  template <typename Body>
  void for_each_node(Body&& body) const {
    const int64_t work = static_cast<int64_t>(index.neighbors.size()) * shape.row() + shape.size();
    parallel_blocks(shape.nodes, rows_per_block(shape.nodes, work),
                    [&](int64_t begin, int64_t end) HWY_ATTR {
                      for (int64_t node = begin; node < end; ++node) {
                        body(node);
                      }
                    });
  }

  void sum_totals(int64_t node) const {
    T* totals = messages.totals + node * shape.factors;
    std::fill(totals, totals + shape.factors, T{0});
    for (int64_t entry = index.offsets[node]; entry < index.offsets[node + 1]; ++entry) {
      const int64_t edge = index.edge_of_entry[entry];
      const ActiveFactors range = active(edge);
      for (int64_t factor = range.begin; factor < range.end; ++factor) {
        totals[factor] += edge_weight(form, importance(edge), factor);
      }
    }
    if (!form.select && index.offsets[node] < index.offsets[node + 1]) {
      for (int64_t factor = 0; factor < shape.factors; ++factor) {
        totals[factor] = std::max(totals[factor], kLeastTotal);
      }
    }
  }

  void gather_messages(int64_t node) const {
    T* sums = messages.sums + node * shape.row();
    std::fill(sums, sums + shape.row(), T{0});
    for (int64_t entry = index.offsets[node]; entry < index.offsets[node + 1]; ++entry) {
      const int64_t edge = index.edge_of_entry[entry];
      const int64_t sender = index.neighbors[entry];
      const ActiveFactors range = active(edge);
      if (entry + kEntriesTogether < num_entries()) {
        const int64_t next = entry + kEntriesTogether;
        prefetch_message(z, index.neighbors[next], index.edge_of_entry[next]);
      }
      for (int64_t factor = range.begin; factor < range.end; ++factor) {
        const T weight = edge_weight(form, importance(edge), factor);
        const T divided = form.by_sender ? weight / total(sender, factor) : weight;
        Ops::axpy(sums + factor * shape.width, divided, at(z, sender, factor), shape.width);
      }
    }
  }

  void combine(int64_t node) const {
    for (int64_t factor = 0; factor < shape.factors; ++factor) {
      const T sum = total(node, factor);
      const T share = form.by_sender ? mix() : (sum > 0 ? mix() / sum : T{0});
      Ops::blend(at(messages.h, node, factor), keep(), at(z, node, factor), share,
                 at(messages.sums, node, factor), shape.width);
    }
  }

  void forward() const {
    if (form.by_sender) {
      for_each_node([&](int64_t node) HWY_ATTR { sum_totals(node); });
    }
    for_each_node([&](int64_t node) HWY_ATTR {
      if (!form.by_sender) {
        sum_totals(node);
      }
      gather_messages(node);
      combine(node);
    });
  }

  // Through the divisor: every weight of a node's edges lowers the share of the others.
  void totals_backward(int64_t node, const NodeGradients<T>& gradients) const {
    T* out = gradients.totals + node * shape.factors;
    if (!form.by_sender) {
      for (int64_t factor = 0; factor < shape.factors; ++factor) {
        const T sum = total(node, factor);
        if (sum > 0) {
          out[factor] -=
              mix() / (sum * sum) *
              Ops::dot(at(gradients.h, node, factor), at(messages.sums, node, factor), shape.width);
        }
      }
      return;
    }
    for (int64_t entry = index.offsets[node]; entry < index.offsets[node + 1]; ++entry) {
      const int64_t edge = index.edge_of_entry[entry];
      const int64_t receiver = index.neighbors[entry];
      const ActiveFactors range = active(edge);
      for (int64_t factor = range.begin; factor < range.end; ++factor) {
        const T sum = total(node, factor);
        out[factor] -=
            mix() * edge_weight(form, importance(edge), factor) / (sum * sum) *
            Ops::dot(at(gradients.h, receiver, factor), at(z, node, factor), shape.width);
      }
    }
  }

  // Dot products that some edges need, kGroupSize of each active factor.
  struct EdgeDots {
    explicit EdgeDots(const FactorShape& shape)
        : into_source(shape.factors * kGroupSize), into_target(shape.factors * kGroupSize) {}

    std::vector<T> into_source;  // gradient of the source's h times z of the target
    std::vector<T> into_target;
  };

  void multiply_edges(int64_t first, int64_t last, const T* h_gradient, EdgeDots& dots) const {
    const T *source_h[kGroupSize], *target_z[kGroupSize];
    const T *target_h[kGroupSize], *source_z[kGroupSize];
    const int64_t count = last - first;
    for (int64_t i = 0; i < kGroupSize; ++i) {
      const int64_t edge = std::min(first + i, last - 1);
      const int64_t factor = active(edge).begin;
      const auto [source, target] = index.ends[edge];
      source_h[i] = at(h_gradient, source, factor);
      target_h[i] = at(h_gradient, target, factor);
      source_z[i] = at(z, source, factor);
      target_z[i] = at(z, target, factor);
      const int64_t next = std::min(edge + kGroupSize, index.num_edges() - 1);
      prefetch_message(h_gradient, index.ends[next].target, next);
      prefetch_message(z, index.ends[next].target, next);
    }
    const int64_t each = form.select ? 1 : shape.factors;
    Ops::group_pair_dots(source_h, target_z, count, each, shape.width, dots.into_source.data());
    Ops::group_pair_dots(target_h, source_z, count, each, shape.width, dots.into_target.data());
  }

  // Gradient of an edge's weights, then of its similarities through the softmax. into_source and
  // into_target: of its active factors, kGroupSize apart.
  void edge_backward(int64_t edge, const T* into_source, const T* into_target,
                     const NodeGradients<T>& gradients, T* q_gradient) const {
    const int64_t s = index.ends[edge].source;
    const int64_t t = index.ends[edge].target;
    const T* alpha = importance(edge);
    T* weight = gradients.edge_weight + edge * shape.factors;
    T* q = q_gradient + edge * shape.factors;
    const ActiveFactors range = active(edge);
    const T scale = static_cast<T>(1 / form.temperature);
    T mean = 0;
    for (int64_t factor = range.begin; factor < range.end; ++factor) {
      const int64_t place = (factor - range.begin) * kGroupSize;
      weight[factor] += mix() * (into_source[place] / divisor(s, t, factor) +
                                 into_target[place] / divisor(t, s, factor)) +
                        gradients.totals[s * shape.factors + factor] +
                        gradients.totals[t * shape.factors + factor];
      mean += alpha[factor] * weight[factor];
    }
    for (int64_t factor = 0; factor < shape.factors; ++factor) {
      const bool is_active = factor >= range.begin && factor < range.end;
      q[factor] = scale * alpha[factor] * ((is_active ? weight[factor] : T{0}) - mean);
    }
  }

  void edges_backward(const NodeGradients<T>& gradients, T* q_gradient) const {
    for_each_edge_group<EdgeDots>(
        index.num_edges(), shape, [&](int64_t first, int64_t last, EdgeDots& dots) HWY_ATTR {
          multiply_edges(first, last, gradients.h, dots);
          for (int64_t edge = first; edge < last; ++edge) {
            edge_backward(edge, dots.into_source.data() + (edge - first),
                          dots.into_target.data() + (edge - first), gradients, q_gradient);
          }
        });
  }

  void node_backward(int64_t node, const NodeGradients<T>& gradients, const T* q_gradient) const {
    T* out = gradients.z + node * shape.row();
    Ops::axpy(out, keep(), gradients.h + node * shape.row(), shape.row());
    const int64_t end = index.offsets[node + 1];
    for (int64_t entry = index.offsets[node]; entry < end; ++entry) {
      const int64_t edge = index.edge_of_entry[entry];
      const int64_t other = index.neighbors[entry];
      const ActiveFactors range = active(edge);
      if (entry + kEntriesTogether < num_entries()) {
        const int64_t next = entry + kEntriesTogether;
        prefetch_message(gradients.h, index.neighbors[next], index.edge_of_entry[next]);
      }
      for (int64_t factor = range.begin; factor < range.end; ++factor) {
        const T share =
            mix() * edge_weight(form, importance(edge), factor) / divisor(other, node, factor);
        Ops::axpy(out + factor * shape.width, share, at(gradients.h, other, factor), shape.width);
      }
    }
    if (form.importance) {
      const int64_t first = index.offsets[node];
      Ops::add_rows(
          out, {z, index.neighbors.data() + first, end - first},
          ListedWeightRows<T>{q_gradient, index.edge_of_entry.data() + first, shape.factors},
          shape.factors, shape.width);
    }
  }

  void backward(const NodeGradients<T>& gradients, T* q_gradient) const {
    for_each_node([&](int64_t node) HWY_ATTR { totals_backward(node, gradients); });
    if (form.importance) {
      edges_backward(gradients, q_gradient);
    }
    for_each_node([&](int64_t node) HWY_ATTR { node_backward(node, gradients, q_gradient); });
  }
};

template <class Ops, typename T>
void edge_factors(const EdgeIndex& index, const FactorShape& shape, const FactorForm& form,
                  const T* z, EdgeFactors<T> out) {
  struct Similarities {
    explicit Similarities(const FactorShape& of) : values(group_room(of.factors)) {}
    std::vector<T> values;  // (factors, group)
  };
  const auto row = [&](int64_t node) { return z + node * shape.row(); };
  const auto inverse_temperature = static_cast<T>(1 / form.temperature);
  for_each_edge_group<Similarities>(
      index.num_edges(), shape,
      [&](int64_t first, int64_t last, Similarities& similarities) HWY_ATTR {
        T* const q = similarities.values.data();
        const T *sources[kGroupSize], *targets[kGroupSize];
        T *importance[kGroupSize], largest[kGroupSize];
        for (int64_t i = 0; i < kGroupSize; ++i) {
          const int64_t edge = std::min(first + i, last - 1);
          const int64_t next = std::min(edge + kGroupSize, index.num_edges() - 1);
          Ops::prefetch(row(index.ends[next].target), shape.row());
          sources[i] = row(index.ends[edge].source);
          targets[i] = row(index.ends[edge].target);
          importance[i] = out.importance + edge * shape.factors;
        }
        Ops::group_pair_dots(sources, targets, last - first, shape.factors, shape.width, q);
        Ops::group_largest(q, shape.factors, largest);
        for (int64_t edge = first; edge < last; ++edge) {
          out.selected[edge] = static_cast<int32_t>(largest[edge - first]);
        }
        Ops::softmax_across(q, kGroupSize, kGroupSize, shape.factors, inverse_temperature);
        Ops::scatter_group(q, last - first, shape.factors, importance);
      });
}

template <class Ops, typename T>
void pass_messages(const EdgeIndex& index, const FactorShape& shape, const FactorForm& form,
                   const T* z, EdgeFactors<T> factors, Messages<T> out) {
  MessagePass<Ops, T>{index, shape, form, z, factors, out}.forward();
}

template <class Ops, typename T>
void pass_messages_backward(const EdgeIndex& index, const FactorShape& shape,
                            const FactorForm& form, const T* z, EdgeFactors<T> factors,
                            Messages<T> messages, NodeGradients<T> gradients, T* q_gradient) {
  MessagePass<Ops, T>{index, shape, form, z, factors, messages}.backward(gradients, q_gradient);
}

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
