// How we use libtorch.
#pragma once

namespace disenlink::detail {

// While it lives, libtorch's own operations run on the calling thread. What is large goes through
// our kernels, which have threads; for the rest the same bits for any number of threads are worth
// more than a second core.
class SerialTorch {
 public:
  SerialTorch();
  ~SerialTorch();
  SerialTorch(const SerialTorch&) = delete;
  SerialTorch& operator=(const SerialTorch&) = delete;

 private:
  int threads_before_;
};

}  // namespace disenlink::detail
