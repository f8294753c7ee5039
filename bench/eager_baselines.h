// The learned baselines as one would write them with libtorch's own operations: sparse products,
// index_select, softmax by scatter, index_add. The yardstick of our layers' speed, and a second
// opinion on their results.
#pragma once

#include <torch/torch.h>

#include <map>
#include <memory>
#include <span>
#include <string>

#include "disenlink/model.h"

namespace disenlink::bench {

class EagerBaseline {
 public:
  // Takes over the values of a started model's parameters. Names as in the registry; null for a
  // model that has no eager form here.
  static std::unique_ptr<EagerBaseline> make(const std::string& name, const MessageGraph& graph,
                                             const Features& features, TrainableModel& model);
  virtual ~EagerBaseline() = default;

  // One step of Adam on these pairs.
  void step(std::span<const NodePair> positives, std::span<const NodePair> negatives);

  // What scores are made of.
  torch::Tensor vectors() { return encode().first; }

 protected:
  // Mean, and logarithm of the deviation or nothing.
  virtual std::pair<torch::Tensor, torch::Tensor> encode() = 0;
  virtual bool has_prior() const { return true; }

  const torch::Tensor& at(const std::string& name) const { return parameters_.at(name); }
  torch::Tensor propagate(const torch::Tensor& x) const { return torch::mm(p_, x); }

  int64_t nodes_ = 0;
  torch::Tensor x_;                  // (nodes, features) sparse
  torch::Tensor p_;                  // (nodes, nodes) sparse, normalised, with loops
  torch::Tensor sources_, targets_;  // (edges) both directions, no loops
  torch::Tensor norms_;              // (edges) 1 / sqrt(degree * degree)
  torch::Tensor degrees_;            // (nodes), at least 1

 private:
  void take(const MessageGraph& graph, const Features& features, TrainableModel& model);

  std::map<std::string, torch::Tensor> parameters_;
  std::unique_ptr<torch::optim::Adam> adam_;
};

}  // namespace disenlink::bench
