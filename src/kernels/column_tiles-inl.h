// Vectors that lists of edges gather, tile by tile of their columns.
//
// Where every vector is asked for many times and all of them do not fit into the second-level
// cache, a tile of their columns is copied together, stays there while all lists gather from it,
// and gives way to the next. Left in place, its rows would share few sets of the cache.
#if defined(DISENLINK_COLUMN_TILES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_COLUMN_TILES_INL_H
#undef DISENLINK_COLUMN_TILES_INL_H
#else
#define DISENLINK_COLUMN_TILES_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/buffer.h"
#include "kernels/directed_graph.h"
#include "kernels/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

// Columns begin .. begin + count of a head; node n's are at rows + n * step.
template <typename T>
struct ColumnTile {
  int64_t head;
  int64_t begin;
  int64_t count;
  const T* rows;
  int64_t step;
};

template <class Ops, typename T>
class ColumnTiles {
 public:
  ColumnTiles(const EdgeLists& lists, int64_t heads, int64_t width)
      : nodes_(static_cast<int64_t>(lists.offsets.size()) - 1),
        edges_(lists.offsets.back()),
        heads_(heads),
        width_(width) {}

  // x: (nodes, heads, width)
  template <typename Body>
  void for_each(const T* x, Body&& body) const {
    const int64_t widest = widest_tile();
    if (widest == 0) {
      for (int64_t head = 0; head < heads_; ++head) {
        body(ColumnTile<T>{head, 0, width_, x + head * width_, heads_ * width_});
      }
      return;
    }
    static thread_local Buffer<T> kept;  // fresh pages would cost more than the copy
    kept.resize(std::max<size_t>(kept.size(), nodes_ * widest));
    T* const packed = kept.data();
    for (int64_t head = 0; head < heads_; ++head) {
      for (int64_t begin = 0; begin < width_; begin += widest) {
        const int64_t count = std::min(widest, width_ - begin);
        pack(x + head * width_ + begin, count, packed);
        body(ColumnTile<T>{head, begin, count, packed, count});
      }
    }
  }

 private:
  // What fits into most of a second-level cache. 0: nothing is to be copied, for all fits or the
  // copy would cost as much as it saves.
  int64_t widest_tile() const {
    constexpr int64_t kCacheBytes = int64_t{5} << 18;
    constexpr int64_t kFewEdges = 6;  // a node
    const auto fits = [&](int64_t columns) {
      return nodes_ * columns * static_cast<int64_t>(sizeof(T)) <= kCacheBytes;
    };
    if (fits(heads_ * width_) || edges_ < kFewEdges * nodes_) {
      return 0;
    }
    return fits(128) ? 128 : fits(64) ? 64 : 32;
  }

  void pack(const T* from, int64_t count, T* packed) const {
    constexpr int64_t kValuesPerBlock = 1 << 16;
    parallel_blocks(nodes_, kValuesPerBlock / count + 1, [&](int64_t begin, int64_t end) HWY_ATTR {
      for (int64_t node = begin; node < end; ++node) {
        Ops::copy(from + node * heads_ * width_, count, packed + node * count);
      }
    });
  }

  int64_t nodes_;
  int64_t edges_;
  int64_t heads_;
  int64_t width_;
};

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
