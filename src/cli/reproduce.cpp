// disenlink reproduce: the paper's experiments, run by run, each with a record of its own.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/child_process.h"
#include "cli/dataset_facts.h"
#include "cli/folder_lock.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "core/fail.h"
#include "core/input_file.h"
#include "core/json_text.h"
#include "core/output_file.h"
#include "core/resources.h"
#include "core/text.h"
#include "disenlink/datasets.h"
#include "disenlink/interrupt.h"
#include "disenlink/threads.h"
#include "models/factory.h"
#include "report/results.h"
#include "report/study.h"

namespace disenlink::cli {
namespace {

namespace fs = std::filesystem;
using detail::StudyCell;

std::string name_of(const StudyCell& cell) {
  return fmt::format("{} {} {} seed {}{}", cell.protocol, cell.model, cell.dataset, cell.seed,
                     cell.label.empty() ? "" : " " + cell.label);
}

std::string duration(double seconds) {
  if (seconds < 90) {
    return fmt::format("{:.0f} s", seconds);
  }
  return seconds < 5400 ? fmt::format("{:.0f} min", seconds / 60)
                        : fmt::format("{:.1f} h", seconds / 3600);
}

enum class CellState { kOpen, kDone, kUnusable };

// A file in the cell's place counts only if it is the record of this very run.
CellState state_of(const StudyCell& cell, const fs::path& path) {
  if (!fs::exists(path)) {
    return CellState::kOpen;
  }
  try {
    const auto record = nlohmann::json::parse(detail::read_whole_file(path));
    if (is_record_of(record, cell)) {
      return CellState::kDone;
    }
    spdlog::warn("{}: is the record of another run and is not counted; move it to run '{}'",
                 path.string(), name_of(cell));
  } catch (const std::exception&) {
    spdlog::warn("{}: is no run record and is not counted; remove it to run '{}'", path.string(),
                 name_of(cell));
  }
  return CellState::kUnusable;
}

struct Progress {
  int64_t planned = 0;
  int64_t had_record = 0;
  int64_t unusable = 0;
  int64_t ran = 0;
  int64_t failed = 0;
  int64_t left = 0;  // for want of time
};

// Runs cells side by side, each on a core of its own: for runs of one thread that is faster than
// one run after the other on all cores.
class CellRunner {
 public:
  CellRunner(std::vector<StudyCell> cells, detail::RunCosts costs, fs::path folder,
             std::string data, int jobs, double budget_seconds)
      : cells_(std::move(cells)),
        costs_(std::move(costs)),
        folder_(std::move(folder)),
        data_(std::move(data)),
        slots_(jobs),
        budget_seconds_(budget_seconds) {}

