#include "core/json_text.h"

#include <algorithm>
#include <string_view>

namespace disenlink::detail {
namespace {

using nlohmann::ordered_json;

bool is_plain_list(const ordered_json& json) {
  return json.is_array() && std::none_of(json.begin(), json.end(), [](const ordered_json& item) {
           return item.is_structured();
         });
}

void append(const ordered_json& json, const std::string& indent, std::string& text) {
  if (!json.is_structured() || json.empty() || is_plain_list(json)) {
    text += json_line(json);
    return;
  }
  const std::string inner = indent + "  ";
  const char* separator = json.is_object() ? "{\n" : "[\n";
  for (const auto& [key, value] : json.items()) {
    text += separator + inner;
    if (json.is_object()) {
      text += json_line(key) + ": ";
    }
    append(value, inner, text);
    separator = ",\n";
  }
  text += "\n" + indent + (json.is_object() ? "}" : "]");
}

}  // namespace

std::string json_line(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string json_text(const ordered_json& json) {
  std::string text;
  append(json, "", text);
  return text + "\n";
}

std::string json_problem(const nlohmann::json::exception& problem) {
  const std::string_view text = problem.what();
  const size_t end = text.find("] ");
  return std::string(text.starts_with('[') && end != std::string_view::npos ? text.substr(end + 2)
                                                                            : text);
}

}  // namespace disenlink::detail
