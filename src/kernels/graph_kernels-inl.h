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

#include "kernels/aggregate-inl.h"
#include "kernels/edge_blocks-inl.h"
#include "kernels/graph_kernels.h"
#include "kernels/plain_ops.h"
#include "kernels/routing-inl.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

template <class Ops, typename T>
void list_row_sums(const EdgeLists& lists, int64_t width, const T* x, T* out) {
  for_each_list(lists, width, [&](int64_t node, int64_t first, int64_t last) HWY_ATTR {
    Ops::sum_rows(out + node * width, width, lists.others.data() + first, last - first, x, width);
  });
}

template <class Ops, typename T>
void mean_tanh(const EdgeLists& lists, int64_t width, const T* x, const T* b, T* out,
               int64_t out_step) {
  for_each_block(lists, width, [&](int64_t begin, int64_t end) HWY_ATTR {
    for (int64_t node = begin; node < end; ++node) {
      T* const row = out + node * out_step;
      const int64_t first = lists.offsets[node];
      const int64_t count = lists.offsets[node + 1] - first;
      Ops::sum_rows(row, width, lists.others.data() + first, count, x, width);
      Ops::scale_shifted(row, b, 1 / static_cast<T>(count), width);
      if (width != out_step) {
        Ops::tanh_each(row, width);
      }
    }
    // Short rows that touch fill whole vectors together.
    if (width == out_step) {
      Ops::tanh_each(out + begin * width, (end - begin) * width);
    }
  });
}

template <class Ops, typename T>
void mean_tanh_backward(const EdgeLists& lists, int64_t width, const T* out, const T* out_slopes,
                        int64_t out_step, T* slopes) {
  for_each_list(lists, width, [&](int64_t node, int64_t first, int64_t last) HWY_ATTR {
    Ops::tanh_slopes(slopes + node * width, 1 / static_cast<T>(last - first),
                     out_slopes + node * out_step, out + node * out_step, width);
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
  constexpr int64_t kWorkOfExponential = 2;
  for_each_list(
      lists, heads * kWorkOfExponential, [&](int64_t, int64_t first, int64_t last) HWY_ATTR {
        static thread_local std::vector<T> of_heads;
        of_heads.assign(heads, -std::numeric_limits<T>::infinity());
        T* const of_head = of_heads.data();
        const auto for_each_value = [&](auto&& body) {
          for (T* edge = values + first * heads; edge < values + last * heads; edge += heads) {
            for (int64_t head = 0; head < heads; ++head) {
              body(edge[head], of_head[head]);
            }
          }
        };
        for_each_value([](T value, T& largest) { largest = std::max(largest, value); });
        for_each_value([](T& value, T largest) { value -= largest; });
        Ops::exponentials(values + first * heads, (last - first) * heads);
        std::fill_n(of_head, heads, T{0});
        for_each_value([](T value, T& sum) { sum += value; });
        std::transform(of_head, of_head + heads, of_head, [](T sum) { return 1 / sum; });
        for_each_value([](T& value, T inverse) { value *= inverse; });
      });
}

template <class Ops, typename T>
void list_softmax_backward(const EdgeLists& lists, int64_t heads, const T* weights, T* slopes) {
  for_each_list(lists, heads, [&](int64_t, int64_t first, int64_t last) {
    static thread_local std::vector<T> of_heads;
    of_heads.assign(heads, T{0});
    T* const along = of_heads.data();
    for (int64_t at = first * heads; at < last * heads; at += heads) {
      for (int64_t head = 0; head < heads; ++head) {
        along[head] += weights[at + head] * slopes[at + head];
      }
    }
    for (int64_t at = first * heads; at < last * heads; at += heads) {
      for (int64_t head = 0; head < heads; ++head) {
        slopes[at + head] = weights[at + head] * (slopes[at + head] - along[head]);
      }
    }
  });
}

template <class Ops, typename T>
GraphKernels<T> make_graph_kernels() {
  return {&aggregate<Ops, T>,
          &aggregate_heads<Ops, T>,
          &list_row_sums<Ops, T>,
          &mean_tanh<Ops, T>,
          &mean_tanh_backward<Ops, T>,
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
