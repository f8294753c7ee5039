#include "kernels/thread_team.h"

#include <utility>

namespace disenlink::detail {
namespace {

thread_local bool is_inside = false;

// Long enough to bridge the gap between two loops, too short to be noticed by others.
constexpr int kLooksBeforeSleep = 2000;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

template <typename Condition>
bool look_for(Condition&& condition) {
  for (int look = 0; look < kLooksBeforeSleep; ++look) {
    if (condition()) {
      return true;
    }
    relax();
  }
  return false;
}

class Inside {
 public:
  Inside() { is_inside = true; }
  ~Inside() { is_inside = false; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

}  // namespace

ThreadTeam& ThreadTeam::instance() {
  static ThreadTeam team;
  return team;
}

ThreadTeam::~ThreadTeam() {
  stop_ = true;
  ++generation_;
  generation_.notify_all();
  for (std::thread& helper : helpers_) {
    helper.join();
  }
}

void ThreadTeam::run(const Job& job) {
  std::unique_lock caller(in_use_, std::defer_lock);
  if (is_inside || !caller.try_lock()) {
    for (int64_t block = 0; block < job.blocks; ++block) {
      job.call(job.body, block);
    }
    return;
  }
  hire(job.threads - 1);
  open(job);
  {
    const Inside inside;
    work(0);
  }
  close();
  if (first_) {
    std::rethrow_exception(std::exchange(first_, nullptr));
  }
}

void ThreadTeam::hire(int helpers) {
  while (static_cast<int>(helpers_.size()) < helpers) {
    const int number = static_cast<int>(helpers_.size()) + 1;
    helpers_.emplace_back([this, number] { help(number); });
  }
}

void ThreadTeam::open(const Job& job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = job;
    divide();
    is_open_ = true;
    ++generation_;
  }
  generation_.notify_all();
}

void ThreadTeam::divide() {
  while (static_cast<int>(shares_.size()) < job_.threads) {
    shares_.emplace_back();
  }
  for (int i = 0; i < job_.threads; ++i) {
    shares_[i].next = job_.blocks * i / job_.threads;
    shares_[i].end = job_.blocks * (i + 1) / job_.threads;
  }
}

// No helper begins any more; those at work are waited for.
void ThreadTeam::close() {
  {
    const std::lock_guard lock(mutex_);
    is_open_ = false;
  }
  const auto is_left = [this] { return active_.load() == 0; };
  if (!look_for(is_left)) {
    std::unique_lock lock(mutex_);
    all_left_.wait(lock, is_left);
  }
}

void ThreadTeam::help(int number) {
  const Inside inside;
  uint32_t seen = 0;
  while (true) {
    const auto has_news = [&] { return generation_.load() != seen; };
    if (!look_for(has_news)) {
      generation_.wait(seen);
    }
    seen = generation_.load();
    if (stop_) {
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      if (!is_open_ || number >= job_.threads) {
        continue;
      }
      ++active_;
    }
    work(number);
    const std::lock_guard lock(mutex_);
    if (--active_ == 0) {
      all_left_.notify_one();
    }
  }
}

void ThreadTeam::work(int number) {
  for (int i = 0; i < job_.threads; ++i) {
    Share& share = shares_[(number + i) % job_.threads];
    for (int64_t block = share.next++; block < share.end; block = share.next++) {
      try {
        job_.call(job_.body, block);
      } catch (...) {
        keep_first_exception();
      }
    }
  }
}

void ThreadTeam::keep_first_exception() noexcept {
  const std::lock_guard lock(mutex_);
  if (!first_) {
    first_ = std::current_exception();
  }
}

}  // namespace disenlink::detail
