// What this machine can do at best, measured with the same instructions as the kernels.
#pragma once

#include <cstdint>

namespace disenlink::bench {

// Multiplications and additions a second, all threads together.
double peak_flops();

// Bytes read a second, all threads together, from arrays of this size that each thread reads again
// and again (shared = one array for all, in one random order of rows of `row_bytes`).
double read_bandwidth(int64_t bytes, int64_t row_bytes);

// Bytes moved a second by a pass that reads and writes arrays of this size.
double update_bandwidth(int64_t bytes);

}  // namespace disenlink::bench
