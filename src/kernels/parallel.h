// The one parallel loop. Blocks are contiguous and each writes only its own outputs, so results do
// not depend on the number of threads.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <exception>

#include "disenlink/threads.h"

namespace disenlink::detail {

// Carries the first exception of a parallel region out of it.
class ExceptionCarrier {
 public:
  template <typename Body>
  void run(Body&& body) noexcept {
    try {
      body();
    } catch (...) {
#pragma omp critical(disenlink_exception)
      if (!first_) {
        first_ = std::current_exception();
      }
    }
  }

  void rethrow() const {
    if (first_) {
      std::rethrow_exception(first_);
    }
  }

 private:
  std::exception_ptr first_;
};

// Calls body(begin, end) over [0, count) in blocks of `grain` items, handed out as threads become
// free. The blocks are the same for any number of threads. Choose the grain by work (edges x
// width), not by rows.
template <typename Body>
void parallel_blocks(int64_t count, int64_t grain, Body&& body) {
  const int64_t blocks = (count + grain - 1) / grain;
  const int threads = static_cast<int>(std::min<int64_t>(num_threads(), blocks));
  if (threads <= 1) {
    for (int64_t block = 0; block < blocks; ++block) {
      body(block * grain, std::min(count, (block + 1) * grain));
    }
    return;
  }
  ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (int64_t block = 0; block < blocks; ++block) {
    carrier.run([&] { body(block * grain, std::min(count, (block + 1) * grain)); });
  }
  carrier.rethrow();
}

}  // namespace disenlink::detail
