// The first layer on sparse rows, x: (rows, columns), and its gradient.
//
// A tile of the dense matrix's columns is copied together once, which also gives its column sums,
// and then stays in the second-level cache while all sparse rows gather from it. Left in place, its
// rows would share few sets of the cache, for their distance is a multiple of a power of two.
#if defined(DISENLINK_SPARSE_PROJECTION_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_SPARSE_PROJECTION_INL_H
#undef DISENLINK_SPARSE_PROJECTION_INL_H
#else
#define DISENLINK_SPARSE_PROJECTION_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <vector>

#include "kernels/buffer.h"
#include "kernels/factor_kernels.h"
#include "kernels/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

// Parts of rows that lie far apart: no processor foresees the next one.
constexpr int64_t kRowsAhead = 4;

// The widest tile whose packed rows fit into most of a second-level cache.
template <typename T>
int64_t projection_tile(int64_t dense_rows) {
  constexpr int64_t kCacheBytes = int64_t{5} << 18;
  for (const int64_t width : {128, 64}) {
    if (dense_rows * width * static_cast<int64_t>(sizeof(T)) <= kCacheBytes) {
      return width;
    }
  }
  return 32;
}

// Calls body(packed, begin, count) for the tiles of a dense matrix; packed is (rows, count).
template <class Ops, typename T, typename Body>
void for_each_tile(int64_t rows, int64_t width, const T* dense, Body&& body) {
  parallel_blocks(width, projection_tile<T>(rows), [&](int64_t begin, int64_t end) HWY_ATTR {
    const int64_t count = end - begin;
    // Kept from call to call: fresh pages would cost more than the copy.
    static thread_local Buffer<T> packed;
    packed.resize(std::max<size_t>(packed.size(), rows * count));
    for (int64_t row = 0; row < rows; ++row) {
      Ops::prefetch(dense + std::min(row + kRowsAhead, rows - 1) * width + begin, count);
      Ops::copy(dense + row * width + begin, count, packed.data() + row * count);
    }
    body(static_cast<const T*>(packed.data()), begin, count);
  });
}

// out = x w + b, through a ReLU if wanted, with row i of x lowered by shifts[i].
template <class Ops, typename T>
void sparse_project(const SparseMatrix<T>& x, const T* shifts, int64_t width, const T* w,
                    const T* b, bool relu, T* out) {
  for_each_tile<Ops>(x.columns, width, w,
                     [&](const T* packed, int64_t begin, int64_t count) HWY_ATTR {
                       std::vector<T> sums(count, T{0});
                       if (shifts != nullptr) {
                         for (int64_t column = 0; column < x.columns; ++column) {
                           Ops::axpy(sums.data(), T{1}, packed + column * count, count);
                         }
                       }
                       for (int64_t row = 0; row < x.rows; ++row) {
                         T* result = out + row * width + begin;
                         Ops::prefetch_to_write(
                             out + std::min(row + kRowsAhead, x.rows - 1) * width + begin, count);
                         const int64_t first = x.offsets[row];
                         Ops::gather_sum(result, count, x.indices + first, x.values + first,
                                         x.offsets[row + 1] - first, packed, count);
                         const T shift = shifts == nullptr ? T{0} : shifts[row];
                         if (relu) {
                           Ops::relu_shifted(result, b + begin, shift, sums.data(), count);
                         } else {
                           Ops::axpy(result, T{1}, b + begin, count);
                           Ops::axpy(result, -shift, sums.data(), count);
                         }
                       }
                     });
}

// by_column: the transpose of x. slope: (rows of x, width).
template <class Ops, typename T>
void sparse_project_backward(const SparseMatrix<T>& by_column, const T* shifts, int64_t width,
                             const T* slope, T* w_gradient, T* b_gradient) {
  for_each_tile<Ops>(
      by_column.columns, width, slope, [&](const T* packed, int64_t begin, int64_t count) HWY_ATTR {
        std::vector<T> shifted(count, T{0});
        std::fill_n(b_gradient + begin, count, T{0});
        for (int64_t row = 0; row < by_column.columns; ++row) {
          Ops::axpy(b_gradient + begin, T{1}, packed + row * count, count);
          if (shifts != nullptr) {
            Ops::axpy(shifted.data(), shifts[row], packed + row * count, count);
          }
        }
        for (int64_t column = 0; column < by_column.rows; ++column) {
          T* result = w_gradient + column * width + begin;
          Ops::prefetch_to_write(
              w_gradient + std::min(column + kRowsAhead, by_column.rows - 1) * width + begin,
              count);
          const int64_t first = by_column.offsets[column];
          Ops::gather_sum(result, count, by_column.indices + first, by_column.values + first,
                          by_column.offsets[column + 1] - first, packed, count);
          if (shifts != nullptr) {
            Ops::axpy(result, T{-1}, shifted.data(), count);
          }
        }
      });
}

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
