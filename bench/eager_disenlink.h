// DisenLink as one would write it with libtorch's own operations: nothing N x N, one operation at a
// time on edges and pairs. The yardstick of the kernels' speed, and a second opinion on their loss.
#pragma once

#include <torch/torch.h>

#include <span>

#include "disenlink/graph.h"
#include "models/disenlink/network.h"

namespace disenlink::bench {

class EagerDisenLink {
 public:
  // Without leave-one-out; takes over the parameters' values.
  EagerDisenLink(const Adjacency& message_graph, const Features& features,
                 const detail::NetworkOptions& options,
                 const detail::NetworkParameters<float>& parameters, double learning_rate);

  // One step of Adam on these pairs; returns the loss before it.
  double step(std::span<const NodePair> positives, std::span<const NodePair> negatives);

 private:
  torch::Tensor encode();  // fills z_, returns h: (nodes, factors, width)
  torch::Tensor logits(const torch::Tensor& h, std::span<const NodePair> pairs) const;

  detail::NetworkOptions options_;
  int64_t nodes_;
  torch::Tensor x_;        // (nodes, features) sparse, rows divided by their deviation
  torch::Tensor shifts_;   // (nodes, 1) mean / deviation
  torch::Tensor sources_;  // (2 edges) both directions
  torch::Tensor targets_;  // (2 edges)
  torch::Tensor w1_, b1_, w2_, b2_;
  torch::Tensor z_;  // (nodes, factors, width)
  std::unique_ptr<torch::optim::Adam> adam_;
};

}  // namespace disenlink::bench
