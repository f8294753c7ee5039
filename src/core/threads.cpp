#include "disenlink/threads.h"

#include <sched.h>

#include <algorithm>
#include <atomic>

#include "core/fail.h"

namespace disenlink {
namespace {

std::atomic<int>& thread_count() {
  static std::atomic<int> count{usable_cores()};
  return count;
}

}  // namespace

int usable_cores() {
  // Not std::thread::hardware_concurrency or OpenMP's count: both misread some virtual machines.
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof(mask), &mask) != 0) {
    return 1;
  }
  return std::max(1, CPU_COUNT(&mask));
}

int num_threads() { return thread_count().load(); }

void set_num_threads(int count) {
  if (count < 1) {
    detail::fail_usage("threads: {} given, expected at least 1", count);
  }
  thread_count().store(count);
}

}  // namespace disenlink
