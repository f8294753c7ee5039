#include "cli/model_folder.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/fail.h"
#include "core/json_text.h"
#include "train/checkpoint.h"

namespace disenlink::cli {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> recorded_options(const std::string& recorded,
                                                    const fs::path& path) {
  std::map<std::string, std::string> options;
  try {
    const auto json = nlohmann::json::parse(recorded);
    for (const auto& [name, value] : json.items()) {
      options[name] = value.is_string() ? value.get<std::string>() : value.dump();
    }
  } catch (const nlohmann::json::exception& problem) {
    detail::fail_in(path, "its options are damaged: {}", detail::json_problem(problem));
  }
  return options;
}

}  // namespace

ModelFolder::ModelFolder(const fs::path& folder, const std::map<std::string, std::string>& settings,
                         const fs::path& split_folder) {
  const fs::path path = folder / kModelFile;
  if (!fs::exists(path) && fs::exists(folder / kCheckpointFile)) {
    detail::fail_in(folder,
                    "holds a training that was interrupted; go on with it: the same command and "
                    "--resume");
  }
  if (!fs::exists(path)) {
    detail::fail_in(folder, "holds no trained model ({}); make one with `disenlink train --out {}`",
                    kModelFile, folder.string());
  }
  detail::Metadata metadata = detail::read_metadata(path);
  const auto recorded = recorded_options(metadata["options"], path);
  const auto model = recorded.find("model");
  const std::string method = model == recorded.end() ? "disenlink" : model->second;
  if (!find_model(method).factory()->learns()) {
    detail::fail_in(path, "its options are damaged: '{}' is no model that is trained", method);
  }
  source_ = std::make_unique<RunSource>(method);
  source_->add_options(options_);
  for (const auto& [name, value] : recorded) {
    options_.set(name, value, path.string());
  }
  options_.set_all(settings);
  graph_ = std::make_unique<Graph>(source_->graph().load());
  if (metadata["graph"] != graph_->fingerprint()) {
    detail::fail_in(path, "was trained on graph '{}' with fingerprint {}, but '{}' has {} now",
                    metadata["dataset"], metadata["graph"], graph_->name(), graph_->fingerprint());
  }
  split_ = read_split(folder / "split", *graph_);
  if (metadata.contains("split") && metadata["split"] != split_.fingerprint()) {
    detail::fail_in(folder / "split",
                    "is not the split that the model was trained on; score it on another one by "
                    "`disenlink eval {} --split OTHER`",
                    folder.string());
  }
  if (!split_folder.empty()) {
    learnt_on_ = std::exchange(split_, read_split(split_folder, *graph_));
  }
  message_graph_ = split_.message_graph();
  model_ = source_->learning().make_model();
  auto& trainable = dynamic_cast<TrainableModel&>(*model_);
  Random unused(0);
  trainable.start(message_graph_, graph_->features(), unused);
  detail::load_model(path, trainable.parameters());
  trainable.refresh();
}

}  // namespace disenlink::cli
