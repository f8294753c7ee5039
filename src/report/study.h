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
  std::vector<std::string> datasets = {};  // empty = those of the study
  std::vector<std::string> models = {};    // empty = those of the study
};

// table2, table3, ablation, factors, beta, correlation.
const std::vector<std::string>& study_names();

// In the order of the paper. Throws UsageError for a study that is unknown.
const std::vector<std::string>& study_datasets(const std::string& study);

// What a study runs on each dataset, "" for the plain run.
std::vector<std::string> study_labels(const std::string& study);

// The cell that a record of this name stands for; its options are those in the label and when to
// stop.
StudyCell cell_of_record(const std::string& model, const std::string& dataset,
                         const std::string& protocol, uint64_t seed, const std::string& label);

// Settings of the authors' runs under their protocol, ours otherwise.
std::string preset_of(const StudyCell& cell);

// Every cell once, cheapest first. Throws UsageError for a study, dataset or model that is unknown,
// with the known ones.
std::vector<StudyCell> plan_study(const StudyRequest& request);

// Where `disenlink eval --label LABEL` writes the cell.
std::filesystem::path record_path(const StudyCell& cell, const std::filesystem::path& folder);

// A guess from the sizes of dataset and model, in seconds of one thread. Good for an order, and for
// "minutes or hours".
double estimated_seconds(const StudyCell& cell);

}  // namespace disenlink::detail
