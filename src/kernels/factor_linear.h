// The second layer: one small matrix for each factor.
//
//   z[n, k] = a[n, k] w[k] + b[k]      a: (nodes, factors, hidden), w: (factors, hidden, width)
#pragma once

#include "kernels/factor_layout.h"

namespace disenlink::detail {

template <typename T>
void factor_linear(const FactorShape& shape, int64_t hidden, const T* a, const T* w, const T* b,
                   T* z);

// a is what a ReLU gave: on return it holds the gradient of the ReLU's input, so that no second
// buffer of this size is needed. w_gradient and b_gradient are overwritten.
template <typename T>
void factor_linear_backward(const FactorShape& shape, int64_t hidden, T* a, const T* w,
                            const T* z_gradient, T* w_gradient, T* b_gradient);

}  // namespace disenlink::detail
