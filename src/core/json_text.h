// JSON as people and programs read it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace disenlink::detail {

// Indented, lists of plain values on one line, with a newline at the end. Names of nodes and files
// may hold any bytes; those that are no UTF-8 are shown as U+FFFD instead of stopping the program.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace disenlink::detail
