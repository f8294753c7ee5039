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
#include <vector>

#include "kernels/factor_layout.h"
#include "kernels/matrix_product.h"
#include "kernels/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

constexpr int64_t kNodesPerProduct = 240;  // whole tiles of rows
constexpr int64_t kHiddenPerProduct = 96;

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

// w_gradient[k] = a[:, k]^T z_gradient[:, k]
template <class Ops, typename T>
void factor_weight_gradient(const FactorShape& shape, int64_t hidden, const T* a,
                            const T* z_gradient, T* w_gradient) {
  const int64_t width = shape.width;
  for_each_factor_block(shape.factors, hidden, kHiddenPerProduct,
                        [&](int64_t factor, int64_t begin, int64_t end) HWY_ATTR {
                          const int64_t first = factor * hidden + begin;
                          Ops::multiply({.m = end - begin,
                                         .n = width,
                                         .k = shape.nodes,
                                         .a = {a + first, 1, shape.factors * hidden},
                                         .b = {z_gradient + factor * width, shape.row()},
                                         .c = w_gradient + first * width,
                                         .c_step = width});
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

// a[:, k] = z_gradient[:, k] w[k]^T where a was positive
template <class Ops, typename T>
void factor_input_gradient(const FactorShape& shape, int64_t hidden, T* a, const T* w,
                           const T* z_gradient) {
  const int64_t width = shape.width;
  const int64_t a_row = shape.factors * hidden;
  std::vector<T> transposed(shape.factors * width * hidden);
  parallel_blocks(shape.factors, 1, [&](int64_t factor, int64_t) {
    const T* from = w + factor * hidden * width;
    T* to = transposed.data() + factor * hidden * width;
    for (int64_t row = 0; row < hidden; ++row) {
      for (int64_t i = 0; i < width; ++i) {
        to[i * hidden + row] = from[row * width + i];
      }
    }
  });
  for_each_factor_block(
      shape.factors, shape.nodes, kNodesPerProduct,
      [&](int64_t factor, int64_t begin, int64_t end) HWY_ATTR {
        Ops::multiply({.m = end - begin,
                       .n = hidden,
                       .k = width,
                       .a = {z_gradient + begin * shape.row() + factor * width, shape.row()},
                       .b = {transposed.data() + factor * hidden * width, hidden},
                       .c = a + begin * a_row + factor * hidden,
                       .c_step = a_row,
                       .only_positive_c = true});
      });
}

template <class Ops, typename T>
void factor_linear_backward(const FactorShape& shape, int64_t hidden, T* a, const T* w,
                            const T* z_gradient, T* w_gradient, T* b_gradient) {
  factor_weight_gradient<Ops, T>(shape, hidden, a, z_gradient, w_gradient);
  column_sums<Ops, T>(shape.nodes, shape.row(), z_gradient, b_gradient);
  factor_input_gradient<Ops, T>(shape, hidden, a, w, z_gradient);
}

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
