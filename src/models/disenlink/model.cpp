// DisenLink. Zhou, Guo, Aggarwal, Zhang and Wang, Link prediction on heterophilic graphs via
// disentangled representation learning. Formulas and shapes: network.h.
//
// Differs from the paper, each by an option: the loss is cross-entropy, a training link is scored
// without its own message, feature rows are standardised. Differs from the authors' code: messages
// are divided by the receiver's total, negatives weigh as much as links; preset `published` brings
// back what theirs does.
#include "models/disenlink/model.h"

#include "core/fail.h"
#include "models/disenlink/presets.h"
#include "models/factory.h"
#include "models/registry.h"
#include "models/require_features.h"

namespace disenlink::detail {

DisenLinkModel::DisenLinkModel(const DisenLinkOptions& options)
    : options_(options.network()), glorot_(options.init == "glorot") {}

void DisenLinkModel::bind(const MessageGraph& message_graph, const Features& features) {
  require_features(features, "DisenLink");
  network_ = std::make_unique<Network<float>>(message_graph, features, options_);
}

void DisenLinkModel::start(const MessageGraph& message_graph, const Features& features,
                           Random& random) {
  bind(message_graph, features);
  network_->initialise(glorot_, random);
}

void DisenLinkModel::encode(const MessageGraph& message_graph, const Features& features) {
  NetworkParameters<float> trained;
  if (network_) {
    trained = std::move(network_->parameters());
  }
  bind(message_graph, features);
  if (trained.w1.size() != network_->parameters().w1.size()) {
    fail("the model's weights do not fit a graph with {} features", features.num_columns());
  }
  network_->parameters() = std::move(trained);
  refresh();
}

std::vector<Parameter> DisenLinkModel::parameters() {
  network_->reserve_training();
  auto& values = network_->parameters();
  auto& gradients = network_->gradients();
  const int64_t width = options_.factors * options_.hidden;
  const auto features = static_cast<int64_t>(values.w1.size()) / width;
  return {{"w1", {features, width}, values.w1, gradients.w1},
          {"b1", {width}, values.b1, gradients.b1},
          {"w2", {options_.factors, options_.hidden, options_.width}, values.w2, gradients.w2},
          {"b2", {options_.factors, options_.width}, values.b2, gradients.b2}};
}

StepReport DisenLinkModel::compute_gradients(const TrainStep& step) {
  if (!is_fresh_) {
    network_->forward();
  }
  is_fresh_ = false;  // backward reuses the hidden layer's memory
  const LossReport report = network_->backward(step.positives, step.negatives);
  return {report.loss, report.clipped};
}

void DisenLinkModel::refresh() {
  network_->forward();
  is_fresh_ = true;
}

void DisenLinkModel::score(std::span<const NodePair> pairs, std::span<float> logits) const {
  network_->scores(pairs, logits);
}

void DisenLinkModel::score_block(NodeId first_head, NodeId last_head, NodeId first_tail,
                                 NodeId last_tail, std::span<float> logits) const {
  network_->block_scores(first_head, last_head, first_tail, last_tail, logits.data());
}

std::vector<NodeVectors> DisenLinkModel::vectors() const {
  const FactorShape& shape = network_->shape();
  return {{"z", shape.factors, shape.width, network_->z()},
          {"h", shape.factors, shape.width, network_->h()}};
}

namespace {

class DisenLinkFactory : public ModelFactory {
 public:
  void add_options(OptionTable& table) override { options_.add_to(table); }
  std::vector<std::string> presets() const override { return preset_names(); }
  ModelOptions preset_options(std::string_view preset, std::string_view dataset) const override {
    return detail::preset_options(preset, dataset);
  }
  std::unique_ptr<LinkModel> make() const override {
    return std::make_unique<DisenLinkModel>(options_);
  }

 private:
  DisenLinkOptions options_;
};

}  // namespace

std::unique_ptr<ModelFactory> new_disenlink() { return new_factory<DisenLinkFactory>(); }

}  // namespace disenlink::detail
