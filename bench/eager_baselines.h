// The learned baselines as one would write them with libtorch's own operations: sparse products,
// index_select, softmax by scatter, index_add. The yardstick of our layers' speed, and a second
// opinion on their results.
#pragma once

#include <torch/torch.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "disenlink/model.h"

namespace disenlink::bench {

class EagerBaseline {
 public:
  // Takes over the values of a started model's parameters. Names as in the registry. The graph
  // must outlive the result.
  static std::unique_ptr<EagerBaseline> make(const std::string& name, const MessageGraph& graph,
                                             const Features& features, TrainableModel& model);
  virtual ~EagerBaseline() = default;

  // All steps of one epoch.
  virtual void learn(std::span<const NodePair> positives, std::span<const NodePair> negatives);

  // (pairs) logits.
  virtual torch::Tensor score(std::span<const NodePair> pairs);

 protected:
  // Mean, and logarithm of the deviation or nothing.
  virtual std::pair<torch::Tensor, torch::Tensor> encode() = 0;
  virtual bool has_prior() const { return true; }

  // Mean over the links plus mean over the others.
  torch::Tensor pair_loss(const torch::Tensor& z, std::span<const NodePair> positives,
                          std::span<const NodePair> negatives) const;
  static torch::Tensor draw(const torch::Tensor& mean, const torch::Tensor& log_deviation);
  torch::Tensor divergence(const torch::Tensor& mean, const torch::Tensor& log_deviation) const;
  // One step of Adam on the parameters of a group.
  void descend(const torch::Tensor& loss, int64_t group = 0);

  const torch::Tensor& at(const std::string& name) const { return parameters_.at(name); }
  const MessageGraph& graph() const { return *graph_; }
  torch::Tensor propagate(const torch::Tensor& x) const { return torch::mm(p_, x); }

  int64_t nodes_ = 0;
  torch::Tensor x_;                  // (nodes, features) sparse
  torch::Tensor p_;                  // (nodes, nodes) sparse, normalised, with loops
  torch::Tensor sources_, targets_;  // (edges) both directions, no loops
  torch::Tensor norms_;              // (edges) 1 / sqrt(degree * degree)
  torch::Tensor degrees_;            // (nodes), at least 1

 private:
  void take(const MessageGraph& graph, const Features& features, TrainableModel& model);

  const MessageGraph* graph_ = nullptr;
  std::map<std::string, torch::Tensor> parameters_;
  std::vector<std::unique_ptr<torch::optim::Adam>> adams_;  // by group
};

// Of all pairs; both sides of the comparison learn from as many in an epoch.
inline constexpr int64_t kSealPairsPerEpoch = 2000;

// SEAL's network, on subgraphs that our own code extracts.
std::unique_ptr<EagerBaseline> make_eager_seal();

}  // namespace disenlink::bench
