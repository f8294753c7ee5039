// The decoder of the autoencoders: logit(u, v) = z_u.z_v, with its loss.
#pragma once

#include <torch/types.h>

#include <span>

#include "kernels/buffer.h"
#include "kernels/factor_layout.h"
#include "kernels/sorted_pairs.h"

namespace disenlink::detail {

// Mean over the links plus mean over the others, with its gradient by z. Buffers are reused between
// calls.
class InnerProductLoss {
 public:
  explicit InnerProductLoss(PairLoss form = PairLoss::kCrossEntropy);

  torch::Tensor loss(const torch::Tensor& z, std::span<const NodePair> positives,
                     std::span<const NodePair> negatives);

  static void scores(const torch::Tensor& z, std::span<const NodePair> pairs,
                     std::span<float> logits);

  // Every pair of some heads with some tails, row by row.
  static void block_scores(const torch::Tensor& z, NodeId first_head, NodeId last_head,
                           NodeId first_tail, NodeId last_tail, std::span<float> logits);

 private:
  double add_part(const FactorShape& shape, const float* z, float* gradient, PairBatch batch);

  PairLoss form_;
  Adjacency no_graph_;
  EdgeIndex no_edges_;
  SortedPairs pairs_;
  Buffer<float> coefficients_;
  std::vector<double> node_loss_;
  std::vector<int64_t> clipped_;
};

}  // namespace disenlink::detail
