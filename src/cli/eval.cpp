// disenlink eval: scores of a method over one or more splits.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/audit_report.h"
#include "cli/model_folder.h"
#include "cli/progress.h"
#include "cli/run_source.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "core/fail.h"
#include "core/json_text.h"
#include "core/resources.h"
#include "disenlink/analyze.h"
#include "disenlink/evaluate.h"
#include "disenlink/experiment.h"
#include "disenlink/interrupt.h"
#include "disenlink/summary.h"
#include "train/checkpoint.h"

namespace disenlink::cli {
namespace {

namespace fs = std::filesystem;
using detail::RunRecord;

std::string summary_text(const RunRecord& first, size_t runs, const MetricSummary& summary) {
  std::string text =
      fmt::format("{} on {}, protocol {}, {} {} from seed {}, ranks against {} negatives\n",
                  first.model, first.dataset, first.protocol, runs, runs == 1 ? "run" : "runs",
                  first.seed, first.ranking == "shared" ? "all" : "its own");
  text += first.result.audit.leaks() ? leak_text(first.result.audit) + "\n"
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
  explicit Eval(const std::string& model)
      : Verb("eval", "Score a method on test links, mean and deviation over splits"),
        source_(model) {
    options().add({.name = "folder",
                   .help = "A trained model: score it on its own split, or on that of --split",
                   .target = &folder_,
                   .value_name = "FOLDER",
                   .positional = true,
                   .recorded = false});
    source_.add_options(options());
    options().add({.name = "runs",
                   .help = "Splits, with seeds SEED, SEED+1, ...",
                   .target = &runs_,
                   .least = 1,
                   .most = 10000});
    options().add({.name = "correlation",
                   .help = "Record how the columns of the factors correlate (DisenLink)",
                   .target = &correlation_});
    options().add({.name = "out",
                   .help = "Folder for the run records",
                   .target = &out_,
                   .value_name = "FOLDER",
                   .recorded = false});
    options().add(
        {.name = "resume",
         .help = "Keep a checkpoint beside a record that is being made, and go on with one",
         .target = &resume_,
         .recorded = false});
    options().add({.name = "label",
                   .help = "Added to the names of the records",
                   .target = &label_,
                   .value_name = "TEXT",
                   .recorded = false});
  }

  void set_defaults(const std::map<std::string, std::string>& wanted) override {
    if (wanted.contains("folder")) {
      take_settings_of_trained(wanted);
    } else {
      source_.set_defaults(wanted, options());
    }
  }

  int run() override {
    if (label_.find('/') != std::string::npos) {
      detail::fail_usage("--label: '{}' given, expected a text without '/'", label_);
    }
    if (!folder_.empty()) {
      report({score_trained()});
      return kDone;
    }
    source_.settle(options());
    const Graph graph = source_.graph().load();
    std::vector<RunRecord> records;
    const int64_t runs = source_.has_split_folder() ? 1 : runs_;
    for (int64_t i = 0; i < runs; ++i) {
      check_interrupt();
      records.push_back(run_once(graph, source_.split().first_seed() + static_cast<uint64_t>(i)));
    }
    report(records);
    return kDone;
  }

 private:
  RunRecord run_once(const Graph& graph, uint64_t seed) const {
    const EdgeSplit split = source_.make_split(graph, seed);
    const MessageGraph message_graph = split.message_graph();
    const auto model = source_.learning().make_model();
    RunRecord record = source_.make_record(graph, split, {}, options());
    record.label = label_;
    record.result = train_and_score(*model, graph, split, message_graph, record);
    if (correlation_) {
      record.factors = analyze(*model, graph);
    }
    detail::write_record(record, out_);
    remove_checkpoint(record);
    spdlog::info("seed {}: AUC {:.2f} %, {:.2f} s, record {}", record.seed,
                 100 * record.result.test.auc, record.result.seconds,
                 detail::record_path(record, out_).string());
    return record;
  }

  RunResult train_and_score(LinkModel& model, const Graph& graph, const EdgeSplit& split,
                            const MessageGraph& message_graph, const RunRecord& record) const {
    const TrainOptions train_options = source_.train_options(split);
    Progress progress(fmt::format("seed {}  ", split.seed), train_options.epochs, is_quiet());
    TrainHooks hooks;
    hooks.checkpoint_seconds = source_.checkpoint_seconds();
    hooks.on_restart = [&](const EpochReport& failed, double learning_rate) {
      progress.show_restart(failed, learning_rate);
    };
    hooks.on_epoch = [&](const EpochReport& epoch) { progress.show(epoch); };
    TrainState state;
    auto* const trainable = dynamic_cast<TrainableModel*>(&model);
    if (resume_ && trainable != nullptr) {
      const detail::Metadata identity = {{"graph", graph.fingerprint()},
                                         {"options", detail::json_line(record.options)}};
      hooks.on_checkpoint = [this, trainable, identity, &record](const TrainState& now) {
        detail::save_state(checkpoint_path(record), trainable->parameters(), now, identity);
      };
      if (fs::exists(checkpoint_path(record))) {
        state = detail::load_state(checkpoint_path(record), identity);
        spdlog::info("seed {}: going on after epoch {}", split.seed, state.epoch);
      }
    }
    try {
      return run_model(model, graph, split, message_graph, train_options, source_.ranking(), hooks,
                       std::move(state));
    } catch (const Interrupted&) {
      throw;
    } catch (const Error&) {
      remove_checkpoint(record);  // who repeats a run that failed wants to see it fail
      throw;
    }
  }

  fs::path checkpoint_path(const RunRecord& record) const {
    const fs::path path = detail::record_path(record, out_);
    return path.parent_path() / (path.stem().string() + ".checkpoint.safetensors");
  }

  void remove_checkpoint(const RunRecord& record) const {
    if (resume_) {
      std::error_code ignored;
      fs::remove(checkpoint_path(record), ignored);
    }
  }

  // What a model was trained with cannot be chosen again, and must not seem to be.
  void take_settings_of_trained(const std::map<std::string, std::string>& wanted) {
    constexpr std::array kNeutral = {"folder", "split", "json", "threads", "quiet"};
    for (const auto& [name, text] : wanted) {
      if (name == "data" || name == "ranking") {
        trained_settings_[name] = text;
      } else if (std::find(kNeutral.begin(), kNeutral.end(), name) == kNeutral.end()) {
        detail::fail_usage(
            "option '{}' does not go with a trained model; --split, --ranking and --data do", name);
      }
    }
  }

  RunRecord score_trained() const {
    const ModelFolder trained(folder_, trained_settings_, source_.split_folder());
    if (trained.split().test.negatives.empty()) {
      detail::fail("the split has no test negatives (test_neg.txt), so nothing can be ranked");
    }
    const Ranking ranking = trained.source().ranking();
    const detail::Stopwatch watch;
    RunResult result;
    result.audit = audit_split(trained.split(), &trained.graph().adjacency(), trained.learnt_on());
    const EdgeSplit& split = trained.split();
    if (!split.valid.positives.empty() && !split.valid.negatives.empty()) {
      result.valid = evaluate(trained.model(), split.valid, trained.graph().names(), ranking);
    }
    result.test = evaluate(trained.model(), split.test, trained.graph().names(), ranking);
    result.seconds = watch.seconds();
    result.peak_memory_bytes = detail::peak_memory_bytes();
    RunRecord record = trained.source().make_record(trained.graph(), trained.split(),
                                                    std::move(result), trained.options());
    if (trained.learnt_on() != nullptr) {
      record.options["seed"] = trained.options().recorded().at("seed");
      record.options["split"] = fs::absolute(source_.split_folder()).lexically_normal().string();
    }
    return record;
  }

  void report(const std::vector<RunRecord>& records) const {
    std::vector<Metrics> scores;
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    for (const RunRecord& record : records) {
      scores.push_back(record.result.test);
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

  std::string folder_;
  std::map<std::string, std::string> trained_settings_;
  RunSource source_;
  int64_t runs_ = 1;
  bool correlation_ = false;
  bool resume_ = false;
  std::string out_ = "runs";
  std::string label_;
};

}  // namespace

std::unique_ptr<Verb> make_eval(const std::string& model) { return std::make_unique<Eval>(model); }

}  // namespace disenlink::cli
