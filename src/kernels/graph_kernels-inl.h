// Sums, products and softmax along the edges of a graph.
#if defined(DISENLINK_GRAPH_KERNELS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_GRAPH_KERNELS_INL_H
#undef DISENLINK_GRAPH_KERNELS_INL_H
#else
#define DISENLINK_GRAPH_KERNELS_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/graph_kernels.h"
#include "kernels/parallel.h"
#include "kernels/plain_ops.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

// Calls body(node, first entry, last entry); a block is some hundred thousand operations.
template <typename Body>
void for_each_list(const EdgeLists& lists, int64_t work_per_entry, Body&& body) {
  constexpr int64_t kWorkPerBlock = 1 << 18;
  const int64_t nodes = static_cast<int64_t>(lists.offsets.size()) - 1;
  const int64_t work = (lists.offsets.back() + nodes) * work_per_entry;
  const int64_t blocks = work / kWorkPerBlock + 1;
  parallel_blocks(nodes, (nodes + blocks - 1) / blocks, [&](int64_t begin, int64_t end) HWY_ATTR {
    for (int64_t node = begin; node < end; ++node) {
      body(node, lists.offsets[node], lists.offsets[node + 1]);
    }
  });
}

inline GatheredRows rows_of(const EdgeLists& lists, int64_t first, int64_t last) {
  return {last - first, lists.others.data() + first, lists.edges.data() + first};
}

template <class Ops, typename T>
void aggregate(const EdgeLists& lists, HeadShape shape, bool shared, const T* weights, const T* x,
               T* out) {
  const int64_t row = shape.heads * shape.width;
  const int64_t x_row = shared ? shape.width : row;
  for_each_list(lists, row, [&](int64_t node, int64_t first, int64_t last) HWY_ATTR {
    std::fill_n(out + node * row, row, T{0});
    for (int64_t head = 0; head < shape.heads; ++head) {
      Ops::add_gathered(out + node * row + head * shape.width, shape.width,
                        rows_of(lists, first, last), weights + head, shape.heads,
                        x + (shared ? 0 : head * shape.width), x_row);
    }
  });
}

template <class Ops, typename T>
void aggregate_heads(const EdgeLists& lists, HeadShape shape, const T* weights, const T* x,
                     T* out) {
  const int64_t row = shape.heads * shape.width;
  for_each_list(lists, row, [&](int64_t node, int64_t first, int64_t last) HWY_ATTR {
    T* const result = out + node * shape.width;
    std::fill_n(result, shape.width, T{0});
    for (int64_t head = 0; head < shape.heads; ++head) {
      Ops::add_gathered(result, shape.width, rows_of(lists, first, last), weights + head,
                        shape.heads, x + head * shape.width, row);
    }
  });
}

template <class Ops, typename T>
void edge_dots(const EdgeLists& lists, HeadShape shape, bool shared, const T* a, const T* b,
               T* out) {
  const int64_t row = shape.heads * shape.width;
  for_each_list(lists, row, [&](int64_t node, int64_t first, int64_t last) HWY_ATTR {
    for (int64_t entry = first; entry < last; ++entry) {
      T* const result = out + lists.edges[entry] * shape.heads;
      if (shared) {
        const T* other = a + lists.others[entry] * shape.width;
        for (int64_t head = 0; head < shape.heads; ++head) {
          result[head] = Ops::dot(other, b + node * row + head * shape.width, shape.width);
        }
      } else {
        Ops::dots(a + lists.others[entry] * row, b + node * row, shape.heads, shape.width, result);
      }
    }
  });
}

template <class Ops, typename T>
void edge_sums(const EdgeLists& lists, int64_t heads, const T* a, const T* b, T* out) {
  for_each_list(lists, heads, [&](int64_t node, int64_t first, int64_t last) {
    for (int64_t entry = first; entry < last; ++entry) {
      for (int64_t head = 0; head < heads; ++head) {
        out[lists.edges[entry] * heads + head] =
            a[lists.others[entry] * heads + head] + b[node * heads + head];
      }
    }
  });
}

