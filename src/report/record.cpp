#include "report/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/json_text.h"
#include "core/output_file.h"

namespace disenlink::detail {

using nlohmann::ordered_json;

namespace {

// A curve or a picture is looked at, and records stay small.
std::vector<double> rounded(const std::vector<double>& values, double steps) {
  std::vector<double> result;
  result.reserve(values.size());
  for (const double value : values) {
    result.push_back(std::round(value * steps) / steps);
  }
  return result;
}

}  // namespace

ordered_json to_json(const Metrics& metrics) {
  ordered_json hits;
  for (size_t i = 0; i < kHitsAt.size(); ++i) {
    hits[std::to_string(kHitsAt[i])] = metrics.hits[i];
  }
  return {{"auc", metrics.auc}, {"ap", metrics.ap}, {"mrr", metrics.mrr}, {"hits", hits}};
}

ordered_json to_json(const SplitAudit& audit) {
  ordered_json parts = ordered_json::object();
  for (const PartAudit& part : audit.parts) {
    parts[std::string(part.part)] = {{"positives", part.positives},
                                     {"negatives", part.negatives},
                                     {"visible_positives", part.visible_positives},
                                     {"learnt_positives", part.learnt_positives},
                                     {"negatives_that_are_links", part.negatives_that_are_links},
                                     {"duplicate_positives", part.duplicate_positives},
                                     {"duplicate_negatives", part.duplicate_negatives},
                                     {"self_positives", part.self_positives},
                                     {"self_negatives", part.self_negatives}};
  }
  ordered_json overlaps = ordered_json::array();
  for (const PartOverlap& overlap : audit.overlaps) {
    overlaps.push_back({{"earlier", overlap.earlier},
                        {"later", overlap.later},
                        {"same_direction", overlap.same_direction},
                        {"reversed", overlap.reversed},
                        {"repeated_negatives", overlap.repeated_negatives}});
  }
  return {{"leaks", audit.leaks()},
          {"leaked_share", audit.leaked_share()},
          {"parts", parts},
          {"overlaps", overlaps},
          {"findings", audit.findings()}};
}

ordered_json to_json(const RunRecord& record) {
  const RunResult& result = record.result;
  ordered_json json = {
      {"model", record.model},          {"dataset", record.dataset},
      {"protocol", record.protocol},    {"seed", record.seed},
      {"options", record.options},      {"graph_fingerprint", record.graph_fingerprint},
      {"audit", to_json(result.audit)}, {"ranking", record.ranking},
      {"test", to_json(result.test)}};
  if (result.valid) {
    json["valid"] = to_json(*result.valid);
  }
  if (result.training.epoch > 0) {
    json["best_epoch"] = result.training.best_epoch;
    json["epochs"] = result.training.epoch;
    json["clipped_exponents"] = result.training.clipped;
    json["restarts"] = result.training.restarts;
    json["learning_rate"] = result.training.learning_rate;
    json["curve"] = {{"loss", rounded(result.training.losses, 1e5)},
                     {"valid_auc", rounded(result.training.valid_aucs, 1e4)}};
  }
  if (record.factors) {
    json["correlation"] = {{"factors", record.factors->factors},
                           {"width", record.factors->width},
                           {"within", record.factors->within},
                           {"between", record.factors->between},
                           {"values", rounded(record.factors->correlation, 1e3)}};
  }
  json["seconds"] = result.seconds;
  json["peak_memory_bytes"] = result.peak_memory_bytes;
  json["versions"] = record.versions;
  return json;
}

std::filesystem::path record_path(const RunRecord& record, const std::filesystem::path& folder) {
  // A sample such as arxiv-year/year0 or a path stays one file.
  std::string dataset = record.dataset;
  std::replace(dataset.begin(), dataset.end(), '/', '_');
  return folder / fmt::format("{}-{}-{}-seed{}{}.json", record.model, dataset, record.protocol,
                              record.seed, record.label.empty() ? "" : "-" + record.label);
}

void write_record(const RunRecord& record, const std::filesystem::path& folder) {
  write_whole_file(record_path(record, folder), json_text(to_json(record)));
}

}  // namespace disenlink::detail
