#include "report/table_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace disenlink::detail {
namespace {

using nlohmann::ordered_json;

std::string field(const ordered_json& value) {
  if (value.is_null()) {
    return "";
  }
  if (!value.is_string()) {
    return value.is_number_float() ? fmt::format("{:.6g}", value.get<double>()) : value.dump();
  }
  auto text = value.get<std::string>();
  if (text.find_first_of(",\"\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char letter : text) {
    quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  }
  return quoted + "\"";
}

std::string row_text(const std::vector<std::string>& fields) {
  return fmt::format("{}\n", fmt::join(fields, ","));
}

// A cell of kind "score" takes three columns.
void add_cell(const ordered_json& cell, bool is_score, std::vector<std::string>& fields) {
  if (!is_score) {
    fields.push_back(field(cell));
    return;
  }
  for (const char* part : {"mean", "deviation", "runs"}) {
    fields.push_back(cell.is_null() ? "" : field(cell.at(part)));
  }
}

const ordered_json* find_cell(const ordered_json& table, const ordered_json& model,
                              const ordered_json& dataset, const char* source) {
  for (const ordered_json& cell : table.at("cells")) {
    if (cell.at("model") == model && cell.at("dataset") == dataset && cell.at("source") == source) {
      return &cell;
    }
  }
  return nullptr;
}

std::string score_text(const ordered_json& score, const ordered_json& runs) {
  std::string text = fmt::format("{:.1f}", score.at("mean").get<double>());
  if (!score.at("deviation").is_null()) {
    text += fmt::format(" ± {:.1f}", score.at("deviation").get<double>());
  }
  return runs.is_null() ? text : fmt::format("{} ({})", text, runs.dump());
}

double auc_in(const ordered_json& cell) { return cell.at("scores").at("auc").at("mean"); }

// The highest AUC of a dataset in one source; below 0 where nothing was compared.
double best_auc(const ordered_json& table, const ordered_json& dataset, const char* source) {
  double best = -1;
  int measured = 0;
  for (const ordered_json& cell : table.at("cells")) {
    if (cell.at("dataset") == dataset && cell.at("source") == source) {
      best = std::max(best, auc_in(cell));
      ++measured;
    }
  }
  return measured > 1 ? best : -1;
}

std::string markdown_score(const ordered_json* cell, double best) {
  if (cell == nullptr) {
    return "-";
  }
  const std::string text = score_text(cell->at("scores").at("auc"), cell->at("runs"));
  return auc_in(*cell) == best ? fmt::format("**{}**", text) : text;
}

std::string markdown_cell(const ordered_json& cell, const ordered_json& column) {
  if (cell.is_null()) {
    return "-";
  }
  if (column.at("kind") == "score") {
    return score_text(cell, cell.at("runs"));
  }
  return cell.is_string()
             ? cell.get<std::string>()
             : fmt::format("{:.{}f}", cell.get<double>(), column.at("digits").get<int>());
}

}  // namespace

std::string scores_csv(const ordered_json& score_table) {
  const std::vector<std::string> metrics = {"auc",    "ap",     "mrr",    "hits1",  "hits3",
                                            "hits10", "hits20", "hits50", "hits100"};
  std::vector<std::string> header = {"model", "dataset", "source", "runs", "leaked_percent"};
  for (const std::string& metric : metrics) {
    header.push_back(metric);
    header.push_back(metric + "_deviation");
  }
  std::string text = row_text(header);
  for (const ordered_json& cell : score_table.at("cells")) {
    std::vector<std::string> fields;
    for (const char* key : {"model", "dataset", "source", "runs", "leak"}) {
      fields.push_back(field(cell.at(key)));
    }
    for (const std::string& metric : metrics) {
      const ordered_json score =
          cell.at("scores").value(metric, ordered_json{{"mean", nullptr}, {"deviation", nullptr}});
      fields.push_back(field(score.at("mean")));
      fields.push_back(field(score.at("deviation")));
    }
    text += row_text(fields);
  }
  return text;
}

std::string table_csv(const ordered_json& table) {
  const ordered_json& columns = table.at("columns");
  std::vector<std::string> header;
  for (const ordered_json& column : columns) {
    const std::string title = field(column.at("title"));
    header.push_back(title);
    if (column.at("kind") == "score") {
      header.push_back(title + " deviation");
      header.push_back(title + " runs");
    }
  }
  std::string text = row_text(header);
  for (const ordered_json& row : table.at("rows")) {
    std::vector<std::string> fields;
    for (size_t i = 0; i < row.size(); ++i) {
      add_cell(row[i], columns[i].at("kind") == "score", fields);
    }
    text += row_text(fields);
  }
  return text;
}

std::string table_markdown(const ordered_json& table) {
  std::string text = "|";
  std::string line = "|";
  for (const ordered_json& column : table.at("columns")) {
    text += fmt::format(" {} |", column.at("title").get<std::string>());
    line += column.at("kind") == "text" ? "---|" : "---:|";
  }
  text += "\n" + line + "\n";
  for (const ordered_json& row : table.at("rows")) {
    text += "|";
    for (size_t i = 0; i < row.size(); ++i) {
      text += fmt::format(" {} |", markdown_cell(row[i], table.at("columns")[i]));
    }
    text += "\n";
  }
  return text;
}

std::string figure_csv(const ordered_json& figure) {
  std::string text;
  if (figure.at("kind") == "heatmap") {
    const auto side = figure.at("side").get<size_t>();
    std::vector<std::string> fields;
    for (size_t i = 0; i < side * side; ++i) {
      fields.push_back(field(figure.at("values")[i]));
      if (fields.size() == side) {
        text += row_text(fields);
        fields.clear();
      }
    }
    return text;
  }
  const ordered_json& places = figure.at(figure.at("kind") == "bars" ? "categories" : "xs");
  text = row_text({"series", figure.at("kind") == "bars" ? "category" : "x", "mean", "deviation"});
  for (const ordered_json& series : figure.at("series")) {
    for (size_t i = 0; i < places.size(); ++i) {
      text += row_text({field(series.at("name")), field(places[i]), field(series.at("mean")[i]),
                        field(series.at("deviation")[i])});
    }
  }
  return text;
}

std::string scores_markdown(const ordered_json& score_table) {
  std::string text = "| AUC, % | source |";
  std::string line = "|---|---|";
  for (const ordered_json& dataset : score_table.at("datasets")) {
    text += fmt::format(" {} |", dataset.at("title").get<std::string>());
    line += "---:|";
  }
  text += "\n" + line + "\n";
  for (const ordered_json& model : score_table.at("models")) {
    for (const char* source : {"paper", "published", "strict"}) {
      text += fmt::format(
          "| {} | {} |",
          std::string_view(source) == "paper" ? model.at("title").get<std::string>() : "", source);
      for (const ordered_json& dataset : score_table.at("datasets")) {
        const ordered_json& name = dataset.at("name");
        text += fmt::format(" {} |",
                            markdown_score(find_cell(score_table, model.at("name"), name, source),
                                           best_auc(score_table, name, source)));
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace disenlink::detail
