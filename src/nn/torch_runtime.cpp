#include "nn/torch_runtime.h"

#include <ATen/Parallel.h>
#include <torch/version.h>

#include "core/build_info.h"
#include "disenlink/version.h"
#include "kernels/simd_level.h"

namespace disenlink {
namespace detail {

SerialTorch::SerialTorch() : threads_before_(at::get_num_threads()) { at::set_num_threads(1); }

SerialTorch::~SerialTorch() { at::set_num_threads(threads_before_); }

}  // namespace detail

std::vector<std::pair<std::string, std::string>> versions() {
  return {{"disenlink", DISENLINK_VERSION},
          {"libtorch", TORCH_VERSION},
          {"compiler", DISENLINK_COMPILER},
          {"build", DISENLINK_BUILD_TYPE},
          {"simd", detail::simd_target()}};
}

}  // namespace disenlink
