#include "data/table_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/fail.h"
#include "core/text.h"
#include "data/delimited.h"

namespace disenlink::detail {
namespace {

constexpr std::string_view kMissing = "missing";
constexpr int64_t kManyWords = 10'000;
constexpr int64_t kMostWords = 1'000'000;
constexpr int64_t kFewRows = 20;  // below, different words in every row tell nothing

// Spellings of values that are numbers to some programs but cannot be computed with.
bool is_not_finite_literal(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) {
    text.remove_prefix(1);
  }
  if (text.size() < 3 || text.size() > 8) {
    return false;
  }
  const std::string lower = lower_case(text);
  return lower == "nan" || lower == "inf" || lower == "infinity";
}

// Not finite where it does not fit float32.
float to_float(std::string_view text) {
  const auto number = parse_number<double>(text);
  return number ? static_cast<float>(*number) : std::numeric_limits<float>::infinity();
}

}  // namespace

bool is_missing_value(std::string_view text) {
  return text.empty() || text == "NA" || text == "N/A" || text == "n/a" ||
         (text.size() == 4 && lower_case(text) == "null");
}

void ColumnSurvey::look_at(std::string_view text, int64_t line) {
  if (is_missing_value(text)) {
    ++num_missing_;
    return;
  }
  const bool is_number = looks_numeric(text);
  if (is_not_finite_literal(text) || (is_number && !std::isfinite(to_float(text)))) {
    // Still a word where others are; a family may be called Nan.
    ++num_numbers_;
    if (first_bad_line_ == 0) {
      first_bad_line_ = line;
      first_bad_number_ = text;
    }
    return;
  }
  ++(is_number ? num_numbers_ : num_words_);
  if (!is_number && first_word_line_ == 0) {
    first_word_line_ = line;
    first_word_ = text;
  }
}

void ColumnSurvey::check_numbers(const std::filesystem::path& path) const {
  if (is_numeric() && first_bad_line_ != 0) {
    fail_at_line(path, first_bad_line_,
                 "column {}: {} is not a finite 32-bit number; leave the field empty where the "
                 "value is missing",
                 detail::quoted(name_), detail::quoted(first_bad_number_));
  }
}

void ColumnSurvey::add_notes(std::vector<std::string>& notes) const {
  const int64_t num_values = num_numbers_ + num_words_;
  if (num_missing_ > 0) {
    notes.push_back(fmt::format(
        "column {}: {} of {} values are missing, marked by the attribute {}", detail::quoted(name_),
        num_missing_, num_missing_ + num_values, detail::quoted(name_ + "=missing")));
  }
  if (num_words_ > 0 && num_numbers_ * 10 >= num_values * 9) {
    notes.push_back(
        fmt::format("column {}: {} of {} values are numbers, but {} in line {} is not, so all are "
                    "taken as words",
                    detail::quoted(name_), num_numbers_, num_values, detail::quoted(first_word_),
                    first_word_line_));
  }
}

AttributeColumn::AttributeColumn(const ColumnSurvey& survey)
    : name_(survey.name()),
      is_numeric_(survey.is_numeric()),
      has_missing_(survey.num_missing() > 0) {}

void AttributeColumn::add(const std::filesystem::path& path, std::string_view text, int64_t line) {
  const bool is_missing = is_missing_value(text);
  if (is_numeric_) {
    numbers_.push_back(is_missing ? std::numeric_limits<float>::quiet_NaN() : to_float(text));
    return;
  }
  codes_.push_back(words_.number(is_missing ? kMissing : text));
  if (words_.size() > kMostWords) {
    fail_at_line(path, line,
                 "column {} has more than {} different words, too many to become one attribute "
                 "each; remove the column",
                 detail::quoted(name_), kMostWords);
  }
}

int64_t AttributeColumn::width() const {
  return is_numeric_ ? 1 + (has_missing_ ? 1 : 0) : words_.size();
}

void AttributeColumn::append_names(std::vector<std::string>& names) const {
  if (is_numeric_) {
    names.push_back(name_);
    if (has_missing_) {
      names.push_back(fmt::format("{}={}", name_, kMissing));
    }
    return;
  }
  for (int32_t number = 0; number < words_.size(); ++number) {
    names.push_back(fmt::format("{}={}", name_, words_.word(number)));
  }
}

void AttributeColumn::add_notes(std::vector<std::string>& notes) const {
  const auto num_rows = static_cast<int64_t>(codes_.size());
  const bool nearly_all_differ = num_rows >= kFewRows && words_.size() * 10 >= num_rows * 9;
  if (words_.size() > kManyWords || nearly_all_differ) {
    notes.push_back(
        fmt::format("column {}: {} different words in {} rows, each becomes an attribute",
                    detail::quoted(name_), words_.size(), num_rows));
  }
}

void AttributeColumn::append_row(int64_t row, int64_t first, std::vector<int32_t>& columns,
                                 std::vector<float>& values) const {
  const auto append = [&](int64_t column, float value) {
    columns.push_back(static_cast<int32_t>(column));
    values.push_back(value);
  };
  if (!is_numeric_) {
    append(first + codes_[row], 1);
  } else if (std::isnan(numbers_[row])) {
    append(first + 1, 1);
  } else if (numbers_[row] != 0) {
    append(first, numbers_[row]);
  }
}

Features assemble_features(const std::filesystem::path& path, int64_t num_rows,
                           const std::vector<AttributeColumn>& columns) {
  std::vector<std::string> names;
  int64_t width = 0;
  for (const AttributeColumn& column : columns) {
    width += column.width();
    column.append_names(names);
  }
  if (width == 0) {
    return {};
  }
  if (width > std::numeric_limits<int32_t>::max()) {
    fail_in(path, "has {} attributes, at most {} are supported", width,
            std::numeric_limits<int32_t>::max());
  }
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> active;
  std::vector<float> values;
  for (int64_t row = 0; row < num_rows; ++row) {
    int64_t first = 0;
    for (const AttributeColumn& column : columns) {
      column.append_row(row, first, active, values);
      first += column.width();
    }
    offsets.push_back(static_cast<int64_t>(active.size()));
  }
  const bool all_numeric =
      std::all_of(columns.begin(), columns.end(), [](const auto& c) { return c.is_numeric(); });
  Features features;
  if (all_numeric && !Features::is_mostly_empty(std::ssize(active), num_rows * width)) {
    std::vector<float> table(num_rows * width);
    for (int64_t row = 0; row < num_rows; ++row) {
      for (int64_t i = offsets[row]; i < offsets[row + 1]; ++i) {
        table[row * width + active[i]] = values[i];
      }
    }
    features = Features::dense(num_rows, width, std::move(table));
  } else {
    features = Features::sparse(width, std::move(offsets), std::move(active), std::move(values));
  }
  features.set_column_names(std::move(names));
  return features;
}

}  // namespace disenlink::detail
