#include "report/score_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "disenlink/datasets.h"
#include "disenlink/model.h"
#include "report/paper_scores.h"
#include "report/study.h"
#include "report/study_tables.h"

namespace disenlink::detail {
namespace {

using nlohmann::ordered_json;

ordered_json score_json(double mean, double deviation, int64_t runs) {
  return {{"mean", mean},
          {"deviation", runs == 1 ? ordered_json(nullptr) : ordered_json(deviation)}};
}

ordered_json scores_json(const MetricSummary& summary, int64_t runs) {
  const auto means = summary.mean.named();
  const auto deviations = summary.deviation.named();
  ordered_json scores = ordered_json::object();
  for (size_t i = 0; i < means.size(); ++i) {
    std::string key = means[i].first;
    std::erase(key, '@');
    scores[key] = score_json(100 * means[i].second, 100 * deviations[i].second, runs);
  }
  return scores;
}

// Nothing where there is neither a record nor a printed number.
std::optional<ordered_json> cell_json(const Results& results, const std::string& source,
                                      const std::string& model, const std::string& dataset) {
  ordered_json cell = {{"model", model}, {"dataset", dataset}, {"source", source}};
  if (source == "paper") {
    const auto printed = paper_score(model, dataset);
    if (!printed) {
      return std::nullopt;
    }
    cell["runs"] = nullptr;
    cell["leak"] = nullptr;
    cell["scores"] = {{"auc", score_json(printed->mean, printed->deviation, 0)}};
    return cell;
  }
  const ResultGroup group = results.find(model, dataset, source);
  if (group.runs.empty()) {
    return std::nullopt;
  }
  const auto runs = static_cast<int64_t>(group.runs.size());
  cell["runs"] = runs;
  cell["leak"] = 100 * group.leaked_share();
  cell["seconds"] = group.seconds();
  cell["scores"] = scores_json(group.summary(), runs);
  return cell;
}

ordered_json score_table(const Results& results, const std::string& study,
                         const std::string& title) {
  ordered_json table = {
      {"id", study},
      {"title", title},
      {"note",
       "Mean and deviation over splits in percent, the number of splits in brackets; the "
       "best of a column is bold. Under published most test links can be looked up in the "
       "training graph."},
      {"datasets", ordered_json::array()},
      {"models", ordered_json::array()},
      {"cells", ordered_json::array()}};
  for (const std::string& dataset : study_datasets(study)) {
    table["datasets"].push_back({{"name", dataset}, {"title", title_of_dataset(dataset)}});
  }
  for (const ModelInfo& model : models()) {
    table["models"].push_back({{"name", model.name}, {"title", model.title}});
    for (const std::string& dataset : study_datasets(study)) {
      for (const char* source : {"paper", "published", "strict"}) {
        if (auto cell = cell_json(results, source, std::string(model.name), dataset)) {
          table["cells"].push_back(std::move(*cell));
        }
      }
    }
  }
  return table;
}

ordered_json column(const char* title, const char* kind, int digits = 0) {
  return {{"title", title}, {"kind", kind}, {"digits", digits}};
}

ordered_json dataset_table(const nlohmann::json& facts) {
  ordered_json rows = ordered_json::array();
  for (const auto& row : facts) {
    rows.push_back({row.at("dataset"), row.at("nodes"), row.at("paper_nodes"),
                    row.at("undirected_unique_edges"), row.at("paper_edges"), row.at("features"),
                    row.at("paper_features"), row.value("classes", nlohmann::json()),
                    row.at("paper_classes"), row.value("edge_homophily", nlohmann::json()),
                    row.at("paper_edge_homophily"), row.at("match")});
  }
  return {
      {"id", "table1"},
      {"title", "Table 1: the datasets"},
      {"note",
       "Measured on the files beside what the paper prints; links are distinct "
       "unordered pairs, the paper counts in several ways."},
      {"columns",
       {column("Dataset", "text"), column("Nodes", "number"), column("Paper", "number"),
        column("Links", "number"), column("Paper", "number"), column("Features", "number"),
        column("Paper", "number"), column("Classes", "number"), column("Paper", "number"),
        column("Homophily", "number", 2), column("Paper", "number", 2), column("Remark", "text")}},
      {"rows", std::move(rows)}};
}

// The leak of a split belongs to the dataset; every model on it has the same.
std::optional<double> leak_of(const Results& results, const std::string& dataset,
                              const std::string& protocol) {
  for (const ModelInfo& model : models()) {
    const ResultGroup group = results.find(std::string(model.name), dataset, protocol);
    if (!group.runs.empty()) {
      return 100 * group.leaked_share();
    }
  }
  return std::nullopt;
}

ordered_json leak_table(const Results& results) {
  ordered_json rows = ordered_json::array();
  for (const char* study : {"table2", "table3"}) {
    for (const std::string& dataset : study_datasets(study)) {
      ordered_json row = {title_of_dataset(dataset)};
      for (const char* protocol : {"published", "strict"}) {
        const auto leak = leak_of(results, dataset, protocol);
        row.push_back(leak ? ordered_json(*leak) : ordered_json(nullptr));
      }
      for (const char* source : {"paper", "published", "strict"}) {
        row.push_back(score_cell(auc_of(results, source, "disenlink", dataset)));
      }
      const auto rival = best_rival(results, "strict", dataset);
      row.push_back(rival ? score_cell(rival->score) : ordered_json(nullptr));
      row.push_back(rival ? ordered_json(rival->title) : ordered_json(nullptr));
      rows.push_back(std::move(row));
    }
  }
  return {
      {"id", "leaks"},
      {"title", "What the splits leak, and what DisenLink scores"},
      {"note", "Share of the test links that stand in the training graph, in either direction."},
      {"columns",
       {column("Dataset", "text"), column("Leak, published, %", "number", 1),
        column("Leak, strict, %", "number", 1), column("AUC, paper", "score"),
        column("AUC, published", "score"), column("AUC, strict", "score"),
        column("Best other, strict", "score"), column("which", "text")}},
      {"rows", std::move(rows)}};
}

}  // namespace

std::optional<Score> auc_of(const Results& results, const std::string& source,
                            const std::string& model, const std::string& dataset,
                            const std::string& label) {
  if (source == "paper") {
    const auto printed = label.empty() ? paper_score(model, dataset) : std::nullopt;
    return printed ? std::optional<Score>({printed->mean, printed->deviation, 0}) : std::nullopt;
  }
  const ResultGroup group = results.find(model, dataset, source, label);
  if (group.runs.empty()) {
    return std::nullopt;
  }
  const MetricSummary summary = group.summary();
  return Score{100 * summary.mean.auc, 100 * summary.deviation.auc,
               static_cast<int64_t>(group.runs.size())};
}

ordered_json score_cell(const std::optional<Score>& score) {
  if (!score) {
    return nullptr;
  }
  const bool has_deviation = score->runs != 1;
  const bool is_printed = score->runs == 0;
  return {{"mean", score->mean},
          {"deviation", has_deviation ? ordered_json(score->deviation) : ordered_json(nullptr)},
          {"runs", is_printed ? ordered_json(nullptr) : ordered_json(score->runs)}};
}

std::optional<Rival> best_rival(const Results& results, const std::string& protocol,
                                const std::string& dataset) {
  constexpr int kEnough = 8;
  int measured = 0;
  std::optional<Rival> best;
  for (const ModelInfo& model : models()) {
    const auto score = auc_of(results, protocol, std::string(model.name), dataset);
    if (model.name == "disenlink" || !score) {
      continue;
    }
    ++measured;
    if (!best || score->mean > best->score.mean) {
      best = Rival{std::string(model.title), *score};
    }
  }
  return measured >= kEnough ? best : std::nullopt;
}

std::string title_of_dataset(const std::string& dataset) {
  const std::string_view title = find_dataset(dataset).title;
  // Two forms of one dataset have one title in the paper.
  const auto first = std::find_if(datasets().begin(), datasets().end(),
                                  [&](const Dataset& other) { return other.title == title; });
  if (title.empty() || first->name == dataset) {
    return std::string(title.empty() ? dataset : title);
  }
  return fmt::format("{} ({})", title, dataset);
}

ordered_json score_tables(const Results& results) {
  return {score_table(results, "table2", "Table 2: graphs whose linked nodes are not alike"),
          score_table(results, "table3", "Table 3: graphs whose linked nodes are alike")};
}

ordered_json plain_tables(const Results& results) {
  ordered_json tables = {leak_table(results)};
  if (results.dataset_facts.is_array()) {
    tables.insert(tables.begin(), dataset_table(results.dataset_facts));
  }
  for (const ordered_json& table : study_tables(results)) {
    tables.push_back(table);
  }
  return tables;
}

}  // namespace disenlink::detail
