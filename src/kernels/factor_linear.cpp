#include "kernels/factor_linear.h"

#include <algorithm>

#include "kernels/gemm.h"
#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kNodesPerBlock = 256;
constexpr int64_t kHiddenPerBlock = 64;

// Calls body(factor, begin, end) for blocks of `count` items of every factor.
template <typename Body>
void for_each_block(int64_t factors, int64_t count, int64_t size, Body&& body) {
  const int64_t blocks = (count + size - 1) / size;
  const SingleThreadedBlas single;
  parallel_blocks(factors * blocks, 1, [&](int64_t task, int64_t) {
    const int64_t begin = task / factors * size;
    body(task % factors, begin, std::min(count, begin + size));
  });
}

}  // namespace

template <typename T>
void factor_linear(const FactorShape& shape, int64_t hidden, const T* a, const T* w, const T* b,
                   T* z) {
  const int64_t a_row = shape.factors * hidden;
  for_each_block(shape.factors, shape.nodes, kNodesPerBlock,
                 [&](int64_t factor, int64_t begin, int64_t end) {
                   T* out = z + begin * shape.row() + factor * shape.width;
                   for (int64_t row = 0; row < end - begin; ++row) {
                     std::copy_n(b + factor * shape.width, shape.width, out + row * shape.row());
                   }
                   gemm(Transposed::kNo, Transposed::kNo, end - begin, shape.width, hidden,
                        a + begin * a_row + factor * hidden, a_row,
                        w + factor * hidden * shape.width, shape.width, T{1}, out, shape.row());
                 });
}

template <typename T>
void factor_linear_backward(const FactorShape& shape, int64_t hidden, T* a, const T* w,
                            const T* z_gradient, T* w_gradient, T* b_gradient) {
  const int64_t a_row = shape.factors * hidden;
  for_each_block(
      shape.factors, hidden, kHiddenPerBlock, [&](int64_t factor, int64_t begin, int64_t end) {
        gemm(Transposed::kYes, Transposed::kNo, end - begin, shape.width, shape.nodes,
             a + factor * hidden + begin, a_row, z_gradient + factor * shape.width, shape.row(),
             T{0}, w_gradient + (factor * hidden + begin) * shape.width, shape.width);
      });
  std::fill_n(b_gradient, shape.row(), T{0});
  for (int64_t node = 0; node < shape.nodes; ++node) {
    for (int64_t i = 0; i < shape.row(); ++i) {
      b_gradient[i] += z_gradient[node * shape.row() + i];
    }
  }
  for_each_block(
      shape.factors, shape.nodes, kNodesPerBlock, [&](int64_t factor, int64_t begin, int64_t end) {
        std::vector<T> product((end - begin) * hidden);
        gemm(Transposed::kNo, Transposed::kYes, end - begin, hidden, shape.width,
             z_gradient + begin * shape.row() + factor * shape.width, shape.row(),
             w + factor * hidden * shape.width, shape.width, T{0}, product.data(), hidden);
        for (int64_t row = 0; row < end - begin; ++row) {
          T* out = a + (begin + row) * a_row + factor * hidden;
          const T* in = product.data() + row * hidden;
          for (int64_t i = 0; i < hidden; ++i) {
            out[i] = out[i] > 0 ? in[i] : T{0};
          }
        }
      });
}

template void factor_linear(const FactorShape&, int64_t, const float*, const float*, const float*,
                            float*);
template void factor_linear(const FactorShape&, int64_t, const double*, const double*,
                            const double*, double*);
template void factor_linear_backward(const FactorShape&, int64_t, float*, const float*,
                                     const float*, float*, float*);
template void factor_linear_backward(const FactorShape&, int64_t, double*, const double*,
                                     const double*, double*, double*);

}  // namespace disenlink::detail