template <class Ops, typename T>
void list_sums(const EdgeLists& lists, int64_t heads, const T* values, T* out) {
  for_each_list(lists, heads, [&](int64_t node, int64_t first, int64_t last) {
    std::fill_n(out + node * heads, heads, T{0});
    for (int64_t entry = first; entry < last; ++entry) {
      for (int64_t head = 0; head < heads; ++head) {
        out[node * heads + head] += values[lists.edges[entry] * heads + head];
      }
    }
  });
}

template <class Ops, typename T>
void list_softmax(const EdgeLists& lists, int64_t heads, T* values) {
  constexpr int64_t kWorkOfExponential = 8;
  for_each_list(lists, heads * kWorkOfExponential, [&](int64_t, int64_t first, int64_t last) {
    for (int64_t head = 0; head < heads; ++head) {
      const auto value = [&](int64_t entry) -> T& {
        return values[lists.edges[entry] * heads + head];
      };
      T largest = -std::numeric_limits<T>::infinity();
      for (int64_t entry = first; entry < last; ++entry) {
        largest = std::max(largest, value(entry));
      }
      T sum = 0;
      for (int64_t entry = first; entry < last; ++entry) {
        value(entry) = std::exp(value(entry) - largest);
        sum += value(entry);
      }
      for (int64_t entry = first; entry < last; ++entry) {
        value(entry) /= sum;
      }
    }
  });
}

template <class Ops, typename T>
void list_softmax_backward(const EdgeLists& lists, int64_t heads, const T* weights, T* slopes) {
  for_each_list(lists, heads, [&](int64_t, int64_t first, int64_t last) {
    for (int64_t head = 0; head < heads; ++head) {
      T along = 0;
      for (int64_t entry = first; entry < last; ++entry) {
        const int64_t at = lists.edges[entry] * heads + head;
        along += weights[at] * slopes[at];
      }
      for (int64_t entry = first; entry < last; ++entry) {
        const int64_t at = lists.edges[entry] * heads + head;
        slopes[at] = weights[at] * (slopes[at] - along);
      }
    }
  });
}

// Some edges of a node: vectors of the nodes at their other ends, and values of the edges.
template <class Ops, typename T>
struct EdgeGroup {
  int64_t count = 0;
  const T* rows[kGroupSize];
  T* values[kGroupSize];

  // From entry `first` on; the rows of the group after it are fetched meanwhile.
  EdgeGroup(const EdgeLists& lists, int64_t first, int64_t last, const T* vectors, int64_t row,
            T* edge_values, int64_t heads)
      : count(std::min(kGroupSize, last - first)) {
    const auto num_entries = static_cast<int64_t>(lists.others.size());
    for (int64_t i = 0; i < count; ++i) {
      if (first + i + kGroupSize < num_entries) {
        Ops::prefetch(vectors + lists.others[first + i + kGroupSize] * row, row);
      }
      rows[i] = vectors + lists.others[first + i] * row;
      values[i] = edge_values + lists.edges[first + i] * heads;
    }
    std::fill(rows + count, rows + kGroupSize, rows[0]);
  }
};

// A vector of no length stays: its direction means nothing.
template <typename T>
constexpr T kLeastLength = static_cast<T>(1e-12);

template <class Ops, typename T>
void route(const EdgeLists& lists, HeadShape shape, const RoutingRound<T>& round) {
  const int64_t heads = shape.heads;
  const int64_t row = heads * shape.width;
  for_each_list(lists, 2 * row, [&](int64_t node, int64_t first, int64_t last) HWY_ATTR {
    std::vector<T> shares(heads * kGroupSize);
    T* const sum = round.after + node * row;
    Ops::copy(round.c + node * row, row, sum);
    for (; first < last; first += kGroupSize) {
      const EdgeGroup<Ops, T> group(lists, first, last, round.c, row, round.shares, heads);
      Ops::group_dots(round.before + node * row, group.rows, group.count, heads, shape.width,
                      shares.data());
      Ops::group_softmax(shares.data(), heads, round.inverse_temperature);
      scatter_group(shares.data(), group.count, heads, group.values);
      Ops::add_group(sum, group.rows, group.values, group.count, heads, shape.width);
    }
    for (int64_t head = 0; head < heads; ++head) {
      T* const vector = sum + head * shape.width;
      const T length = std::max(kLeastLength<T>, std::sqrt(Ops::dot(vector, vector, shape.width)));
      round.lengths[node * heads + head] = length;
      Ops::blend(vector, 1 / length, vector, T{0}, vector, shape.width);
    }
  });
}

