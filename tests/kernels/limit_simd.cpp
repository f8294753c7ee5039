// $DISENLINK_TEST_SIMD names the instruction set that the kernels of this test program must use,
// so that those are tested too that this processor would not choose.
#include <hwy/targets.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace disenlink::detail {
namespace {

// Before main, since the first use of the kernels chooses for good.
const bool kIsLimited = [] {
  const char* wanted = std::getenv("DISENLINK_TEST_SIMD");
  if (wanted == nullptr) {
    return false;
  }
  for (int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const int64_t target = rest & -rest;
    if (hwy::TargetName(target) == std::string_view(wanted)) {
      hwy::SetSupportedTargetsForTest(target);
      return true;
    }
  }
  std::printf("skipped: this processor has no %s\n", wanted);
  std::exit(77);
}();

}  // namespace
}  // namespace disenlink::detail
