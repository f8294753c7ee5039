// The record of one run: everything a table or a picture needs, and enough to run it again.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "disenlink/analyze.h"
#include "disenlink/experiment.h"

namespace disenlink::detail {

// NOLINTNEXTLINE(bugprone-exception-escape): moving a JSON value is noexcept and does not throw
struct RunRecord {
  std::string model;
  std::string dataset;
  nlohmann::ordered_json options;
  nlohmann::ordered_json versions;
  std::string protocol;
  uint64_t seed = 0;
  std::string graph_fingerprint;
  std::string ranking;
  std::string
      label;  // part of the file name where model, dataset, protocol and seed do not suffice
  RunResult result;
  std::optional<FactorAnalysis> factors;  // where it was asked for
};

nlohmann::ordered_json to_json(const Metrics& metrics);
nlohmann::ordered_json to_json(const SplitAudit& audit);
nlohmann::ordered_json to_json(const RunRecord& record);

// MODEL-DATASET-PROTOCOL-seedN[-LABEL].json below the folder.
std::filesystem::path record_path(const RunRecord& record, const std::filesystem::path& folder);

void write_record(const RunRecord& record, const std::filesystem::path& folder);

}  // namespace disenlink::detail
