// Stopping long work from outside, for example from a signal handler.
#pragma once

namespace disenlink {

// Asks running work to stop; safe to call from a signal handler.
void request_interrupt() noexcept;

bool interrupt_requested() noexcept;

// Throws Interrupted when a stop was asked for. Long loops call it once per block.
void check_interrupt();

// While one lives, check_interrupt() does not throw: for work that is worth more whole than a quick
// end, such as an epoch or the checkpoint that a stopped run leaves.
class InterruptHold {
 public:
  InterruptHold() noexcept;
  ~InterruptHold();
  InterruptHold(const InterruptHold&) = delete;
  InterruptHold& operator=(const InterruptHold&) = delete;
};

}  // namespace disenlink
