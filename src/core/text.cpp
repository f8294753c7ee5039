#include "core/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace disenlink::detail {

std::vector<std::string> comma_separated(std::string_view text) {
  std::vector<std::string_view> fields;
  split_fields(text, ',', fields);
  std::erase(fields, "");
  return {fields.begin(), fields.end()};
}

std::string quoted(std::string_view text) {
  constexpr size_t kLongest = 40;
  std::string result = "'";
  for (const char letter : text.substr(0, kLongest)) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x20 || code == 0x7f) {
      result += fmt::format("\\x{:02x}", code);
    } else {
      result += letter;
    }
  }
  return result + (text.size() > kLongest ? "...'" : "'");
}

size_t edit_distance(std::string_view a, std::string_view b) {
  // Levenshtein with one row of the table.
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace disenlink::detail
