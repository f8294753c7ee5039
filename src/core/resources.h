// What a run has cost so far.
#pragma once

#include <chrono>
#include <cstdint>

namespace disenlink::detail {

// Largest resident size of this process.
int64_t peak_memory_bytes();

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace disenlink::detail
