// Rows of delimited text: fields between separators, quoted as in csv where needed.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/input_file.h"

namespace disenlink::detail {

// As a separator: any run of blanks and tabs.
inline constexpr char kBlanks = ' ';

class FieldSplitter {
 public:
  explicit FieldSplitter(char separator) : separator_(separator) {}

  // Fields are trimmed and stay valid until the next call or the end of `line`. Returns what is
  // wrong with the quotes, or nothing.
  std::string_view split(std::string_view line, std::vector<std::string_view>& fields) &;

 private:
  void split_blanks(std::string_view line, std::vector<std::string_view>& fields) const;
  std::string_view split_quoted(std::string_view line, std::vector<std::string_view>& fields);
  bool is_separator(char letter) const {
    return letter == separator_ || (separator_ == kBlanks && letter == '\t');
  }

  char separator_;
  std::deque<std::string> unquoted_;  // fields whose text differs from the line's
};

enum class CommentLines {
  kSkipped,  // lines that begin with # or %
  kNone,
};

inline bool is_comment(std::string_view trimmed_line) {
  return trimmed_line.starts_with('#') || trimmed_line.starts_with('%');
}

struct TextRow {
  int64_t line = 0;
  std::string text;
};

// The first rows that are neither empty nor comments; enough to recognise a format.
std::vector<TextRow> first_rows(const std::filesystem::path& path, CommentLines comments,
                                int64_t max_inflated_bytes);

// The candidate that cuts most rows into equally many fields; '\0' where none gives two fields.
char recognise_separator(const std::vector<TextRow>& rows, std::string_view candidates);

class RowReader {
 public:
  RowReader(const std::filesystem::path& path, char separator, CommentLines comments,
            int64_t max_inflated_bytes);

  // The fields of the next row, valid until the next call; false at the end. Throws Error with the
  // line on a quote that is never closed and on binary data.
  bool next(std::vector<std::string_view>& fields);

  const std::filesystem::path& path() const { return lines_.path(); }
  int64_t line_number() const { return lines_.line_number(); }
  // Comment lines skipped so far.
  int64_t num_comments() const { return num_comments_; }

 private:
  LineReader lines_;
  FieldSplitter splitter_;
  CommentLines comments_;
  int64_t num_comments_ = 0;
};

// Throws Error also for pipes: a file that is looked at first and read then must be there twice.
void require_regular_file(const std::filesystem::path& path);

// Of the letters a to z; others stay.
std::string lower_case(std::string_view text);

// True for what is written like a number, whether or not it fits one: -5, 3.7, 1e400.
bool looks_numeric(std::string_view text);

// A non-empty run of decimal digits.
bool is_digits(std::string_view text);

}  // namespace disenlink::detail
