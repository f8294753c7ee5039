// Dense layers, with gradients, on our matrix product: narrow shapes, threads, the same bits for
// any number of them.
#pragma once

#include <torch/types.h>

#include "kernels/projection.h"

namespace disenlink::detail {

// x w + b. x: (rows, a), w: (a, c), b: (c) or undefined.
torch::Tensor dense_layer(const torch::Tensor& x, const torch::Tensor& w,
                          const torch::Tensor& b = {});

// The same for the nodes' features, sparse or dense, which have no gradient. The input must outlive
// the backward pass.
torch::Tensor project(const InputMatrix<float>& input, const torch::Tensor& w,
                      const torch::Tensor& b = {});

}  // namespace disenlink::detail
