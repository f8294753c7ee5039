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

// values become their softmax
template <class Ops, typename T>
HWY_INLINE void softmax(T* values, int64_t count) {
  const T largest = *std::max_element(values, values + count);
  T sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    values[i] -= largest;
  }
  Ops::exponentials(values, count);
  for (int64_t i = 0; i < count; ++i) {
    sum += values[i];
  }
  for (int64_t i = 0; i < count; ++i) {
    values[i] /= sum;
  }
}

// A vector of no length stays: its direction means nothing.
template <typename T>
constexpr T kLeastLength = static_cast<T>(1e-12);

template <class Ops, typename T>
void route(const EdgeLists& lists, HeadShape shape, const RoutingRound<T>& round) {
  const int64_t row = shape.heads * shape.width;
  for_each_list(lists, 2 * row, [&](int64_t node, int64_t first, int64_t last) HWY_ATTR {
    T* const sum = round.after + node * row;
    Ops::copy(round.c + node * row, row, sum);
    for (int64_t entry = first; entry < last; ++entry) {
      T* const shares = round.shares + lists.edges[entry] * shape.heads;
      Ops::dots(round.c + lists.others[entry] * row, round.before + node * row, shape.heads,
                shape.width, shares);
      for (int64_t head = 0; head < shape.heads; ++head) {
        shares[head] *= round.inverse_temperature;
      }
      softmax<Ops>(shares, shape.heads);
    }
    for (int64_t head = 0; head < shape.heads; ++head) {
      T* const vector = sum + head * shape.width;
      Ops::add_gathered(vector, shape.width, rows_of(lists, first, last), round.shares + head,
                        shape.heads, round.c + head * shape.width, row);
      const T length = std::max(kLeastLength<T>, std::sqrt(Ops::dot(vector, vector, shape.width)));
      round.lengths[node * shape.heads + head] = length;
      Ops::blend(vector, 1 / length, vector, T{0}, vector, shape.width);
    }
  });
}

// What reaches a receiver: gradients of its sum, of the agreements on its edges, and of what it
// compared with.
template <class Ops, typename T>
void route_backward_receivers(const EdgeLists& lists, HeadShape shape, const RoutingRound<T>& round,
                              const RoutingGradients<T>& gradients) {
  const int64_t row = shape.heads * shape.width;
  for_each_list(lists, 2 * row, [&](int64_t node, int64_t first, int64_t last) HWY_ATTR {
    T* const sums = gradients.sums + node * row;
    for (int64_t head = 0; head < shape.heads; ++head) {
      const int64_t at = node * row + head * shape.width;
      const T length = round.lengths[node * shape.heads + head];
      const T along = length > kLeastLength<T>
                          ? Ops::dot(gradients.after + at, round.after + at, shape.width)
                          : T{0};
      Ops::blend(sums + head * shape.width, 1 / length, gradients.after + at, -along / length,
                 round.after + at, shape.width);
    }
    for (int64_t entry = first; entry < last; ++entry) {
      const T* const shares = round.shares + lists.edges[entry] * shape.heads;
      T* const slopes = gradients.logits + lists.edges[entry] * shape.heads;
      Ops::dots(round.c + lists.others[entry] * row, sums, shape.heads, shape.width, slopes);
      const T mean = PlainOps<T>::dot(shares, slopes, shape.heads);
      for (int64_t head = 0; head < shape.heads; ++head) {
        slopes[head] = round.inverse_temperature * shares[head] * (slopes[head] - mean);
      }
    }
    std::fill_n(gradients.before + node * row, row, T{0});
    for (int64_t head = 0; head < shape.heads; ++head) {
      Ops::add_gathered(gradients.before + node * row + head * shape.width, shape.width,
                        rows_of(lists, first, last), gradients.logits + head, shape.heads,
                        round.c + head * shape.width, row);
    }
  });
}

template <class Ops, typename T>
void route_backward(const EdgeLists& by_receiver, const EdgeLists& by_sender, HeadShape shape,
                    const RoutingRound<T>& round, const RoutingGradients<T>& gradients) {
  route_backward_receivers<Ops, T>(by_receiver, shape, round, gradients);
  const int64_t row = shape.heads * shape.width;
  for_each_list(by_sender, 2 * row, [&](int64_t node, int64_t first, int64_t last) HWY_ATTR {
    Ops::copy(gradients.sums + node * row, row, gradients.c + node * row);
    for (int64_t head = 0; head < shape.heads; ++head) {
      const int64_t at = head * shape.width;
      T* const out = gradients.c + node * row + at;
      const GatheredRows rows = rows_of(by_sender, first, last);
      Ops::add_gathered(out, shape.width, rows, round.shares + head, shape.heads,
                        gradients.sums + at, row);
      Ops::add_gathered(out, shape.width, rows, gradients.logits + head, shape.heads,
                        round.before + at, row);
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
