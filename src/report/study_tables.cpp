#include "report/study_tables.h"

#include <algorithm>

#include "report/score_tables.h"
#include "report/study.h"

namespace disenlink::detail {
namespace {

using nlohmann::ordered_json;
using Names = std::vector<std::string>;

const Names kProtocols = {"strict", "published"};

ordered_json column(const std::string& title, const char* kind) {
  return {{"title", title}, {"kind", kind}, {"digits", 0}};
}

bool has_run(const Results& results, const std::string& dataset, const std::string& protocol,
             const Names& labels) {
  return std::any_of(labels.begin(), labels.end(), [&](const std::string& label) {
    return !label.empty() && auc_of(results, protocol, "disenlink", dataset, label);
  });
}

ordered_json ablation_table(const Results& results) {
  const Names labels = study_labels("ablation");
  ordered_json rows = ordered_json::array();
  for (const std::string& protocol : kProtocols) {
    for (const std::string& dataset : study_datasets("ablation")) {
      if (!has_run(results, dataset, protocol, labels)) {
        continue;
      }
      ordered_json row = {title_of_dataset(dataset), protocol};
      for (const std::string& label : labels) {
        row.push_back(score_cell(auc_of(results, protocol, "disenlink", dataset, label)));
      }
      rows.push_back(std::move(row));
    }
  }
  return {{"id", "ablation"},
          {"title", "What each part of DisenLink is worth"},
          {"note", "AUC in percent; the other options as in Tables 2 and 3."},
          {"columns",
           {column("Dataset", "text"), column("Protocol", "text"), column("DisenLink", "score"),
            column("Without importance", "score"), column("Without selection", "score"),
            column("Plain reconstruction", "score")}},
          {"rows", std::move(rows)}};
}

// A row for each value of the option, a column for each dataset and protocol.
ordered_json sweep_table(const Results& results, const std::string& study, const std::string& title,
                         const std::string& note) {
  const Names labels = study_labels(study);
  ordered_json columns = {column(study == "beta" ? "beta" : "K", "text")};
  ordered_json rows = ordered_json::array();
  for (const std::string& label : labels) {
    rows.push_back({label_value(label, study)});
  }
  for (const std::string& dataset : study_datasets(study)) {
    for (const std::string& protocol : kProtocols) {
      if (!has_run(results, dataset, protocol, labels)) {
        continue;
      }
      columns.push_back(column(title_of_dataset(dataset) + ", " + protocol, "score"));
      for (size_t i = 0; i < labels.size(); ++i) {
        rows[i].push_back(score_cell(auc_of(results, protocol, "disenlink", dataset, labels[i])));
      }
    }
  }
  if (columns.size() == 1) {
    rows.clear();
  }
  return {{"id", study},
          {"title", title},
          {"note", note},
          {"columns", std::move(columns)},
          {"rows", std::move(rows)}};
}

}  // namespace

ordered_json study_tables(const Results& results) {
  ordered_json tables = {
      ablation_table(results),
      sweep_table(results, "factors", "The number of factors", "AUC of DisenLink at beta 0.5."),
      sweep_table(results, "beta", "The share of a node's own vector",
                  "AUC of DisenLink with five factors; 0.01 stands for 0.")};
  ordered_json run = ordered_json::array();
  for (ordered_json& table : tables) {
    if (!table.at("rows").empty()) {
      run.push_back(std::move(table));
    }
  }
  return run;
}

}  // namespace disenlink::detail
