// The instruction set that run-time dispatch has chosen.
#pragma once

#include <string>

namespace disenlink::detail {

std::string simd_target();

}  // namespace disenlink::detail
