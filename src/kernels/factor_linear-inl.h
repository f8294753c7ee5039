// The second layer: one small matrix for each factor.
//
//   z[n, k] = a[n, k] w[k] + b[k]      a: (nodes, factors, hidden), w: (factors, hidden, width)
#if defined(DISENLINK_FACTOR_LINEAR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_FACTOR_LINEAR_INL_H
#undef DISENLINK_FACTOR_LINEAR_INL_H
#else
#define DISENLINK_FACTOR_LINEAR_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/buffer.h"
#include "kernels/factor_layout.h"
#include "kernels/matrix_product.h"
#include "kernels/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

constexpr int64_t kNodesPerProduct = 240;  // whole tiles of rows
constexpr int64_t kHiddenPerProduct = 128;

// Calls body(factor, begin, end) for blocks of `count` items of every factor.
template <typename Body>
void for_each_factor_block(int64_t factors, int64_t count, int64_t size, Body&& body) {
  const int64_t blocks = (count + size - 1) / size;
  parallel_blocks(factors * blocks, 1, [&](int64_t task, int64_t) HWY_ATTR {
    const int64_t begin = task / factors * size;
    body(task % factors, begin, std::min(count, begin + size));
  });
}

template <class Ops, typename T>
void factor_linear(const FactorShape& shape, int64_t hidden, const T* a, const T* w, const T* b,
                   T* z) {
  const int64_t a_row = shape.factors * hidden;
  const int64_t width = shape.width;
  for_each_factor_block(shape.factors, shape.nodes, kNodesPerProduct,
                        [&](int64_t factor, int64_t begin, int64_t end) HWY_ATTR {
                          Ops::multiply({.m = end - begin,
                                         .n = width,
                                         .k = hidden,
                                         .a = {a + begin * a_row + factor * hidden, a_row},
                                         .b = {w + factor * hidden * width, width},
                                         .c = z + begin * shape.row() + factor * width,
                                         .c_step = shape.row(),
                                         .bias = b + factor * width});
                        });
}

template <class Ops, typename T>
void column_sums(int64_t rows, int64_t columns, const T* values, T* sums) {
  constexpr int64_t kColumns = 64;
  parallel_blocks(columns, kColumns, [&](int64_t begin, int64_t end) HWY_ATTR {
    std::fill(sums + begin, sums + end, T{0});
    for (int64_t row = 0; row < rows; ++row) {
      Ops::axpy(sums + begin, T{1}, values + row * columns + begin, end - begin);
    }
  });
}

// Some hidden units of one factor. Their part of `a` comes from memory once, a few nodes at a time:
// first the weights' gradient reads it, then its own gradient takes its place.
//
//   w_gradient[k] = a[:, k]^T z_gradient[:, k]
//   a[:, k] = z_gradient[:, k] w[k]^T where a was positive
template <class Ops, typename T>
struct HiddenUnits {
  const FactorShape& shape;
  int64_t hidden;
  int64_t factor;
  int64_t first;  // of all factors' units
  int64_t count;

  void backward(T* a, const T* w, const T* z_gradient, T* w_gradient) const {
    static thread_local Buffer<T> transposed;  // (width, count)
    transpose(w, transposed);
    const int64_t units_row = shape.factors * hidden;
    for (int64_t node = 0; node < shape.nodes; node += kNodesTogether) {
      const int64_t nodes = std::min(kNodesTogether, shape.nodes - node);
      const T* z = z_gradient + node * shape.row() + factor * shape.width;
      T* units = a + node * units_row + first;
      Ops::multiply({.m = count,
                     .n = shape.width,
                     .k = nodes,
                     .a = {units, 1, units_row},
                     .b = {z, shape.row()},
                     .c = w_gradient + first * shape.width,
                     .c_step = shape.width,
                     .add_to_c = node > 0});
      replace_by_gradient(nodes, units, z, transposed.data());
    }
  }

 private:
  static constexpr int64_t kNodesTogether = 256;

  void transpose(const T* w, Buffer<T>& to) const {
    to.resize(std::max<size_t>(to.size(), count * shape.width));
    const T* from = w + first * shape.width;
    for (int64_t i = 0; i < shape.width; ++i) {
      for (int64_t unit = 0; unit < count; ++unit) {
        to[i * count + unit] = from[unit * shape.width + i];
      }
    }
  }

  void replace_by_gradient(int64_t nodes, T* units, const T* z, const T* transposed) const {
    Ops::multiply({.m = nodes,
                   .n = count,
                   .k = shape.width,
                   .a = {z, shape.row()},
                   .b = {transposed, count},
                   .c = units,
                   .c_step = shape.factors * hidden,
                   .only_positive_c = true});
  }
};

template <class Ops, typename T>
void factor_linear_backward(const FactorShape& shape, int64_t hidden, T* a, const T* w,
                            const T* z_gradient, T* w_gradient, T* b_gradient) {
  column_sums<Ops, T>(shape.nodes, shape.row(), z_gradient, b_gradient);
  for_each_factor_block(
      shape.factors, hidden, kHiddenPerProduct,
      [&](int64_t factor, int64_t begin, int64_t end) HWY_ATTR {
        HiddenUnits<Ops, T>{shape, hidden, factor, factor * hidden + begin, end - begin}.backward(
            a, w, z_gradient, w_gradient);
      });
}

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
