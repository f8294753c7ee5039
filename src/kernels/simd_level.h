// The instruction set that run-time dispatch chooses.
#pragma once

#include <string>

namespace disenlink::detail {

std::string simd_target();

// $DISENLINK_SIMD is "ref": plain loops instead of it.
bool reference_is_forced();

}  // namespace disenlink::detail
