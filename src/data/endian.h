// Numbers out of raw bytes of either byte order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace disenlink::detail {

inline constexpr bool kLittleEndianHost = std::endian::native == std::endian::little;

// `swapped`: the bytes are in the other order than the machine's.
template <typename Number>
Number load_number(const char* bytes, bool swapped) {
  std::array<char, sizeof(Number)> buffer;
  std::memcpy(buffer.data(), bytes, sizeof(Number));
  if (swapped) {
    std::reverse(buffer.begin(), buffer.end());
  }
  return std::bit_cast<Number>(buffer);
}

}  // namespace disenlink::detail
