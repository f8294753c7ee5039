#include "cli/learning_source.h"

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

LearningSource::LearningSource(std::string model)
    : model_(std::move(model)),
      factory_(find_model(model_).factory()),
      train_(factory_->train_defaults()) {}

void LearningSource::add_options(detail::OptionTable& table) {
  table.add({.name = "model",
             .help = "Method; with --help, the options of that method are shown",
             .target = &model_,
             .allowed = model_names()});
  if (!factory_->learns()) {
    factory_->add_options(table);
    return;
  }
  table.add({.name = "preset",
             .help = "Settings: ours, or those of a paper or its authors' code, per dataset",
             .target = &preset_,
             .allowed = factory_->presets()});
  factory_->add_options(table);
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
  table.add({.name = "min-gain",
             .help = "What counts as better for --patience; the best epoch is kept in any case",
             .target = &train_.min_gain,
             .least = 0,
             .most = 1});
  table.add({.name = "lr",
             .help = "Learning rate of Adam",
             .target = &train_.learning_rate,
             .least = 1e-12,
             .most = 1e6});
  table.add({.name = "restarts",
             .help = "Begin anew so often, with 0.3 of the learning rate, when the loss grows a "
                     "hundredfold",
             .target = &train_.restarts,
             .least = 0,
             .most = 100});
  table.add({.name = "weight-decay",
             .help = "Decay of the weights, added to the gradient",
             .target = &train_.weight_decay,
             .least = 0,
             .most = 1e6});
  table.add({.name = "fresh-negatives",
             .help = "Draw training negatives anew in each epoch",
             .target = &train_.fresh_negatives});
  table.add({.name = "validation",
             .help = "Validate the weights that are kept, or, as the authors' code, what training "
                     "computed before they changed",
             .target = &validation_,
             .allowed = {"fresh", "stale"}});
}

void LearningSource::set_defaults(const std::map<std::string, std::string>& wanted,
                                  detail::OptionTable& table) {
  const auto chosen = [&](const std::string& name, const std::string& otherwise) {
    const auto found = wanted.find(name);
    return found == wanted.end() ? otherwise : found->second;
  };
  if (!factory_->learns()) {
    return;
  }
  const std::string preset = chosen("preset", preset_);
  table.set("preset", preset, "--preset");
  if (preset != "default") {
    table.set("restarts", "0", "preset " + preset);  // their programs go on
  }
  for (const auto& [name, value] : factory_->preset_options(preset, chosen("dataset", ""))) {
    table.set(name, value, "preset " + preset);
  }
}

TrainOptions LearningSource::train_options(uint64_t seed, int64_t negatives) const {
  TrainOptions options = train_;
  options.seed = seed;
  options.negatives = negatives;
  options.stale_validation = validation_ == "stale";
  return options;
}

}  // namespace disenlink::cli
