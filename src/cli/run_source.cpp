#include "cli/run_source.h"

#include <algorithm>
#include <array>

#include "core/fail.h"
#include "core/text.h"
#include "disenlink/version.h"

namespace disenlink::cli {
namespace {

// What only a split that is made depends on.
constexpr std::array kSplitMakers = {"protocol", "valid-share", "test-share", "uniform-negatives"};

void require_text(const std::string& name, const std::string& path) {
  if (!detail::is_utf8(path)) {
    detail::fail_usage("--{}: {} is no text in UTF-8, so no run record can hold it", name,
                       detail::quoted(path));
  }
}

}  // namespace

void RunSource::add_options(detail::OptionTable& table) {
  graph_.add_options(table, false);
  split_.add_options(table);
  table.add({.name = "split",
             .help = "Use this split instead of making one",
             .target = &split_folder_,
             .value_name = "FOLDER"});
  learning_.add_options(table);
  table.add({.name = "ranking",
             .help = "Negatives that MRR and Hits rank a link against",
             .target = &ranking_,
             .allowed = {"shared", "per-positive"}});
  table.add({.name = "checkpoint-seconds",
             .help = "Seconds between checkpoints",
             .target = &checkpoint_seconds_,
             .least = 0,
             .most = 1e9,
             .recorded = false});
}

void RunSource::settle(const detail::OptionTable& table) {
  for (const auto& [name, path] : graph_.absolute_paths()) {
    require_text(name, path);
  }
  require_text("split", split_folder_);
  if (!has_split_folder()) {
    return;
  }
  takes_seed_of_split_ = !table.is_set("seed");
  const auto refuse = [&](const char* name) {
    if (table.is_typed(name)) {
      detail::fail_usage("--{} does not go with --split, whose split is there already", name);
    }
  };
  std::for_each(kSplitMakers.begin(), kSplitMakers.end(), refuse);
  refuse("runs");
}

EdgeSplit RunSource::make_split(const Graph& graph, uint64_t seed) const {
  return has_split_folder() ? read_split(split_folder_, graph)
                            : split_edges(graph, split_.options(seed));
}

Ranking RunSource::ranking() const {
  return ranking_ == "shared" ? Ranking::kShared : Ranking::kPerPositive;
}

uint64_t RunSource::seed_of(const EdgeSplit& split) const {
  const bool takes_it = !has_split_folder() || (takes_seed_of_split_ && split.seed != 0);
  return takes_it ? split.seed : split_.first_seed();
}

TrainOptions RunSource::train_options(const EdgeSplit& split) const {
  const uint64_t seed = seed_of(split);
  return learning_.train_options(seed, split_.options(seed).negatives);
}

detail::RunRecord RunSource::make_record(const Graph& graph, const EdgeSplit& split,
                                         RunResult result, const detail::OptionTable& table) const {
  detail::RunRecord record;
  record.model = learning_.model_name();
  record.dataset = graph.name();
  record.options = table.recorded();
  for (const auto& [name, path] : graph_.absolute_paths()) {
    record.options[name] = path;
  }
  if (has_split_folder()) {
    record.options["split"] = std::filesystem::absolute(split_folder_).lexically_normal().string();
    std::for_each(kSplitMakers.begin(), kSplitMakers.end(),
                  [&](const char* name) { record.options.erase(name); });
  }
  record.options["seed"] = seed_of(split);
  if (record.options.contains("runs")) {
    record.options["runs"] = 1;
  }
  for (const auto& [part, version] : versions()) {
    record.versions[part] = version;
  }
  record.protocol = protocol_name(split.protocol);
  record.seed = seed_of(split);
  record.graph_fingerprint = split.graph_fingerprint;
  record.ranking = ranking_;
  record.result = std::move(result);
  return record;
}

}  // namespace disenlink::cli
