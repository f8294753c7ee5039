#include "cli/learning_source.h"

#include "models/disenlink/model.h"
#include "models/disenlink/presets.h"

namespace disenlink::cli {
namespace {

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelInfo& model : models()) {
    names.emplace_back(model.name);
  }
  return names;
}

}  // namespace

void LearningSource::add_options(detail::OptionTable& table) {
  table.add({.name = "model", .help = "Method", .target = &model_, .allowed = model_names()});
  table.add({.name = "preset",
             .help = "Settings: ours, the paper's formulas, or the authors' code per dataset",
             .target = &preset_,
             .allowed = detail::preset_names()});
  disenlink_.add_to(table);
  table.add({.name = "epochs",
             .help = "Most passes over the training links",
             .target = &train_.epochs,
             .least = 1,
             .most = 1e9});
  table.add({.name = "patience",
             .help = "Stop after so many epochs without a better validation AUC",
             .target = &train_.patience,
             .least = 1,
             .most = 1e9});
  table.add({.name = "lr",
             .help = "Learning rate of Adam",
             .target = &train_.learning_rate,
             .least = 1e-12,
             .most = 1e6});
  table.add({.name = "weight-decay",
             .help = "Decay of the weights, added to the gradient",
             .target = &train_.weight_decay,
             .least = 0,
             .most = 1e6});
  table.add({.name = "fresh-negatives",
             .help = "Draw training negatives anew in each epoch",
             .target = &train_.fresh_negatives});
}

void LearningSource::set_defaults(const std::map<std::string, std::string>& wanted,
                                  detail::OptionTable& table) {
  const auto preset = wanted.find("preset");
  const auto dataset = wanted.find("dataset");
  if (preset == wanted.end()) {
    return;
  }
  table.set("preset", preset->second, "--preset");
  for (const auto& [name, value] :
       detail::preset_options(preset->second, dataset == wanted.end() ? "" : dataset->second)) {
    table.set(name, value, "preset " + preset->second);
  }
}

std::unique_ptr<LinkModel> LearningSource::make_model() const {
  if (model_ == "disenlink") {
    return std::make_unique<detail::DisenLinkModel>(disenlink_);
  }
  return find_model(model_).make({});
}

TrainOptions LearningSource::train_options(uint64_t seed, int64_t negatives) const {
  TrainOptions options = train_;
  options.seed = seed;
  options.negatives = negatives;
  return options;
}

}  // namespace disenlink::cli
