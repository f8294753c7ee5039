#include "cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace disenlink::cli {
namespace {

// Printed width: continuation bytes of UTF-8 take no column.
size_t width_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
  }));
}

std::string padded(const std::string& text, size_t width, bool left) {
  const std::string blanks(width - width_of(text), ' ');
  return left ? text + blanks : blanks + text;
}

}  // namespace

Table::Table(std::vector<std::string> headers) : headers_(std::move(headers)) {
  for (std::string& header : headers_) {
    left_.push_back(header.starts_with('<'));
    if (left_.back()) {
      header.erase(0, 1);
    }
  }
}

void Table::add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

std::string Table::text() const {
  std::vector<size_t> widths;
  for (size_t column = 0; column < headers_.size(); ++column) {
    size_t width = width_of(headers_[column]);
    for (const auto& row : rows_) {
      width = std::max(width, width_of(row[column]));
    }
    widths.push_back(width);
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (size_t column = 0; column < cells.size(); ++column) {
      text += (column == 0 ? "" : "  ") + padded(cells[column], widths[column], left_[column]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = line(headers_);
  std::vector<std::string> rule;
  rule.reserve(widths.size());
  for (const size_t width : widths) {
    rule.emplace_back(width, '-');
  }
  text += line(rule);
  for (const auto& row : rows_) {
    text += line(row);
  }
  return text;
}

std::string grouped(int64_t number) {
  std::string digits = std::to_string(number);
  const size_t first = number < 0 ? 1 : 0;
  for (size_t place = digits.size(); place > first + 3; place -= 3) {
    digits.insert(place - 3, ",");
  }
  return digits;
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace disenlink::cli
