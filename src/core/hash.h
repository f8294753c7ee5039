// Mixing numbers into a hash that is the same on every machine. Equal hashes are a hint, not a
// proof.
#pragma once

#include <cstdint>

namespace disenlink::detail {

inline constexpr uint64_t kHashStart = 0x9e3779b97f4a7c15ULL;

// Multiply-xorshift.
inline uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 32);
}

}  // namespace disenlink::detail
