// The encoder of VGAE, which ARGVA shares.
#pragma once

#include "models/baselines/embedding_model.h"

namespace disenlink::detail {

class Vgae : public EmbeddingModel {
 public:
  using EmbeddingModel::EmbeddingModel;

 protected:
  void take_graph(const MessageGraph& graph) override { graph_ = weighted(graph, true); }
  void make_parameters(ParameterSet& parameters, Random& random) override;
  NodeCode encode_nodes(bool training) override;

 private:
  WeightedGraph graph_;
  torch::Tensor w1_, b1_, w_mean_, b_mean_, w_deviation_, b_deviation_;
};

}  // namespace disenlink::detail
