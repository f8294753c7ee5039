// disenlink train: from a graph to a folder with a trained model.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

#include "cli/audit_report.h"
#include "cli/epoch_log.h"
#include "cli/folder_lock.h"
#include "cli/model_folder.h"
#include "cli/progress.h"
#include "cli/run_source.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "core/fail.h"
#include "core/json_text.h"
#include "core/output_file.h"
#include "disenlink/experiment.h"
#include "disenlink/interrupt.h"
#include "train/checkpoint.h"

namespace disenlink::cli {
namespace {

namespace fs = std::filesystem;
using detail::RunRecord;

std::string result_text(const RunRecord& record, const std::string& folder) {
  const RunResult& result = record.result;
  std::string text = fmt::format(
      "{} on {}, protocol {}, seed {}: best epoch {} of {}, {:.1f} s, {:.0f} MB\n", record.model,
      record.dataset, record.protocol, record.seed, result.training.best_epoch,
      result.training.epoch, result.seconds, static_cast<double>(result.peak_memory_bytes) / 1e6);
  if (result.audit.leaks()) {
    text += leak_text(result.audit);
  }
  if (result.training.clipped > 0) {
    text += fmt::format("{} exponents met their bound\n", grouped(result.training.clipped));
  }
  if (result.training.restarts > 0) {
    text += fmt::format("the loss grew too large at first; trained with learning rate {:.3g}\n",
                        result.training.learning_rate);
  }
  Table table({"<metric", "validation %", "test %"});
  const auto test = result.test.named();
  const auto valid = result.valid.value_or(Metrics{}).named();
  for (size_t i = 0; i < test.size(); ++i) {
    table.add({test[i].first, fmt::format("{:.2f}", 100 * valid[i].second),
               fmt::format("{:.2f}", 100 * test[i].second)});
  }
  return text + "\n" + table.text() + fmt::format("\nmodel written to {}\n", folder);
}

class Train : public Verb {
 public:
  explicit Train(const std::string& model)
      : Verb("train", "Train a model on a graph and write it to a folder"), source_(model) {
    source_.add_options(options());
    options().add({.name = "out",
                   .help = "Folder for model.safetensors, record.json and split/",
                   .target = &out_,
                   .value_name = "FOLDER",
                   .recorded = false});
    options().add({.name = "resume",
                   .help = "Go on where an interrupted run stopped",
                   .target = &resume_,
                   .recorded = false});
    options().add({.name = "force",
                   .help = "Replace a model that is there already",
                   .target = &force_,
                   .recorded = false});
    options().add({.name = "epoch-log",
                   .help = "Write a JSON line for every epoch",
                   .target = &epoch_log_,
                   .value_name = "FILE",
                   .recorded = false});
  }

  void set_defaults(const std::map<std::string, std::string>& wanted) override {
    source_.set_defaults(wanted, options());
  }

  int run() override {
    source_.settle(options());
    check_folder();
    const FolderLock lock(out_);
    const Graph graph = source_.graph().load();
    const EdgeSplit split = source_.make_split(graph, source_.split().first_seed());
    const MessageGraph message_graph = split.message_graph();
    const auto model = source_.learning().make_model();
    auto* trainable = dynamic_cast<TrainableModel*>(model.get());
    if (trainable == nullptr) {
      detail::fail_usage("{} does not learn; score it with `disenlink eval --model {}`",
                         source_.learning().model_name(), source_.learning().model_name());
    }
    const detail::Metadata identity = {{"graph", graph.fingerprint()},
                                       {"options", detail::json_line(options().recorded())}};
    TrainState state;
    if (resume_) {
      state = detail::load_state(checkpoint_path(), identity);
      spdlog::info("going on after epoch {}", state.epoch);
    }
    RunResult result = train(*trainable, graph, split, message_graph, identity, std::move(state));
    const RunRecord record = source_.make_record(graph, split, std::move(result), options());
    save(*trainable, graph, split, record);
    print(json_ ? detail::json_text(detail::to_json(record)) : result_text(record, out_));
    return kDone;
  }

