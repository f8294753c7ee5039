// Memory of large tensors, used again. An epoch makes and drops the same arrays as the one before,
// and first touching fresh pages costs more than much of what is computed in them.
#pragma once

#include <c10/core/Allocator.h>

namespace disenlink::detail {

// While it lives, large tensors lie on huge pages that are kept when they go, for the next of that
// size. What is in use and what is kept are together at most twice what was ever in use at a time.
class TensorMemory {
 public:
  TensorMemory();
  ~TensorMemory();
  TensorMemory(const TensorMemory&) = delete;
  TensorMemory& operator=(const TensorMemory&) = delete;

  // Gives back what is kept and not in use.
  static void release();

 private:
  c10::Allocator* before_;
};

}  // namespace disenlink::detail
