#include "kernels/simd_level.h"

#include <hwy/targets.h>

#include <cstdlib>
#include <string_view>

namespace disenlink::detail {

std::string simd_target() {
  // Highway numbers better targets lower.
  const int64_t supported = hwy::SupportedTargets();
  return hwy::TargetName(supported & -supported);
}

bool reference_is_forced() {
  const char* chosen = std::getenv("DISENLINK_SIMD");
  return chosen != nullptr && std::string_view(chosen) == "ref";
}

}  // namespace disenlink::detail