 private:
  fs::path checkpoint_path() const { return fs::path(out_) / kCheckpointFile; }

  void check_folder() const {
    if (out_.empty()) {
      detail::fail_usage("no folder given: disenlink train --dataset NAME --out FOLDER");
    }
    if (!force_ && fs::exists(fs::path(out_) / kModelFile)) {
      detail::fail(
          "{} holds a trained model already; choose another folder or replace it (--force)", out_);
    }
    if (resume_ && !fs::exists(checkpoint_path())) {
      detail::fail("{}: there is no interrupted run to go on with", checkpoint_path().string());
    }
    if (!resume_ && !force_ && fs::exists(checkpoint_path())) {
      detail::fail("{} holds an interrupted run; go on with it (--resume) or replace it (--force)",
                   out_);
    }
    // Hours of training must not end at a folder that cannot be written.
    detail::OutputFolder(fs::is_directory(out_) ? staging_place() : fs::path(out_), true, {"*"});
  }

  fs::path staging_place() const { return fs::path(out_) / "new"; }

  RunResult train(TrainableModel& model, const Graph& graph, const EdgeSplit& split,
                  const MessageGraph& message_graph, const detail::Metadata& identity,
                  TrainState state) const {
    const TrainOptions train_options = source_.train_options(split);
    Progress progress("", train_options.epochs, is_quiet());
    EpochLog log(epoch_log_, state.epoch);
    TrainHooks hooks;
    hooks.checkpoint_seconds = source_.checkpoint_seconds();
    hooks.on_restart = [&](const EpochReport& failed, double learning_rate) {
      progress.show_restart(failed, learning_rate);
    };
    hooks.on_epoch = [&](const EpochReport& report) {
      progress.show(report);
      log.add(report);
    };
    hooks.on_checkpoint = [&](const TrainState& now) {
      detail::save_state(checkpoint_path(), model.parameters(), now, identity);
    };
    try {
      return run_model(model, graph, split, message_graph, train_options, source_.ranking(), hooks,
                       std::move(state));
    } catch (const Interrupted&) {
      if (fs::exists(checkpoint_path())) {
        spdlog::info("go on with this run: the same command and --resume");
      }
      throw;
    }
  }

  // Split, model and record belong together, so they are all written before the first one takes
  // its place: a model that was here stays usable until then.
  void save(TrainableModel& model, const Graph& graph, const EdgeSplit& split,
            const RunRecord& record) const {
    const InterruptHold hold;
    detail::OutputFolder folder(staging_place(), true, {"*"});  // nothing is replaced there
    write_split(split, graph.names(), folder.staging() / "split", true);
    write_model(model, graph, split, record, folder.staging() / kModelFile);
    detail::write_whole_file(folder.staging() / "record.json",
                             detail::json_text(detail::to_json(record)));
    folder.commit_entries_to(out_);
    std::error_code ignored;
    fs::remove(checkpoint_path(), ignored);
  }

  static void write_model(TrainableModel& model, const Graph& graph, const EdgeSplit& split,
                          const RunRecord& record, const fs::path& path) {
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    if (!graph.names().is_numbered()) {
      for (int64_t node = 0; node < graph.num_nodes(); ++node) {
        names.push_back(graph.names().name(node));
      }
    }
    detail::save_model(path, model.parameters(),
                       {{"model", record.model},
                        {"dataset", record.dataset},
                        {"protocol", record.protocol},
                        {"graph", record.graph_fingerprint},
                        {"split", split.fingerprint()},
                        {"nodes", std::to_string(graph.num_nodes())},
                        {"node_names", detail::json_text(names)},
                        {"options", detail::json_line(record.options)},
                        {"test", detail::json_line(detail::to_json(record.result.test))}});
  }

  RunSource source_;
  std::string out_;
  std::string epoch_log_;
  bool resume_ = false;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_train(const std::string& model) {
  return std::make_unique<Train>(model);
}

}  // namespace disenlink::cli
