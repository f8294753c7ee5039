#include "disenlink/interrupt.h"

#include <atomic>

#include "disenlink/error.h"

namespace disenlink {
namespace {

std::atomic<bool> requested{false};
std::atomic<int> holds{0};
static_assert(std::atomic<bool>::is_always_lock_free, "must be usable in a signal handler");

}  // namespace

void request_interrupt() noexcept { requested.store(true, std::memory_order_relaxed); }

bool interrupt_requested() noexcept { return requested.load(std::memory_order_relaxed); }

InterruptHold::InterruptHold() noexcept { ++holds; }
InterruptHold::~InterruptHold() { --holds; }

void check_interrupt() {
  if (interrupt_requested() && holds == 0) {
    throw Interrupted("interrupted");
  }
}

}  // namespace disenlink
