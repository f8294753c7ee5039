// From the type of a tensor's values to a C++ type.
#pragma once

#include <torch/types.h>

namespace disenlink::detail {

// Calls body(T{}) with T = float or double.
template <typename Body>
void with_type_of(const torch::Tensor& tensor, Body&& body) {
  if (tensor.scalar_type() == torch::kDouble) {
    body(double{});
  } else {
    body(float{});
  }
}

template <typename T>
T* data_of(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.data_ptr<T>() : nullptr;
}

}  // namespace disenlink::detail
