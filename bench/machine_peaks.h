// What this machine can do at best, measured with the same instructions as the kernels.
#pragma once

#include <cstdint>

namespace disenlink::bench {

// Multiplications and additions a second, all threads together.
double peak_flops();

// Bytes read a second, all threads together, from an array of this size that each thread reads
// again and again in a random order of rows of `row_bytes`: the rate of the cache that holds it.
double read_bandwidth(int64_t bytes, int64_t row_bytes);

// Bytes moved a second by a pass that reads two arrays and writes one, of this size together.
// Writing what was not read moves twice the bytes: a line comes to the cache before it is changed.
double update_bandwidth(int64_t bytes);

}  // namespace disenlink::bench
