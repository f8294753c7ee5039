// The run records of a folder, put together: what tables and pictures are made from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "disenlink/summary.h"

namespace disenlink::detail {

struct StudyCell;

// The columns of h against each other, as `disenlink eval --correlation` records them.
struct CorrelationRecord {
  int64_t factors = 0;
  int64_t width = 0;
  double within = 0;
  double between = 0;
  std::vector<double> values;  // (factors * width)^2

  double block_number() const { return between > 0 ? within / between : 0; }
};

// One record, as far as it is shown.
struct ResultRun {
  std::string model;
  std::string dataset;  // what samples are taken from counts, not the sample
  std::string protocol;
  uint64_t seed = 0;
  std::string label;
  Metrics test;
  double leaked_share = 0;
  double seconds = 0;
  std::vector<double> valid_aucs;  // by epoch; empty for what does not learn
  std::optional<CorrelationRecord> correlation;

  // Whether a neighbour counts on its one factor, as in all of DisenLink but one variant.
  bool selects() const;
};

// Throws Error where the JSON is no record.
ResultRun result_run(const nlohmann::json& record);

// Whether a record is that of the cell: the same run with the same options.
bool is_record_of(const nlohmann::json& record, const StudyCell& cell);

// Runs of one model on one dataset that differ in the split alone.
struct ResultGroup {
  std::vector<ResultRun> runs;

  MetricSummary summary() const;
  double leaked_share() const;  // mean
  double seconds() const;       // mean
};

// NOLINTNEXTLINE(bugprone-exception-escape): moving a JSON value is noexcept and does not throw
struct Results {
  std::vector<ResultRun> runs;
  nlohmann::json dataset_facts;       // of table1; null where it has not been run
  std::vector<std::string> warnings;  // files that are not counted, and why

  // Empty where there is none.
  ResultGroup find(const std::string& model, const std::string& dataset,
                   const std::string& protocol, const std::string& label = "") const;

  // Those that know their correlation, the whole model before the variant without selection.
  std::vector<const ResultRun*> with_correlation() const;
};

// Where `disenlink reproduce table1` writes.
std::filesystem::path dataset_facts_path(const std::filesystem::path& folder);

// Reads every *.json of the folder. One that is no record, is not named as it is filled or is not
// the record of its study is left out with a warning. Throws Error where there is no folder.
Results read_results(const std::filesystem::path& folder);

}  // namespace disenlink::detail
