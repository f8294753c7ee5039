// disenlink eval: scores of a method over one or more splits.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

#include "cli/graph_source.h"
#include "cli/split_source.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "core/fail.h"
#include "core/json_text.h"
#include "core/resources.h"
#include "disenlink/evaluate.h"
#include "disenlink/interrupt.h"
#include "disenlink/summary.h"
#include "disenlink/version.h"
#include "report/record.h"

namespace disenlink::cli {
namespace {

using detail::RunRecord;

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelInfo& model : models()) {
    names.emplace_back(model.name);
  }
  return names;
}

std::string summary_text(const RunRecord& first, size_t runs, const MetricSummary& summary) {
  std::string text =
      fmt::format("{} on {}, protocol {}, {} {} from seed {}, ranks against {} negatives\n",
                  first.model, first.dataset, first.protocol, runs, runs == 1 ? "run" : "runs",
                  first.seed, first.ranking == "shared" ? "all" : "its own");
  text += first.audit.leaks()
              ? fmt::format("the split leaks: {:.1f} % of the test links can be looked up\n\n",
                            100 * first.audit.leaked_share())
              : "the split does not leak\n\n";
  Table table({"<metric", "mean %", "deviation"});
  const auto means = summary.mean.named();
  const auto deviations = summary.deviation.named();
  for (size_t i = 0; i < means.size(); ++i) {
    table.add({means[i].first, fmt::format("{:.2f}", 100 * means[i].second),
               runs > 1 ? fmt::format("{:.2f}", 100 * deviations[i].second) : "-"});
  }
  return text + table.text();
}

class Eval : public Verb {
 public:
  Eval() : Verb("eval", "Score a method on test links, mean and deviation over splits") {
    auto& table = options();
    table.add({.name = "model",
               .help = "Method",
               .target = &model_,
               .allowed = model_names(),
               .value_name = "NAME"});
    source_.add_options(table, false);
    split_.add_options(table);
    table.add({.name = "runs",
               .help = "Splits, with seeds SEED, SEED+1, ...",
               .target = &runs_,
               .least = 1,
               .most = 10000});
    table.add({.name = "split",
               .help = "Score this split instead of making splits",
               .target = &split_folder_,
               .value_name = "FOLDER"});
    table.add({.name = "ranking",
               .help = "Negatives that MRR and Hits rank a link against",
               .target = &ranking_,
               .allowed = {"shared", "per-positive"}});
    table.add({.name = "out",
               .help = "Folder for the run records",
               .target = &out_,
               .value_name = "FOLDER",
               .recorded = false});
  }

  int run() override {
    const Graph graph = source_.load();
    std::vector<RunRecord> records;
    if (!split_folder_.empty()) {
      records.push_back(run_once(graph, read_split(split_folder_, graph)));
    } else {
      for (int64_t i = 0; i < runs_; ++i) {
        check_interrupt();
        records.push_back(run_once(
            graph,
            split_edges(graph, split_.options(split_.first_seed() + static_cast<uint64_t>(i)))));
      }
    }
    report(records);
    return kDone;
  }

 private:
  RunRecord run_once(const Graph& graph, const EdgeSplit& split) const {
    if (split.test.negatives.empty()) {
      detail::fail("the split has no test negatives (test_neg.txt), so nothing can be ranked");
    }
    const detail::Stopwatch watch;
    const Ranking ranking = ranking_ == "shared" ? Ranking::kShared : Ranking::kPerPositive;
    const auto model = find_model(model_).make();
    const Adjacency message_graph = split.message_graph();
    model->encode(message_graph, graph.features());
    RunRecord record;
    record.model = model_;
    record.dataset = graph.name();
    record.options = options().recorded();
    record.options["seed"] = split.seed;
    record.options["runs"] = 1;
    for (const auto& [part, version] : versions()) {
      record.versions[part] = version;
    }
    record.protocol = protocol_name(split.protocol);
    record.seed = split.seed;
    record.graph_fingerprint = split.graph_fingerprint;
    record.audit = audit_split(split, &graph.adjacency());
    record.ranking = ranking_;
    if (!split.valid.positives.empty() && !split.valid.negatives.empty()) {
      record.valid = evaluate(*model, split.valid, graph.names(), ranking);
    }
    record.test = evaluate(*model, split.test, graph.names(), ranking);
    record.seconds = watch.seconds();
    record.peak_memory_bytes = detail::peak_memory_bytes();
    detail::write_record(record, out_);
    spdlog::info("seed {}: AUC {:.2f} %, {:.2f} s, record {}", record.seed, 100 * record.test.auc,
                 record.seconds, detail::record_path(record, out_).string());
    return record;
  }

  void report(const std::vector<RunRecord>& records) const {
    std::vector<Metrics> scores;
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    for (const RunRecord& record : records) {
      scores.push_back(record.test);
      runs.push_back(detail::to_json(record));
    }
    const MetricSummary summary = summarize(scores);
    const RunRecord& first = records.front();
    if (json_) {
      print(detail::json_text({{"model", first.model},
                               {"dataset", first.dataset},
                               {"protocol", first.protocol},
                               {"mean", detail::to_json(summary.mean)},
                               {"std", detail::to_json(summary.deviation)},
                               {"runs", runs}}));
    } else {
      print(summary_text(first, records.size(), summary));
    }
  }

  std::string model_ = "aa";
  GraphSource source_;
  SplitSource split_;
  int64_t runs_ = 1;
  std::string split_folder_;
  std::string ranking_ = "shared";
  std::string out_ = "runs";
};

}  // namespace

std::unique_ptr<Verb> make_eval() { return std::make_unique<Eval>(); }

}  // namespace disenlink::cli
