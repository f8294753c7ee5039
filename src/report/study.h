// What the paper measured, as lists of runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace disenlink::detail {

// One run: everything `disenlink eval` needs to know.
struct StudyCell {
  std::string model;
  std::string dataset;  // or one sample of it
  std::string protocol;
  uint64_t seed = 1;
  std::map<std::string, std::string> options;  // beside those of the preset
  std::string label;                           // what tells it from the plain run, in the file name
};

struct StudyRequest {
  std::vector<std::string> studies = {};
  std::string protocol = "strict";
  int64_t runs = 5;
  std::vector<std::string> datasets = {};  // or samples of them; empty = those of the study
  std::vector<std::string> models = {};    // empty = those of the study
};

// Has no runs: it is measured where it is asked for.
inline constexpr const char* kDatasetFacts = "table1";

// table2, table3, ablation, factors, beta, correlation.
const std::vector<std::string>& study_names();

// In the order of the paper. Throws UsageError for a study that is unknown.
const std::vector<std::string>& study_datasets(const std::string& study);

// What a study runs on each dataset, "" for the plain run.
std::vector<std::string> study_labels(const std::string& study);

// "3" for the option factors of "factors=3,beta=0.5"; empty where the label has no such option.
std::string label_value(const std::string& label, const std::string& option);

// The cell that a record of this name stands for; its options are those in the label and when to
// stop.
StudyCell cell_of_record(const std::string& model, const std::string& dataset,
                         const std::string& protocol, uint64_t seed, const std::string& label);

// The preset `published` under that protocol, ours otherwise.
std::string preset_of(const StudyCell& cell);

// What a run takes, in seconds of one thread: as long as the runs of that model on that dataset
// that are known; else by the links, from the known runs on the graph nearest in size; else a
// guess. Runs under the same protocol go before others: the settings differ. The middle one counts,
// since some were timed beside other work. Good for an order, and for "minutes or hours".
class RunCosts {
 public:
  void add(const std::string& model, const std::string& dataset, const std::string& protocol,
           double seconds);
  double seconds(const StudyCell& cell) const;

 private:
  using BySize = std::map<int64_t, std::vector<double>>;  // seconds of runs, by number of links
  const BySize* known_like(const StudyCell& cell) const;

  std::map<std::string, std::map<std::string, BySize>> known_;  // by model, by protocol
};

// Every cell once, cheapest first. Throws UsageError for a study, dataset or model that is unknown,
// with the known ones.
std::vector<StudyCell> plan_study(const StudyRequest& request, const RunCosts& costs = {});

// Where `disenlink eval --label LABEL` writes the cell.
std::filesystem::path record_path(const StudyCell& cell, const std::filesystem::path& folder);

}  // namespace disenlink::detail
