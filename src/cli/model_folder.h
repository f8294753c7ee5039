// A folder that `disenlink train` has written: the graph, the split and the model, ready to score.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cli/run_source.h"
#include "disenlink/model.h"

namespace disenlink::cli {

inline constexpr const char* kModelFile = "model.safetensors";
inline constexpr const char* kCheckpointFile = "checkpoint.safetensors";  // of a training under way

class ModelFolder {
 public:
  // settings: options by name that come before those of training. split_folder: empty = the model's
  // own split. Throws Error where the graph is not the one the model was trained on.
  ModelFolder(const std::filesystem::path& folder,
              const std::map<std::string, std::string>& settings,
              const std::filesystem::path& split_folder = {});

  const Graph& graph() const { return *graph_; }
  const EdgeSplit& split() const { return split_; }
  // What the model has learnt, where split() is another one; else null.
  const EdgeSplit* learnt_on() const { return learnt_on_ ? &*learnt_on_ : nullptr; }
  const MessageGraph& message_graph() const { return message_graph_; }
  const LinkModel& model() const { return *model_; }
  LinkModel& model() { return *model_; }
  const detail::OptionTable& options() const { return options_; }
  const RunSource& source() const { return *source_; }

 private:
  std::unique_ptr<RunSource> source_;
  detail::OptionTable options_;
  std::unique_ptr<Graph> graph_;
  EdgeSplit split_;
  std::optional<EdgeSplit> learnt_on_;
  MessageGraph message_graph_;
  std::unique_ptr<LinkModel> model_;
};

}  // namespace disenlink::cli
