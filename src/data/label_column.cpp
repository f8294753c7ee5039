#include "data/label_column.h"

#include <cmath>
#include <limits>
#include <optional>

#include "core/fail.h"
#include "core/text.h"
#include "data/delimited.h"
#include "data/node_table.h"
#include "data/table_columns.h"

namespace disenlink::detail {
namespace {

// Whole numbers from -1; also written as 3.0, which is what becomes of integers in tables that
// once had a missing value.
std::optional<int32_t> parse_label(std::string_view text) {
  const auto number = parse_number<double>(text);
  if (!number || !looks_numeric(text) || *number < -1 || std::trunc(*number) != *number ||
      *number > std::numeric_limits<int32_t>::max()) {
    return std::nullopt;
  }
  return static_cast<int32_t>(*number);
}

}  // namespace

void LabelColumn::look_at(std::string_view text) {
  has_words_ = has_words_ || (!is_missing_value(text) && !looks_numeric(text));
}

void LabelColumn::add(const std::filesystem::path& path, std::string_view text, int64_t line) {
  if (is_missing_value(text)) {
    labels_.push_back(-1);
  } else if (has_words_) {
    labels_.push_back(text == "-1" ? -1 : words_.number(text));
  } else if (const auto label = parse_label(text)) {
    labels_.push_back(*label);
  } else {
    fail_at_line(path, line,
                 "label column {}: {} found, expected a word or an integer from -1 (unlabelled) "
                 "to {}",
                 detail::quoted(name_), detail::quoted(text), std::numeric_limits<int32_t>::max());
  }
  num_unlabelled_ += labels_.back() == -1 ? 1 : 0;
}

void LabelColumn::add_notes(std::vector<std::string>& notes) const {
  if (has_words_) {
    notes.push_back(fmt::format("label column {}: {} different words, numbered as they first occur",
                                detail::quoted(name_), words_.size()));
  }
  if (num_unlabelled_ > 0) {
    notes.push_back(fmt::format("label column {}: {} of {} nodes are unlabelled",
                                detail::quoted(name_), num_unlabelled_, labels_.size()));
  }
}

std::vector<int32_t> read_label_lines(const std::filesystem::path& path,
                                      const ReadOptions& options) {
  LineReader reader(path, options.max_inflated_bytes);
  std::vector<int32_t> labels;
  int64_t empty_line = 0;
  std::string_view line;
  while (reader.next(line)) {
    const std::string_view text = trim(line);
    if (text.empty()) {
      // Fine at the end of the file only.
      empty_line = empty_line == 0 ? reader.line_number() : empty_line;
      continue;
    }
    if (empty_line != 0) {
      fail_at_line(path, empty_line, "is empty, expected the label of node {}", empty_line - 1);
    }
    const auto label = parse_number<int32_t>(text);
    if (!label || *label < -1) {
      fail_at_line(path, reader.line_number(),
                   "label {}: expected an integer from -1 (unlabelled) to {}", detail::quoted(text),
                   std::numeric_limits<int32_t>::max());
    }
    labels.push_back(*label);
  }
  if (labels.empty()) {
    fail_in(path, "has no labels");
  }
  return labels;
}

}  // namespace disenlink::detail
