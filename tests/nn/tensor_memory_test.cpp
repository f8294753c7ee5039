#include "nn/tensor_memory.h"

#include <c10/core/CPUAllocator.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

namespace disenlink::detail {
namespace {

constexpr int64_t kLarge = 1 << 20;  // floats

TEST(TensorMemory, LargeTensorsOfASizeShareMemoryOneAfterTheOther) {
  TensorMemory::release();
  const TensorMemory memory;
  const void* first = torch::empty({kLarge}).data_ptr();
  const auto second = torch::empty({kLarge});
  EXPECT_EQ(second.data_ptr(), first);
  const auto third = torch::empty({kLarge});
  EXPECT_NE(third.data_ptr(), first);
}

TEST(TensorMemory, OtherSizesDoNotTakeIt) {
  TensorMemory::release();
  const TensorMemory memory;
  const void* first = torch::empty({kLarge}).data_ptr();
  const auto smaller = torch::empty({kLarge - kLarge / 4});
  EXPECT_NE(smaller.data_ptr(), first);
  EXPECT_EQ(torch::empty({kLarge}).data_ptr(), first);
}

TEST(TensorMemory, TensorsOutliveItAndWhatIsGivenBack) {
  torch::Tensor kept;
  {
    const TensorMemory memory;
    kept = torch::arange(kLarge, torch::kFloat);
  }
  TensorMemory::release();
  EXPECT_EQ(kept[kLarge - 1].item<float>(), kLarge - 1);
}

TEST(TensorMemory, TheAllocatorBeforeReturns) {
  const c10::Allocator* before = c10::GetCPUAllocator();
  {
    const TensorMemory memory;
    EXPECT_NE(c10::GetCPUAllocator(), before);
  }
  EXPECT_EQ(c10::GetCPUAllocator(), before);
}

}  // namespace
}  // namespace disenlink::detail
