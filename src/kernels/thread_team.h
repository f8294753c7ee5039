// Threads that wait for blocks of work.
//
// Not OpenMP: its threads spin between two loops as if the machine were theirs, and beside other
// busy programs an epoch of many short loops took twice as long as with these. Here nobody waits
// for a thread that has not begun: whoever is awake takes the next block, and a loop ends when no
// block is left and none is under way. Each thread begins with its own share of the blocks, the
// same in every loop, so that it finds in its cache what it left there.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace disenlink::detail {

class ThreadTeam {
 public:
  // One piece of work, called with the numbers 0 .. blocks - 1 in any order from several threads.
  struct Job {
    void (*call)(void* body, int64_t block);
    void* body;
    int64_t blocks;
    int threads;  // at most, with the caller's
  };

  static ThreadTeam& instance();

  // Returns when every block is done; throws the first exception of one. A call from inside a block
  // or beside another call runs on the calling thread alone.
  void run(const Job& job);

 private:
  ThreadTeam() = default;
  ~ThreadTeam();

  // Consecutive blocks; threads that have finished their own share go on with the next one's.
  struct alignas(64) Share {
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  };

  void hire(int helpers);
  void help(int number);
  void work(int number);
  void divide();
  void open(const Job& job);
  void close();
  void keep_first_exception() noexcept;

  std::mutex in_use_;  // by the one caller that has the team
  std::mutex mutex_;
  std::condition_variable all_left_;
  Job job_{};
  bool is_open_ = false;
  std::exception_ptr first_;
  std::deque<Share> shares_;    // one a thread
  std::atomic<int> active_{0};  // helpers at work
  std::atomic<uint32_t> generation_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::thread> helpers_;
};

}  // namespace disenlink::detail
