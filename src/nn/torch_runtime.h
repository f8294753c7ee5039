// How we use libtorch.
#pragma once

#include "nn/tensor_memory.h"

namespace disenlink::detail {

// While it lives, libtorch's own operations run on the calling thread. What is large goes through
// our kernels, which have threads; for the rest the same bits for any number of threads are worth
// more than a second core. The memory of its large tensors is used again.
class SerialTorch {
 public:
  SerialTorch();
  ~SerialTorch();
  SerialTorch(const SerialTorch&) = delete;
  SerialTorch& operator=(const SerialTorch&) = delete;

 private:
  TensorMemory memory_;
  int threads_before_;
};

}  // namespace disenlink::detail
