// The tables and figures of a report document as text files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace disenlink::detail {

// One row a model, dataset and source, all metrics.
std::string scores_csv(const nlohmann::ordered_json& score_table);

std::string table_csv(const nlohmann::ordered_json& table);
std::string table_markdown(const nlohmann::ordered_json& table);

// One row a point or bar; a heatmap row by row.
std::string figure_csv(const nlohmann::ordered_json& figure);

// AUC, models below each other and datasets side by side; paper, published and strict stacked.
std::string scores_markdown(const nlohmann::ordered_json& score_table);

}  // namespace disenlink::detail
