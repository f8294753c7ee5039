// Time of each stage of an epoch, and the least time that the machine allows for it.
#pragma once

#include <string>
#include <vector>

#include "kernels/factor_kernels.h"
#include "shapes.h"

namespace disenlink::bench {

// The best kernels for this processor, with a clock around each.
const detail::FactorKernels<float>& timed_kernels();

// Seconds of each stage since the last call, in the order of stage_names().
std::vector<double> take_stage_seconds();

const std::vector<std::string>& stage_names();

// Least seconds of each stage: arithmetic at the peak rate, or the bytes that must move at the rate
// of the cache that holds them, whichever takes longer.
std::vector<double> stage_bounds(const Shape& shape, int64_t edges, int64_t pairs);

}  // namespace disenlink::bench
