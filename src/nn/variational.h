// Nodes as normal distributions: mean and logarithm of the deviation, each (nodes, width).
#pragma once

#include <torch/types.h>

#include "disenlink/model.h"

namespace disenlink::detail {

struct NodeCode {
  torch::Tensor mean;
  torch::Tensor log_deviation = {};  // undefined = the mean is all there is
  torch::Tensor penalty = {};        // what the encoder adds to the loss; undefined = nothing
};

// mean + noise * deviation; the logarithm is clipped above at 10.
torch::Tensor draw_sample(const NodeCode& code, const TrainStep& step);

// Distance to the standard normal, mean over nodes, divided by the number of nodes once more as in
// the original VGAE.
torch::Tensor divergence_per_node(const NodeCode& code);

}  // namespace disenlink::detail
