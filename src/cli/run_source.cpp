#include "cli/run_source.h"

#include "disenlink/version.h"

namespace disenlink::cli {

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

EdgeSplit RunSource::make_split(const Graph& graph, uint64_t seed) const {
  return has_split_folder() ? read_split(split_folder_, graph)
                            : split_edges(graph, split_.options(seed));
}

Ranking RunSource::ranking() const {
  return ranking_ == "shared" ? Ranking::kShared : Ranking::kPerPositive;
}

TrainOptions RunSource::train_options(const EdgeSplit& split) const {
  const uint64_t seed = has_split_folder() ? split_.first_seed() : split.seed;
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
  if (!has_split_folder()) {
    record.options["seed"] = split.seed;
  }
  if (record.options.contains("runs")) {
    record.options["runs"] = 1;
  }
  for (const auto& [part, version] : versions()) {
    record.versions[part] = version;
  }
  record.protocol = protocol_name(split.protocol);
  record.seed = split.seed;
  record.graph_fingerprint = split.graph_fingerprint;
  record.ranking = ranking_;
  record.result = std::move(result);
  return record;
}

}  // namespace disenlink::cli
