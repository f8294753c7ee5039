#include "kernels/simd_level.h"

#include <hwy/targets.h>

namespace disenlink::detail {

std::string simd_target() {
  // Highway numbers better targets lower.
  const int64_t supported = hwy::SupportedTargets();
  return hwy::TargetName(supported & -supported);
}

}  // namespace disenlink::detail
