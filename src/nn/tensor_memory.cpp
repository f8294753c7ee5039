#include "nn/tensor_memory.h"

#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>

#include "kernels/buffer.h"

namespace disenlink::detail {
namespace {

// Smaller ones come from malloc, which keeps them too.
constexpr size_t kLeastBytes = size_t{1} << 20;

struct Block {
  char* data;
  size_t bytes;
};

class TensorPool : public c10::Allocator {
 public:
  // Never destroyed: tensors of static storage may outlive everything.
  static TensorPool& instance() {
    static auto& pool = *new TensorPool;
    return pool;
  }

  c10::DataPtr allocate(size_t bytes) const override {
    return bytes < kLeastBytes ? c10::GetDefaultCPUAllocator()->allocate(bytes)
                               : instance().take(bytes);
  }

  void release() {
    const std::scoped_lock lock(mutex_);
    shrink_to(0);
  }

 private:
  // Blocks serve only tensors of their own size, rounded up by an eighth at most. Taking what is
  // somewhat larger leaves none for the one that needs it, epoch after epoch.
  static size_t rounded_up(size_t bytes) {
    const size_t step = std::bit_floor(bytes) / 8;
    return (bytes + step - 1) / step * step;
  }

  c10::DataPtr take(size_t asked) {
    const size_t bytes = rounded_up(asked);
    const std::scoped_lock lock(mutex_);
    auto block = std::make_unique<Block>(Block{nullptr, bytes});
    if (const auto found = kept_.find(bytes); found != kept_.end()) {
      block->data = found->second;
      kept_.erase(found);
      kept_bytes_ -= bytes;
    } else {
      block->data = HugePageAllocator<char>().allocate(bytes);
    }
    used_bytes_ += bytes;
    most_used_bytes_ = std::max(most_used_bytes_, used_bytes_);
    shrink_to(2 * most_used_bytes_ - used_bytes_);
    char* const data = block->data;
    return {data, block.release(), &TensorPool::put_back, c10::Device(c10::DeviceType::CPU)};
  }

  static void put_back(void* context) {
    const auto* const block = static_cast<Block*>(context);
    TensorPool& pool = instance();
    const std::scoped_lock lock(pool.mutex_);
    // First of its size: what was used last may still be in the caches.
    pool.kept_.emplace_hint(pool.kept_.lower_bound(block->bytes), block->bytes, block->data);
    pool.kept_bytes_ += block->bytes;
    pool.used_bytes_ -= block->bytes;
    delete block;
  }

  void shrink_to(size_t bytes) {
    while (kept_bytes_ > bytes) {
      const auto largest = std::prev(kept_.end());
      HugePageAllocator<char>().deallocate(largest->second, largest->first);
      kept_bytes_ -= largest->first;
      kept_.erase(largest);
    }
  }

  std::mutex mutex_;
  std::multimap<size_t, char*> kept_;  // by size
  size_t kept_bytes_ = 0;
  size_t used_bytes_ = 0;
  size_t most_used_bytes_ = 0;
};

}  // namespace

TensorMemory::TensorMemory() : before_(c10::GetCPUAllocator()) {
  c10::SetCPUAllocator(&TensorPool::instance());
}

TensorMemory::~TensorMemory() { c10::SetCPUAllocator(before_); }

void TensorMemory::release() { TensorPool::instance().release(); }

}  // namespace disenlink::detail
