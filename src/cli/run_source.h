// What the verbs that run a method have in common: graph, split, method, training, records.
#pragma once

#include <string>

#include "cli/graph_source.h"
#include "cli/learning_source.h"
#include "cli/split_source.h"
#include "report/record.h"

namespace disenlink::cli {

class RunSource {
 public:
  explicit RunSource(std::string model) : learning_(std::move(model)) {}

  void add_options(detail::OptionTable& table);
  void set_defaults(const std::map<std::string, std::string>& wanted, detail::OptionTable& table) {
    learning_.set_defaults(wanted, table);
  }

  const GraphSource& graph() const { return graph_; }
  const SplitSource& split() const { return split_; }
  const LearningSource& learning() const { return learning_; }

  // Called when the options are known. Throws UsageError where --split and an option that makes a
  // split are typed together, and where a path is no text that a record can hold.
  void settle(const detail::OptionTable& table);

  // The folder given by --split, or a new split with this seed.
  EdgeSplit make_split(const Graph& graph, uint64_t seed) const;
  bool has_split_folder() const { return !split_folder_.empty(); }
  const std::string& split_folder() const { return split_folder_; }
  Ranking ranking() const;

  TrainOptions train_options(const EdgeSplit& split) const;
  double checkpoint_seconds() const { return checkpoint_seconds_; }

  detail::RunRecord make_record(const Graph& graph, const EdgeSplit& split, RunResult result,
                                const detail::OptionTable& table) const;

 private:
  GraphSource graph_;
  SplitSource split_;
  LearningSource learning_;
  // That of a split from files, unless --seed is given too.
  uint64_t seed_of(const EdgeSplit& split) const;

  std::string split_folder_;
  bool takes_seed_of_split_ = false;
  std::string ranking_ = "shared";
  double checkpoint_seconds_ = 30;
};

}  // namespace disenlink::cli
