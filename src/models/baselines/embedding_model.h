// What the baselines that give every node a vector have in common: z from the graph and the
// features, logit(u, v) = z_u.z_v, cross-entropy on pairs. A subclass says how z is made.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "disenlink/model.h"
#include "kernels/directed_graph.h"
#include "kernels/projection.h"
#include "models/baselines/settings.h"
#include "nn/inner_product_loss.h"
#include "nn/parameter_set.h"
#include "nn/variational.h"

namespace disenlink::detail {

// A graph with the weights of normalised propagation.
struct WeightedGraph {
  DirectedGraph edges;
  torch::Tensor weights;  // (edges)
};

class EmbeddingModel : public TrainableModel {
 public:
  explicit EmbeddingModel(EncoderOptions options)
      : options_(std::move(options)), decoder_(options_.pair_loss()) {}
  ~EmbeddingModel() override;

  void start(const MessageGraph& message_graph, const Features& features, Random& random) override;
  void encode(const MessageGraph& message_graph, const Features& features) override;
  std::vector<Parameter> parameters() override { return parameters_.list(); }
  StepReport compute_gradients(const TrainStep& step) override;
  void refresh() override;
  void score(std::span<const NodePair> pairs, std::span<float> logits) const override;
  void score_block(NodeId first_head, NodeId last_head, NodeId first_tail, NodeId last_tail,
                   std::span<float> logits) const override;
  std::vector<NodeVectors> vectors() const override;

 protected:
  // Takes what it needs of the graph; called before make_parameters().
  virtual void take_graph(const MessageGraph& graph) = 0;
  virtual void make_parameters(ParameterSet& parameters, Random& random) = 0;

  // `training`: batch statistics instead of those kept.
  virtual NodeCode encode_nodes(bool training) = 0;

  // True where encode_nodes() differs between training and scoring.
  virtual bool differs_in_training() const { return false; }

  // True where a variational code is drawn towards the standard normal.
  virtual bool has_prior() const { return true; }

  // The code of this step, with its gradients still to be found.
  NodeCode code_for_training();
  // A draw of the code, which is also what score() reads until refresh().
  torch::Tensor sample(const NodeCode& code, const TrainStep& step);
  torch::Tensor pair_loss(const torch::Tensor& z, const TrainStep& step);
  // Fills the gradients of the parameters and returns the loss.
  StepReport finish(const torch::Tensor& loss);

  // Edges as --message-graph says.
  DirectedGraph directed(const MessageGraph& graph, bool with_loops) const;
  // The same with normalised weights.
  WeightedGraph weighted(const MessageGraph& graph, bool with_loops) const;

  const EncoderOptions& options() const { return options_; }
  const InputMatrix<float>& input() const { return *input_; }
  int64_t num_nodes() const { return input_->rows(); }

 private:
  void bind(const MessageGraph& message_graph, const Features& features);

  EncoderOptions options_;
  std::unique_ptr<InputMatrix<float>> input_;
  ParameterSet parameters_;
  InnerProductLoss decoder_;
  NodeCode code_;  // of the current parameters, with gradients, until a step has used it
  torch::Tensor z_;
};

}  // namespace disenlink::detail
