#include "nn/variational.h"

#include <torch/torch.h>

#include "nn/parameter_set.h"

namespace disenlink::detail {
namespace {

constexpr double kLargestLogDeviation = 10;

}  // namespace

torch::Tensor draw_sample(const NodeCode& code, const TrainStep& step) {
  const torch::Tensor noise = normal_noise(code.mean.sizes(), step, "sample");
  return code.mean + noise * code.log_deviation.clamp_max(kLargestLogDeviation).exp();
}

torch::Tensor divergence_per_node(const NodeCode& code) {
  const torch::Tensor log_deviation = code.log_deviation.clamp_max(kLargestLogDeviation);
  const torch::Tensor terms =
      1 + 2 * log_deviation - code.mean.square() - (2 * log_deviation).exp();
  return -0.5 * terms.sum(1).mean() / code.mean.size(0);
}

}  // namespace disenlink::detail
