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

// For an empty vector. Its memory is first touched by all threads, since that costs more than the
// zeros written afterwards.
template <typename T>
void resize_on_huge_pages(std::vector<T>& items, size_t count) {
  reserve_on_huge_pages(items, count);
#ifdef MADV_POPULATE_WRITE
  constexpr int64_t kGrain = int64_t{1} << 23;
  char* const data = reinterpret_cast<char*>(items.data());
  char* const begin = data - reinterpret_cast<uintptr_t>(data) % 4096;
  const auto bytes = static_cast<int64_t>(count * sizeof(T));
  parallel_blocks(bytes, kGrain, [&](int64_t first, int64_t last) {
    madvise(begin + first, last - first, MADV_POPULATE_WRITE);
  });
#endif
  items.resize(count);
}

}  // namespace disenlink::detail
