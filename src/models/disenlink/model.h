// DisenLink behind the interface of all models.
#pragma once

#include <memory>
#include <vector>

#include "disenlink/model.h"
#include "models/disenlink/network.h"
#include "models/disenlink/options.h"

namespace disenlink::detail {

class DisenLinkModel : public TrainableModel {
 public:
  explicit DisenLinkModel(const DisenLinkOptions& options);

  void start(const MessageGraph& message_graph, const Features& features, Random& random) override;
  void encode(const MessageGraph& message_graph, const Features& features) override;
  std::vector<Parameter> parameters() override;
  StepReport compute_gradients(const TrainStep& step) override;
  void refresh() override;
  void score(std::span<const NodePair> pairs, std::span<float> logits) const override;

  void score_block(NodeId first_head, NodeId last_head, NodeId first_tail, NodeId last_tail,
                   std::span<float> logits) const override;
  std::vector<NodeVectors> vectors() const override;

  // For explanations and embeddings.
  const Network<float>& network() const { return *network_; }

 private:
  void bind(const MessageGraph& message_graph, const Features& features);

  NetworkOptions options_;
  bool glorot_;
  bool is_fresh_ = false;  // forward() has run for the current parameters
  std::unique_ptr<Network<float>> network_;
};

}  // namespace disenlink::detail
