// Cutting lines into fields and turning fields into numbers; no locale, no allocation.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace disenlink::detail {

inline std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\f\v";
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// The whole text as a number; nothing when a character is left over or it does not fit.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  if (text.starts_with('+') && !text.starts_with("+-")) {
    text.remove_prefix(1);
  }
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || text.empty()) {
    return std::nullopt;
  }
  return value;
}

// Fields between separators, untrimmed; an empty text is one empty field.
inline void split_fields(std::string_view text, char separator,
                         std::vector<std::string_view>& fields) {
  fields.clear();
  size_t begin = 0;
  for (size_t end = text.find(separator); end != std::string_view::npos;
       end = text.find(separator, begin)) {
    fields.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  fields.push_back(text.substr(begin));
}

// The parts of "one,two"; empty ones do not count.
std::vector<std::string> comma_separated(std::string_view text);

bool is_utf8(std::string_view text);

// What an error message quotes of a field: printable and short.
std::string quoted(std::string_view text);

// " (did you mean 'x'?)" with what is most like the given text, or nothing where all are far from
// it.
std::string did_you_mean(std::string_view given, std::span<const std::string_view> known);

}  // namespace disenlink::detail
