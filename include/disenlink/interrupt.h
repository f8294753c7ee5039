// Stopping long work from outside, for example from a signal handler.
#pragma once

namespace disenlink {

// Asks running work to stop; safe to call from a signal handler.
void request_interrupt() noexcept;

bool interrupt_requested() noexcept;

// Throws Interrupted when a stop was asked for. Long loops call it once per block.
void check_interrupt();

}  // namespace disenlink
