// Weighted sums of the vectors at the far ends of edges, tile by tile of their columns.
#if defined(DISENLINK_AGGREGATE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_AGGREGATE_INL_H
#undef DISENLINK_AGGREGATE_INL_H
#else
#define DISENLINK_AGGREGATE_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/buffer.h"
#include "kernels/column_tiles-inl.h"
#include "kernels/edge_blocks-inl.h"
#include "kernels/graph_kernels.h"
#include "kernels/plain_ops.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

// Values of edges: (edges, heads) in the order of their numbers <-> (heads, edges) in that of the
// lists. Calls body(value by number, value by list).
template <typename Numbered, typename Listed, typename Body>
void for_each_edge_value(const EdgeLists& lists, int64_t heads, Numbered* by_number,
                         Listed* by_list, Body&& body) {
  const int64_t edges = lists.offsets.back();
  constexpr int64_t kGrain = 1 << 14;
  parallel_blocks(edges, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t entry = begin; entry < end; ++entry) {
      Numbered* const of_edge = by_number + lists.edges[entry] * heads;
      for (int64_t head = 0; head < heads; ++head) {
        body(of_edge[head], by_list[head * edges + entry]);
      }
    }
  });
}

// Memory for values of edges, kept from call to call: fresh pages would cost more than the sums.
template <typename T>
T* lasting_memory(int64_t count) {
  static thread_local Buffer<T> values;
  values.resize(std::max<size_t>(values.size(), count));
  return values.data();
}

// x: (nodes, x_heads, width), one head or as many as the weights; out: (nodes, out_heads, width),
// likewise. What there is one of serves all heads.
template <class Ops, typename T>
void aggregate_along(const EdgeLists& lists, HeadShape shape, int64_t x_heads, int64_t out_heads,
                     const T* weights, const T* x, T* out) {
  const int64_t edges = lists.offsets.back();
  const T* listed = weights;
  if (shape.heads > 1 || !lists.in_order) {
    T* const memory = lasting_memory<T>(edges * shape.heads);
    for_each_edge_value(lists, shape.heads, weights, memory,
                        [](T numbered, T& in_list) { in_list = numbered; });
    listed = memory;
  }
  ColumnTiles<Ops, T>(lists, x_heads, shape.width).for_each(x, [&](const ColumnTile<T>& tile) {
    for (int64_t head = tile.head; head < shape.heads; head += x_heads) {
      const T* const of_head = listed + head * edges;
      T* const first = out + (out_heads == 1 ? 0 : head) * shape.width + tile.begin;
      const bool adds_up = out_heads == 1 && head > 0;
      for_each_list(lists, tile.count, [&](int64_t node, int64_t entry, int64_t last) HWY_ATTR {
        T* const row = first + node * shape.width * out_heads;
        const int32_t* const others = lists.others.data() + entry;
        if (adds_up) {
          Ops::add_sum(row, tile.count, others, of_head + entry, last - entry, tile.rows,
                       tile.step);
        } else {
          Ops::gather_sum(row, tile.count, others, of_head + entry, last - entry, tile.rows,
                          tile.step);
        }
      });
    }
  });
}

template <class Ops, typename T>
void aggregate(const EdgeLists& lists, HeadShape shape, bool shared, const T* weights, const T* x,
               T* out) {
  aggregate_along<Ops>(lists, shape, shared ? 1 : shape.heads, shape.heads, weights, x, out);
}

template <class Ops, typename T>
void aggregate_heads(const EdgeLists& lists, HeadShape shape, const T* weights, const T* x,
                     T* out) {
  aggregate_along<Ops>(lists, shape, shape.heads, 1, weights, x, out);
}

// Adds own.(rows of a list's entries) to the sums.
template <class Ops, typename T>
void add_dots(const T* own, const ColumnTile<T>& tile, const int32_t* others, int64_t count,
              T* sums) {
  if (tile.count % kPanelWidth != 0) {
    for (int64_t i = 0; i < count; ++i) {
      sums[i] += Ops::dot(own, tile.rows + others[i] * tile.step, tile.count);
    }
    return;
  }
  for (int64_t first = 0; first < count; first += kGroupSize) {
    const int64_t some = std::min(kGroupSize, count - first);
    const T* rows[kGroupSize];
    T products[kGroupSize];
    for (int64_t i = 0; i < kGroupSize; ++i) {
      rows[i] = tile.rows + others[first + (i < some ? i : 0)] * tile.step;
    }
    Ops::group_dots(own, rows, some, 1, tile.count, products);
    for (int64_t i = 0; i < some; ++i) {
      sums[first + i] += products[i];
    }
  }
}

template <class Ops, typename T>
void edge_dots(const EdgeLists& lists, HeadShape shape, bool shared, const T* a, const T* b,
               T* out) {
  const int64_t edges = lists.offsets.back();
  const int64_t a_heads = shared ? 1 : shape.heads;
  T* const sums = lasting_memory<T>(edges * shape.heads);
  std::fill_n(sums, edges * shape.heads, T{0});
  ColumnTiles<Ops, T>(lists, a_heads, shape.width).for_each(a, [&](const ColumnTile<T>& tile) {
    for (int64_t head = tile.head; head < shape.heads; head += a_heads) {
      const T* const own = b + head * shape.width + tile.begin;
      T* const of_head = sums + head * edges;
      for_each_list(lists, tile.count, [&](int64_t node, int64_t entry, int64_t last) HWY_ATTR {
        add_dots<Ops>(own + node * shape.heads * shape.width, tile, lists.others.data() + entry,
                      last - entry, of_head + entry);
      });
    }
  });
  for_each_edge_value(lists, shape.heads, out, sums,
                      [](T& numbered, T in_list) { numbered = in_list; });
}

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
