// libtorch's own settings.
#pragma once

namespace disenlink::detail {

// Makes libtorch use as many threads as disenlink::num_threads(); it misreads some machines.
void apply_thread_count_to_torch();

}  // namespace disenlink::detail
