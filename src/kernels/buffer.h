// Arrays on huge pages: first touch of a gigabyte costs hundreds of page faults, not hundreds of
// thousands. A hint only; nothing changes where the system has none.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <vector>

namespace disenlink::detail {

inline void prefer_huge_pages(void* data, size_t bytes) {
  constexpr size_t kPageBytes = size_t{1} << 21;
  const size_t before = (0 - reinterpret_cast<uintptr_t>(data)) % kPageBytes;
  if (before + kPageBytes <= bytes) {
    madvise(static_cast<char*>(data) + before, (bytes - before) / kPageBytes * kPageBytes,
            MADV_HUGEPAGE);
  }
}

// Lets a vector's memory begin on a huge page where it fills several.
template <typename T>
struct HugePageAllocator {
  using value_type = T;

  HugePageAllocator() = default;
  template <typename Other>
  explicit HugePageAllocator(const HugePageAllocator<Other>& /*other*/) {}

  T* allocate(size_t count) {
    const size_t bytes = count * sizeof(T);
    void* data = ::operator new(bytes, alignment(bytes));
    prefer_huge_pages(data, bytes);
    return static_cast<T*>(data);
  }

  void deallocate(T* data, size_t count) { ::operator delete(data, alignment(count * sizeof(T))); }

  bool operator==(const HugePageAllocator& /*other*/) const { return true; }

 private:
  static std::align_val_t alignment(size_t bytes) {
    constexpr size_t kCacheLine = 64;
    constexpr size_t kPageBytes = size_t{1} << 21;
    return std::align_val_t{bytes >= 2 * kPageBytes ? kPageBytes : kCacheLine};
  }
};

// For the large arrays of kernels, whose rows are far apart: with small pages every row costs a
// walk through the page table.
template <typename T>
using Buffer = std::vector<T, HugePageAllocator<T>>;

}  // namespace disenlink::detail