  void run(Progress& progress) {
    while (next_ < cells_.size() || is_busy()) {
      if (interrupt_requested() || watch_.seconds() > budget_seconds_) {
        stop_all(progress);
        progress.left += static_cast<int64_t>(cells_.size() - next_);
        check_interrupt();
        return;
      }
      for (size_t slot = 0; slot < slots_.size(); ++slot) {
        collect(slots_[slot], progress);
        start_next(slot, progress);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

 private:
  struct Slot {
    std::unique_ptr<ChildProcess> process;
    StudyCell cell;
    detail::Stopwatch watch;
  };

  bool is_busy() const {
    return std::any_of(slots_.begin(), slots_.end(),
                       [](const Slot& slot) { return slot.process != nullptr; });
  }

  void collect(Slot& slot, Progress& progress) {
    if (slot.process == nullptr || !slot.process->has_ended()) {
      return;
    }
    if (slot.process->exit_code() == 0) {
      ++progress.ran;
      spdlog::info("{}: {}", name_of(slot.cell), duration(slot.watch.seconds()));
    } else {
      ++progress.failed;
      spdlog::warn("{}: failed: {}", name_of(slot.cell), slot.process->last_words());
    }
    slot.process.reset();
  }

  void start_next(size_t slot, Progress& progress) {
    // Too long for what is left of the budget, if the estimate is not wrong by far.
    constexpr double kDoubt = 3;
    while (slots_[slot].process == nullptr && next_ < cells_.size()) {
      const StudyCell& cell = cells_[next_++];
      if (costs_.seconds(cell) > kDoubt * (budget_seconds_ - watch_.seconds())) {
        ++progress.left;
        continue;
      }
      slots_[slot].cell = cell;
      slots_[slot].watch = {};
      slots_[slot].process = std::make_unique<ChildProcess>(
          arguments_of(cell), slots_.size() > 1 ? nth_usable_core(static_cast<int>(slot)) : -1);
    }
  }

  std::vector<std::string> arguments_of(const StudyCell& cell) const {
    std::vector<std::string> words = {"eval", "--quiet", "--resume"};
    const auto add = [&](const std::string& name, const std::string& value) {
      words.push_back("--" + name + "=" + value);
    };
    add("model", cell.model);
    add("dataset", cell.dataset);
    add("protocol", cell.protocol);
    add("seed", std::to_string(cell.seed));
    add("out", folder_.string());
    if (find_model(cell.model).factory()->learns()) {
      add("preset", preset_of(cell));
    }
    for (const auto& [name, value] : cell.options) {
      add(name, value);
    }
    if (!cell.label.empty()) {
      add("label", cell.label);
    }
    if (!data_.empty()) {
      add("data", data_);
    }
    return words;
  }

  // A run that is stopped leaves a checkpoint to go on from, unless it was just done.
  void stop_all(Progress& progress) {
    for (Slot& slot : slots_) {
      if (slot.process != nullptr) {
        slot.process->stop();
      }
    }
    for (Slot& slot : slots_) {
      while (slot.process != nullptr && !slot.process->has_ended()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      if (slot.process != nullptr) {
        ++(slot.process->exit_code() == 0 ? progress.ran : progress.left);
        slot.process.reset();
      }
    }
  }

  std::vector<StudyCell> cells_;  // to run
  detail::RunCosts costs_;
  size_t next_ = 0;
  fs::path folder_;
  std::string data_;
  std::vector<Slot> slots_;
  double budget_seconds_;
  detail::Stopwatch watch_;
};

class Reproduce : public Verb {
 public:
  Reproduce()
      : Verb("reproduce", "Run the paper's experiments; what has a record already is skipped") {
    auto& table = options();
    table.add({.name = "study",
               .help = fmt::format("Comma-separated: {}, all", fmt::join(known_studies(), ", ")),
               .target = &study_,
               .value_name = "STUDY",
               .positional = true});
    table.add({.name = "protocol",
               .help = "strict: no pair in two parts; published: the paper's, which leaks",
               .target = &request_.protocol,
               .allowed = {"strict", "published"}});
    table.add({.name = "runs",
               .help = "Splits of each dataset, or its samples",
               .target = &request_.runs,
               .least = 1,
               .most = 10000});
    table.add({.name = "datasets",
               .help = "Comma-separated, also samples (arxiv-year/year0); else those of the study",
               .target = &datasets_,
               .value_name = "NAMES"});
    table.add({.name = "models",
               .help = "Comma-separated; else those of the study",
               .target = &models_,
               .value_name = "NAMES"});
    table.add({.name = "budget",
               .help = "Minutes; then what is under way is stopped, to go on next time",
               .target = &budget_,
               .least = 0.01,
               .most = 1e6,
               .value_name = "MINUTES"});
    table.add({.name = "jobs",
               .help = "Runs side by side, each on a core; 0 = one a core",
               .target = &jobs_,
               .least = 0,
               .most = 4096});
    table.add({.name = "plan", .help = "Show what would be run, and end", .target = &only_plan_});
    table.add({.name = "out",
               .help = "Folder of the run records",
               .target = &out_,
               .value_name = "FOLDER"});
    table.add({.name = "data",
               .help = "Folder of the datasets; else $DISENLINK_DATA, else ../shared/data",
               .target = &data_,
               .value_name = "FOLDER"});
  }

  int run() override {
    if (study_.empty()) {
      detail::fail_usage("no study given: disenlink reproduce STUDY, one of: {}, all",
                         fmt::join(known_studies(), ", "));
    }
    take_request();
    learn_costs();
    Progress progress;
    std::vector<StudyCell> open = open_cells(progress);
    if (only_plan_) {
      print(json_ ? json_of(progress) : plan_text(open, progress));
      return kDone;
    }
    spdlog::info("{}", plan_text(open, progress));
    const FolderLock lock(out_);
    if (wants_dataset_facts_) {
      measure_datasets(progress);
    }
    CellRunner runner(std::move(open), costs_, out_, data_, jobs(), budget_ * 60);
    runner.run(progress);
    print(json_ ? json_of(progress) : summary_text(progress));
    return progress.failed > 0 ? kFailed : kDone;
  }

 private:
  static std::vector<std::string> known_studies() {
    std::vector<std::string> names = {kDatasetFacts};
    names.insert(names.end(), detail::study_names().begin(), detail::study_names().end());
    return names;
  }

  // Table 1 has no runs: it is measured here and now.
  void take_request() {
    for (const std::string& name : detail::comma_separated(study_)) {
      wants_dataset_facts_ |= name == kDatasetFacts || name == "all";
      if (name == "all") {
        request_.studies = detail::study_names();
      } else if (name != kDatasetFacts) {
        request_.studies.push_back(name);
      }
    }
    request_.datasets = detail::comma_separated(datasets_);
    request_.models = detail::comma_separated(models_);
  }

  void measure_datasets(Progress& progress) const {
    const fs::path path = detail::dataset_facts_path(out_);
    ++progress.planned;
    if (fs::exists(path)) {
      ++progress.had_record;
      return;
    }
    nlohmann::ordered_json facts = nlohmann::ordered_json::array();
    for (const Dataset& dataset : datasets()) {
      if (dataset.paper && fs::exists(data_folder(data_) / dataset.location)) {
        facts.push_back(to_json(dataset, measure_dataset(dataset, data_)));
        spdlog::info("{}: {} nodes", dataset.name, facts.back().at("nodes").dump());
      }
    }
    detail::write_whole_file(path, detail::json_text(facts));
    ++progress.ran;
  }

  // Runs that vary an option take as long as others do.
  void learn_costs() {
    if (!fs::is_directory(out_)) {
      return;
    }
    for (const detail::ResultRun& run : detail::read_results(out_).runs) {
      costs_.add(run.model, run.dataset, run.protocol, run.seconds);
    }
  }

  int jobs() const { return jobs_ > 0 ? static_cast<int>(jobs_) : usable_cores(); }

  std::vector<StudyCell> open_cells(Progress& progress) const {
    std::vector<StudyCell> open;
    for (StudyCell& cell : detail::plan_study(request_, costs_)) {
      ++progress.planned;
      switch (state_of(cell, record_path(cell, out_))) {
        case CellState::kDone:
          ++progress.had_record;
          break;
        case CellState::kUnusable:
          ++progress.unusable;
          break;
        case CellState::kOpen:
          open.push_back(std::move(cell));
      }
    }
    if (progress.planned == 0 && !wants_dataset_facts_) {
      detail::fail_usage("nothing to run: no model and dataset of '{}' was chosen", study_);
    }
    return open;
  }

  std::string plan_text(const std::vector<StudyCell>& open, const Progress& progress) const {
    std::map<std::string, std::pair<int64_t, double>> by_model;
    double total = 0;
    for (const StudyCell& cell : open) {
      auto& [count, seconds] = by_model[cell.model];
      ++count;
      seconds += costs_.seconds(cell);
      total += costs_.seconds(cell);
    }
    Table table({"<model", "runs", "estimate"});
    for (const auto& [model, work] : by_model) {
      table.add({model, grouped(work.first), duration(work.second / jobs())});
    }
    return fmt::format(
        "{} runs under {}: {} have a record, {} to do, about {} with {} side by side\n\n{}",
        grouped(progress.planned), request_.protocol, grouped(progress.had_record),
        grouped(static_cast<int64_t>(open.size())), duration(total / jobs()), jobs(), table.text());
  }

  static std::string summary_text(const Progress& progress) {
    std::string text = fmt::format("{} of {} runs have a record, {} of them new\n",
                                   grouped(progress.had_record + progress.ran),
                                   grouped(progress.planned), grouped(progress.ran));
    if (progress.failed > 0) {
      text += fmt::format("{} failed\n", grouped(progress.failed));
    }
    if (progress.left > 0) {
      text += fmt::format("{} left for want of time: the same command goes on\n",
                          grouped(progress.left));
    }
    if (progress.unusable > 0) {
      text += fmt::format("{} have an unusable file in their place\n", grouped(progress.unusable));
    }
    return text;
  }

  static std::string json_of(const Progress& progress) {
    return detail::json_text({{"planned", progress.planned},
                              {"had_record", progress.had_record},
                              {"unusable", progress.unusable},
                              {"ran", progress.ran},
                              {"failed", progress.failed},
                              {"left", progress.left}});
  }

  static constexpr const char* kDatasetFacts = "table1";

  std::string study_;
  bool wants_dataset_facts_ = false;
  std::string datasets_;
  std::string models_;
  detail::StudyRequest request_;
  detail::RunCosts costs_;
  double budget_ = 1e6;
  int64_t jobs_ = 0;
  bool only_plan_ = false;
  std::string out_ = "results";
  std::string data_;
};

}  // namespace

std::unique_ptr<Verb> make_reproduce() { return std::make_unique<Reproduce>(); }

}  // namespace disenlink::cli
