// Plain vectors whose memory is touched for the first time by all threads, on huge pages.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/buffer.h"
#include "kernels/parallel.h"

namespace disenlink::detail {

template <typename T>
void reserve_on_huge_pages(std::vector<T>& items, size_t count) {
  items.reserve(count);
  prefer_huge_pages(items.data() + items.size(), (items.capacity() - items.size()) * sizeof(T));
}

// Touches memory that is about to be written for the first time, by all threads: that costs more
// than the writing.
template <typename T>
void touch_on_huge_pages(T* data, size_t count) {
  const auto bytes = static_cast<int64_t>(count * sizeof(T));
  prefer_huge_pages(data, bytes);
#ifdef MADV_POPULATE_WRITE
  constexpr int64_t kGrain = int64_t{1} << 23;
  char* const first_byte = reinterpret_cast<char*>(data);
  char* const begin = first_byte - reinterpret_cast<uintptr_t>(first_byte) % 4096;
  parallel_blocks(bytes, kGrain, [&](int64_t first, int64_t last) {
    madvise(begin + first, last - first, MADV_POPULATE_WRITE);
  });
#endif
}

// For an empty vector.
template <typename T>
void resize_on_huge_pages(std::vector<T>& items, size_t count) {
  items.reserve(count);
  touch_on_huge_pages(items.data(), count);
  items.resize(count);
}

}  // namespace disenlink::detail
