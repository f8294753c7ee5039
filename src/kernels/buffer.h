// Arrays on huge pages: first touch of a gigabyte costs hundreds of page faults, not hundreds of
// thousands. A hint only; nothing changes where the system has none.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <vector>

namespace disenlink::detail {

constexpr size_t kHugePageBytes = size_t{1} << 21;

inline void prefer_huge_pages(void* data, size_t bytes) {
  const size_t before = (0 - reinterpret_cast<uintptr_t>(data)) % kHugePageBytes;
  if (before + kHugePageBytes <= bytes) {
    madvise(static_cast<char*>(data) + before, (bytes - before) / kHugePageBytes * kHugePageBytes,
            MADV_HUGEPAGE);
  }
}

// Memory of arrays. The rest of a last page would be small pages, whose rows are slower to reach
// than the others.
struct HugePageMemory {
  static void* allocate(size_t bytes) {
    void* data = ::operator new(whole_pages(bytes), alignment(bytes));
    prefer_huge_pages(data, whole_pages(bytes));
    return data;
  }
  static void release(void* data, size_t bytes) { ::operator delete(data, alignment(bytes)); }

 private:
  static bool fills_pages(size_t bytes) { return bytes >= kHugePageBytes / 2; }
  static size_t whole_pages(size_t bytes) {
    return fills_pages(bytes) ? (bytes + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes
                              : bytes;
  }
  static std::align_val_t alignment(size_t bytes) {
    constexpr size_t kCacheLine = 64;
    return std::align_val_t{fills_pages(bytes) ? kHugePageBytes : kCacheLine};
  }
};

// Lets a vector's memory be of that kind.
template <typename T>
struct HugePageAllocator {
  using value_type = T;

  HugePageAllocator() = default;
  template <typename Other>
  explicit HugePageAllocator(const HugePageAllocator<Other>& /*other*/) {}

  T* allocate(size_t count) {
    if (count > PTRDIFF_MAX / 2 / sizeof(T)) {
      throw std::bad_array_new_length();
    }
    return static_cast<T*>(HugePageMemory::allocate(count * sizeof(T)));
  }
  void deallocate(T* data, size_t count) { HugePageMemory::release(data, count * sizeof(T)); }

  bool operator==(const HugePageAllocator& /*other*/) const { return true; }
};

// For the large arrays of kernels, whose rows are far apart: with small pages every row costs a
// walk through the page table.
template <typename T>
using Buffer = std::vector<T, HugePageAllocator<T>>;

}  // namespace disenlink::detail
