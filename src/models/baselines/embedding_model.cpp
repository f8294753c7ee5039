#include "models/baselines/embedding_model.h"

#include <torch/torch.h>

#include "core/fail.h"
#include "models/require_features.h"
#include "nn/torch_runtime.h"

namespace disenlink::detail {

EmbeddingModel::~EmbeddingModel() {
  code_ = {};
  z_ = torch::Tensor();
  parameters_ = {};
  TensorMemory::release();
}

void EmbeddingModel::bind(const MessageGraph& message_graph, const Features& features) {
  require_features(features, "this model");
  input_ = std::make_unique<InputMatrix<float>>(features, options_.row_scale());
  take_graph(message_graph);
}

void EmbeddingModel::start(const MessageGraph& message_graph, const Features& features,
                           Random& random) {
  bind(message_graph, features);
  parameters_ = {};
  make_parameters(parameters_, random);
}

void EmbeddingModel::encode(const MessageGraph& message_graph, const Features& features) {
  if (parameters_.empty()) {
    fail("this model must be trained before it can score");
  }
  if (features.num_columns() != input_->columns()) {
    fail("the model's weights do not fit a graph with {} features", features.num_columns());
  }
  bind(message_graph, features);
  refresh();
}

NodeCode EmbeddingModel::code_for_training() {
  // What scoring has computed serves training too, unless the two differ.
  return code_.mean.defined() ? std::exchange(code_, {}) : encode_nodes(true);
}

torch::Tensor EmbeddingModel::sample(const NodeCode& code, const TrainStep& step) {
  torch::Tensor z = code.log_deviation.defined() ? draw_sample(code, step) : code.mean;
  z_ = z.detach().contiguous();
  return z;
}

torch::Tensor EmbeddingModel::pair_loss(const torch::Tensor& z, const TrainStep& step) {
  return decoder_.loss(z, step.positives, step.negatives);
}

StepReport EmbeddingModel::compute_gradients(const TrainStep& step) {
  const SerialTorch serial;
  const NodeCode code = code_for_training();
  torch::Tensor loss = pair_loss(sample(code, step), step);
  if (code.log_deviation.defined() && has_prior()) {
    loss = loss + divergence_per_node(code);
  }
  if (code.penalty.defined()) {
    loss = loss + code.penalty;
  }
  return finish(loss);
}

StepReport EmbeddingModel::finish(const torch::Tensor& loss) {
  parameters_.clear_gradients();
  loss.backward();
  return {loss.item<double>(), 0};
}

void EmbeddingModel::refresh() {
  const SerialTorch serial;
  const torch::AutoGradMode gradients(!differs_in_training());
  NodeCode code = encode_nodes(false);
  z_ = code.mean.detach().contiguous();
  code_ = differs_in_training() ? NodeCode{} : std::move(code);
}

void EmbeddingModel::score(std::span<const NodePair> pairs, std::span<float> logits) const {
  InnerProductLoss::scores(z_, pairs, logits);
}

void EmbeddingModel::score_block(NodeId first_head, NodeId last_head, NodeId first_tail,
                                 NodeId last_tail, std::span<float> logits) const {
  InnerProductLoss::block_scores(z_, first_head, last_head, first_tail, last_tail, logits);
}

std::vector<NodeVectors> EmbeddingModel::vectors() const {
  return {{"z", 1, z_.size(1), {z_.data_ptr<float>(), static_cast<size_t>(z_.numel())}}};
}

DirectedGraph EmbeddingModel::directed(const MessageGraph& graph, bool with_loops) const {
  return options_.message_graph == "symmetric" ? DirectedGraph::symmetric(graph, with_loops)
                                               : DirectedGraph::one_direction(graph, with_loops);
}

WeightedGraph EmbeddingModel::weighted(const MessageGraph& graph, bool with_loops) const {
  WeightedGraph result{directed(graph, with_loops), {}};
  result.weights = torch::tensor(symmetric_weights(result.edges));
  return result;
}

}  // namespace disenlink::detail
