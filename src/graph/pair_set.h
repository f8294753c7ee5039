// A set of node pairs: open addressing over packed 64-bit keys, a third of the memory of
// std::unordered_set.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "disenlink/graph.h"

namespace disenlink::detail {

inline uint64_t pair_key(NodePair pair) {
  return (static_cast<uint64_t>(static_cast<uint32_t>(pair.source)) << 32) |
         static_cast<uint32_t>(pair.target);
}

inline uint64_t unordered_key(NodePair pair) { return pair_key(unordered(pair)); }

class PairSet {
 public:
  // Room for `expected` keys without growing.
  explicit PairSet(int64_t expected)
      : slots_(std::bit_ceil(static_cast<uint64_t>(expected * 3 / 2 + 2)), kFree) {}

  // False when the key was there already.
  bool insert(uint64_t key) {
    uint64_t& slot = slots_[find(key)];
    const bool is_new = slot == kFree;
    slot = key;
    return is_new;
  }

  bool contains(uint64_t key) const { return slots_[find(key)] == key; }

 private:
  // Both ids all ones cannot occur: ids are not negative.
  static constexpr uint64_t kFree = ~uint64_t{0};

  size_t find(uint64_t key) const {
    const uint64_t mask = slots_.size() - 1;
    uint64_t place = ((key * 0x9e3779b97f4a7c15ULL) >> 20) & mask;
    while (slots_[place] != kFree && slots_[place] != key) {
      place = (place + 1) & mask;
    }
    return place;
  }

  std::vector<uint64_t> slots_;
};

}  // namespace disenlink::detail
