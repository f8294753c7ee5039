// disenlink reproduce: the paper's experiments, run by run, each with a record of its own.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cli/cell_runner.h"
#include "cli/dataset_facts.h"
#include "cli/folder_lock.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "core/fail.h"
#include "core/input_file.h"
#include "core/json_text.h"
#include "core/output_file.h"
#include "core/text.h"
#include "disenlink/datasets.h"
#include "disenlink/threads.h"
#include "report/results.h"
#include "report/study.h"

namespace disenlink::cli {
namespace {

namespace fs = std::filesystem;
using detail::StudyCell;

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
    CellCounts counts;
    std::vector<StudyCell> open = open_cells(counts);
    if (only_plan_) {
      print(json_ ? json_of(counts) : plan_text(open, counts));
      return kDone;
    }
    spdlog::info("{}", plan_text(open, counts));
    const FolderLock lock(out_);
    if (wants_dataset_facts_) {
      measure_datasets(counts);
    }
    CellRunner runner(std::move(open), costs_, out_, data_, jobs(), budget_ * 60);
    runner.run(counts);
    print(json_ ? json_of(counts) : summary_text(counts));
    return counts.failed > 0 ? kFailed : kDone;
  }

 private:
  static std::vector<std::string> known_studies() {
    std::vector<std::string> names = {detail::kDatasetFacts};
    names.insert(names.end(), detail::study_names().begin(), detail::study_names().end());
    return names;
  }

  // Table 1 has no runs: it is measured here and now.
  void take_request() {
    for (const std::string& name : detail::comma_separated(study_)) {
      wants_dataset_facts_ |= name == detail::kDatasetFacts || name == "all";
      if (name == "all") {
        request_.studies = detail::study_names();
      } else if (name != detail::kDatasetFacts) {
        request_.studies.push_back(name);
      }
    }
    request_.datasets = detail::comma_separated(datasets_);
    request_.models = detail::comma_separated(models_);
  }

  void measure_datasets(CellCounts& counts) const {
    const fs::path path = detail::dataset_facts_path(out_);
    ++counts.planned;
    if (fs::exists(path)) {
      ++counts.had_record;
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
    ++counts.ran;
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

  std::vector<StudyCell> open_cells(CellCounts& counts) const {
    std::vector<StudyCell> open;
    for (StudyCell& cell : detail::plan_study(request_, costs_)) {
      ++counts.planned;
      switch (state_of(cell, record_path(cell, out_))) {
        case CellState::kDone:
          ++counts.had_record;
          break;
        case CellState::kUnusable:
          ++counts.unusable;
          break;
        case CellState::kOpen:
          open.push_back(std::move(cell));
      }
    }
    if (counts.planned == 0 && !wants_dataset_facts_) {
      detail::fail_usage("nothing to run: no model and dataset of '{}' was chosen", study_);
    }
    return open;
  }

  std::string plan_text(const std::vector<StudyCell>& open, const CellCounts& counts) const {
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
      table.add({model, grouped(work.first), rough_duration(work.second / jobs())});
    }
    return fmt::format(
        "{} runs under {}: {} have a record, {} to do, about {} with {} side by side\n\n{}",
        grouped(counts.planned), request_.protocol, grouped(counts.had_record),
        grouped(static_cast<int64_t>(open.size())), rough_duration(total / jobs()), jobs(),
        table.text());
  }

  static std::string summary_text(const CellCounts& counts) {
    std::string text = fmt::format("{} of {} runs have a record, {} of them new\n",
                                   grouped(counts.had_record + counts.ran), grouped(counts.planned),
                                   grouped(counts.ran));
    if (counts.failed > 0) {
      text += fmt::format("{} failed\n", grouped(counts.failed));
    }
    if (counts.left > 0) {
      text +=
          fmt::format("{} left for want of time: the same command goes on\n", grouped(counts.left));
    }
    if (counts.unusable > 0) {
      text += fmt::format("{} have an unusable file in their place\n", grouped(counts.unusable));
    }
    return text;
  }

  static std::string json_of(const CellCounts& counts) {
    return detail::json_text({{"planned", counts.planned},
                              {"had_record", counts.had_record},
                              {"unusable", counts.unusable},
                              {"ran", counts.ran},
                              {"failed", counts.failed},
                              {"left", counts.left}});
  }

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
