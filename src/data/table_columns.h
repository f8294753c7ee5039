// The columns of a node table: what kind they are, and how they become attributes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/id_numbering.h"
#include "disenlink/features.h"

namespace disenlink::detail {

// Empty, NA, N/A or null.
bool is_missing_value(std::string_view text);

// What the values of one column look like, collected before any is kept.
class ColumnSurvey {
 public:
  explicit ColumnSurvey(std::string name) : name_(std::move(name)) {}

  void look_at(std::string_view text, int64_t line);

  // A column with any word is one of words, numbers among them included.
  bool is_numeric() const { return num_words_ == 0 && num_numbers_ > 0; }

  // Throws Error where a column of numbers holds nan, infinity or a number beyond float32.
  void check_numbers(const std::filesystem::path& path) const;

  void add_notes(std::vector<std::string>& notes) const;

  const std::string& name() const { return name_; }
  int64_t num_missing() const { return num_missing_; }

 private:
  std::string name_;
  int64_t num_missing_ = 0;
  int64_t num_numbers_ = 0;
  int64_t num_words_ = 0;
  std::string first_word_;
  int64_t first_word_line_ = 0;
  std::string first_bad_number_;
  int64_t first_bad_line_ = 0;
};

// The values of one column: numbers, or words as their number by first occurrence.
class AttributeColumn {
 public:
  explicit AttributeColumn(const ColumnSurvey& survey);

  // Throws Error with the line where a column has too many different words.
  void add(const std::filesystem::path& path, std::string_view text, int64_t line);

  bool is_numeric() const { return is_numeric_; }
  // How many attributes it becomes: a number and, where any is missing, its indicator; or one for
  // every word, "missing" among them.
  int64_t width() const;
  void append_names(std::vector<std::string>& names) const;
  void add_notes(std::vector<std::string>& notes) const;
  // Non-zero attributes of one row, the columns counted from `first`.
  void append_row(int64_t row, int64_t first, std::vector<int32_t>& columns,
                  std::vector<float>& values) const;

 private:
  std::string name_;
  bool is_numeric_;
  bool has_missing_;
  std::vector<float> numbers_;  // NaN = missing
  std::vector<int32_t> codes_;
  WordNumbering words_;
};

// Attributes of all columns side by side; dense only where all are numbers and
// they are not mostly empty.
Features assemble_features(const std::filesystem::path& path, int64_t num_rows,
                           const std::vector<AttributeColumn>& columns);

}  // namespace disenlink::detail
