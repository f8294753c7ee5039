// JSON as people and programs read it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace disenlink::detail {

// Indented, lists of plain values on one line, with a newline at the end. Names of nodes and files
// may hold any bytes; those that are no UTF-8 are shown as U+FFFD instead of stopping the program.
std::string json_text(const nlohmann::ordered_json& json);

// The same on one line, without a newline at the end.
std::string json_line(const nlohmann::ordered_json& json);

// What is wrong with a JSON text, without the parser's own numbering of faults.
std::string json_problem(const nlohmann::json::exception& problem);

}  // namespace disenlink::detail
