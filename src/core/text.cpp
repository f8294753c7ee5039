#include "core/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <numeric>

namespace disenlink::detail {
namespace {

// Letters to insert, remove or replace until one text is the other, whatever their case:
// Levenshtein with one row of the table.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (std::tolower(static_cast<unsigned char>(a[i - 1])) ==
                                                  std::tolower(static_cast<unsigned char>(b[j - 1]))
                                              ? 0
                                              : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> comma_separated(std::string_view text) {
  std::vector<std::string_view> fields;
  split_fields(text, ',', fields);
  std::erase(fields, "");
  return {fields.begin(), fields.end()};
}

bool is_utf8(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const int ones = std::countl_one(byte(0));
    const size_t length = ones == 0 ? 1 : static_cast<size_t>(ones);
    if (ones == 1 || length > 4 || at + length > text.size()) {
      return false;
    }
    for (size_t i = 1; i < length; ++i) {
      if (std::countl_one(byte(i)) != 1) {
        return false;
      }
    }
    at += length;
  }
  return true;
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

std::string did_you_mean(std::string_view given, std::span<const std::string_view> known) {
  std::string_view nearest;
  size_t smallest = given.size() / 2 + 1;
  for (const std::string_view candidate : known) {
    const size_t distance = edit_distance(given, candidate);
    if (distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : fmt::format(" (did you mean {}?)", quoted(nearest));
}

}  // namespace disenlink::detail