// Through the unit length: from the gradient of a node's vector to that of its sum.
template <class Ops, typename T>
void route_lengths_backward(int64_t node, HeadShape shape, const RoutingRound<T>& round,
                            const RoutingGradients<T>& gradients) {
  for (int64_t head = 0; head < shape.heads; ++head) {
    const int64_t at = (node * shape.heads + head) * shape.width;
    const T length = round.lengths[node * shape.heads + head];
    const T along = length > kLeastLength<T>
                        ? Ops::dot(gradients.after + at, round.after + at, shape.width)
                        : T{0};
    Ops::blend(gradients.sums + at, 1 / length, gradients.after + at, -along / length,
               round.after + at, shape.width);
  }
}

// What reaches a receiver: gradients of its sum, of the agreements on its edges, and of what it
// compared with.
template <class Ops, typename T>
void route_backward_receivers(const EdgeLists& lists, HeadShape shape, const RoutingRound<T>& round,
                              const RoutingGradients<T>& gradients) {
  const int64_t heads = shape.heads;
  const int64_t row = heads * shape.width;
  for_each_list(lists, 2 * row, [&](int64_t node, int64_t first, int64_t last) HWY_ATTR {
    route_lengths_backward<Ops, T>(node, shape, round, gradients);
    std::vector<T> slopes(heads * kGroupSize);
    std::fill_n(gradients.before + node * row, row, T{0});
    for (; first < last; first += kGroupSize) {
      const EdgeGroup<Ops, T> group(lists, first, last, round.c, row, gradients.logits, heads);
      Ops::group_dots(gradients.sums + node * row, group.rows, group.count, heads, shape.width,
                      slopes.data());
      scatter_group(slopes.data(), group.count, heads, group.values);
      for (int64_t i = 0; i < group.count; ++i) {
        T* const slope = group.values[i];
        const T* const shares = round.shares + lists.edges[first + i] * heads;
        const T mean = PlainOps<T>::dot(shares, slope, heads);
        for (int64_t head = 0; head < heads; ++head) {
          slope[head] = round.inverse_temperature * shares[head] * (slope[head] - mean);
        }
      }
      Ops::add_group(gradients.before + node * row, group.rows, group.values, group.count, heads,
                     shape.width);
    }
  });
}

template <class Ops, typename T>
void route_backward(const EdgeLists& by_receiver, const EdgeLists& by_sender, HeadShape shape,
                    const RoutingRound<T>& round, const RoutingGradients<T>& gradients) {
  route_backward_receivers<Ops, T>(by_receiver, shape, round, gradients);
  const int64_t heads = shape.heads;
  const int64_t row = heads * shape.width;
  for_each_list(by_sender, 2 * row, [&](int64_t node, int64_t first, int64_t last) HWY_ATTR {
    T* const out = gradients.c + node * row;
    Ops::copy(gradients.sums + node * row, row, out);
    for (; first < last; first += kGroupSize) {
      const EdgeGroup<Ops, T> sums(by_sender, first, last, gradients.sums, row, round.shares,
                                   heads);
      Ops::add_group(out, sums.rows, sums.values, sums.count, heads, shape.width);
      const EdgeGroup<Ops, T> before(by_sender, first, last, round.before, row, gradients.logits,
                                     heads);
      Ops::add_group(out, before.rows, before.values, before.count, heads, shape.width);
    }
  });
}

template <class Ops, typename T>
GraphKernels<T> make_graph_kernels() {
  return {&aggregate<Ops, T>,
          &aggregate_heads<Ops, T>,
          &edge_dots<Ops, T>,
          &edge_sums<Ops, T>,
          &list_sums<Ops, T>,
          &list_softmax<Ops, T>,
          &list_softmax_backward<Ops, T>,
          &route<Ops, T>,
          &route_backward<Ops, T>};
}

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
