#include "kernels/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace disenlink::detail {
namespace {

class Threads {
 public:
  explicit Threads(int count) : before_(num_threads()) { set_num_threads(count); }
  ~Threads() { set_num_threads(before_); }

 private:
  int before_;
};

TEST(ParallelBlocks, VisitsEveryItemOnce) {
  const Threads threads(4);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    std::vector<int> visits(101, 0);
    parallel_blocks(101, 7, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        ++visits[i];
      }
    });
    ASSERT_EQ(visits, std::vector<int>(101, 1)) << "in round " << repeat;
  }
}

TEST(ParallelBlocks, CarriesAnExceptionOutAndStaysUsable) {
  const Threads threads(3);
  for (int repeat = 0; repeat < 100; ++repeat) {
    EXPECT_THROW(parallel_blocks(50, 1,
                                 [](int64_t begin, int64_t) {
                                   if (begin % 10 == 3) {
                                     throw std::runtime_error("block");
                                   }
                                 }),
                 std::runtime_error);
    std::atomic<int> count = 0;
    parallel_blocks(50, 1, [&](int64_t, int64_t) { ++count; });
    ASSERT_EQ(count, 50);
  }
}

TEST(ParallelBlocks, MayBeNested) {
  const Threads threads(3);
  std::atomic<int> count = 0;
  parallel_blocks(
      8, 1, [&](int64_t, int64_t) { parallel_blocks(8, 1, [&](int64_t, int64_t) { ++count; }); });
  EXPECT_EQ(count, 64);
}

TEST(ParallelBlocks, MayBeCalledFromSeveralThreads) {
  const Threads threads(3);
  std::atomic<int> count = 0;
  std::vector<std::thread> callers;
  callers.reserve(4);
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 200; ++repeat) {
        parallel_blocks(10, 1, [&](int64_t, int64_t) { ++count; });
      }
    });
  }
  for (std::thread& caller : callers) {
    caller.join();
  }
  EXPECT_EQ(count, 8000);
}

TEST(ParallelBlocks, UsesTheThreadsItIsGiven) {
  const Threads threads(2);
  std::atomic<int> together = 0;
  std::atomic<bool> met = false;
  // Ends early only when two blocks are under way at the same time.
  parallel_blocks(2, 1, [&](int64_t, int64_t) {
    ++together;
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!met && std::chrono::steady_clock::now() < give_up) {
      met = met || together == 2;
      std::this_thread::yield();
    }
  });
  EXPECT_TRUE(met);
}

TEST(ParallelBlocks, GiveEachThreadAShareToBeginWith) {
  const Threads threads(2);
  const auto caller = std::this_thread::get_id();
  std::atomic<int64_t> first_of_helper = -1;
  parallel_blocks(8, 1, [&](int64_t begin, int64_t) {
    if (std::this_thread::get_id() != caller) {
      int64_t none = -1;
      first_of_helper.compare_exchange_strong(none, begin);
      return;
    }
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (first_of_helper < 0 && std::chrono::steady_clock::now() < give_up) {
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(first_of_helper, 4);
}

}  // namespace
}  // namespace disenlink::detail
