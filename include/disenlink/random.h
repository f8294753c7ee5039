// The one random generator. Its output is the same on every machine and compiler, which the
// distributions of the standard library are not.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace disenlink {

// xoshiro256++ seeded by splitmix64.
class Random {
 public:
  explicit Random(uint64_t seed) noexcept;

  // An independent stream for one purpose, so that adding a draw in one place does not move the
  // draws of another.
  Random(uint64_t seed, std::string_view purpose) noexcept;

  uint64_t next() noexcept;

  // Uniform in [0, bound) without modulo bias; bound must be positive.
  uint64_t below(uint64_t bound) noexcept;

  // Uniform in [0, 1), 53 bits.
  double uniform() noexcept;

  // Standard normal, polar method.
  double normal() noexcept;

 private:
  uint64_t state_[4];
};

// Fisher-Yates from the back.
template <typename T>
void shuffle(std::span<T> items, Random& random) {
  for (size_t remaining = items.size(); remaining > 1; --remaining) {
    std::swap(items[remaining - 1], items[random.below(remaining)]);
  }
}

}  // namespace disenlink
