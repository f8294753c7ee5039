#include "data/delimited.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "core/fail.h"
#include "core/text.h"

namespace disenlink::detail {
namespace {

constexpr size_t kSampleRows = 64;
constexpr size_t kSampleBytes = size_t{1} << 20;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// How many rows the separator cuts into equally many fields, at least two.
int64_t count_matching_rows(const std::vector<TextRow>& rows, char separator) {
  FieldSplitter splitter(separator);
  std::vector<std::string_view> fields;
  std::map<size_t, int64_t> rows_of_width;
  int64_t most = 0;
  for (const TextRow& row : rows) {
    if (splitter.split(row.text, fields).empty() && fields.size() >= 2) {
      most = std::max(most, ++rows_of_width[fields.size()]);
    }
  }
  return most;
}

}  // namespace

std::string_view FieldSplitter::split(std::string_view line,
                                      std::vector<std::string_view>& fields) & {
  if (line.find('"') != std::string_view::npos) {
    return split_quoted(line, fields);
  }
  if (separator_ == kBlanks) {
    split_blanks(line, fields);
    return {};
  }
  split_fields(line, separator_, fields);
  for (std::string_view& field : fields) {
    field = trim(field);
  }
  return {};
}

void FieldSplitter::split_blanks(std::string_view line,
                                 std::vector<std::string_view>& fields) const {
  constexpr std::string_view kBlankLetters = " \t";
  fields.clear();
  line = trim(line);
  while (!line.empty()) {
    const size_t end = std::min(line.find_first_of(kBlankLetters), line.size());
    fields.push_back(line.substr(0, end));
    line = trim(line.substr(end));
  }
}

std::string_view FieldSplitter::split_quoted(std::string_view line,
                                             std::vector<std::string_view>& fields) {
  constexpr std::string_view kNotBlank = "a quoted field is followed by other text";
  fields.clear();
  unquoted_.clear();
  line = separator_ == '\t' ? line : trim(line);
  for (;;) {
    while (!line.empty() && !is_separator(line[0]) && (line[0] == ' ' || line[0] == '\t')) {
      line.remove_prefix(1);
    }
    if (line.starts_with('"')) {
      std::string& text = unquoted_.emplace_back();
      size_t at = 1;
      for (; at < line.size() && (line[at] != '"' || line.substr(at + 1).starts_with('"')); ++at) {
        text += line[at];
        at += line[at] == '"' ? 1 : 0;
      }
      if (at == line.size()) {
        return "a quote is never closed on its line";
      }
      fields.push_back(text);
      line.remove_prefix(at + 1);
      while (!line.empty() && !is_separator(line[0]) && trim(line.substr(0, 1)).empty()) {
        line.remove_prefix(1);
      }
      if (!line.empty() && !is_separator(line[0])) {
        return kNotBlank;
      }
    } else {
      const auto end =
          std::find_if(line.begin(), line.end(), [&](char c) { return is_separator(c); });
      fields.push_back(trim(line.substr(0, end - line.begin())));
      line.remove_prefix(end - line.begin());
    }
    if (line.empty()) {
      return {};
    }
    line.remove_prefix(1);
    line = separator_ == kBlanks ? trim(line) : line;
  }
}

std::vector<TextRow> first_rows(const std::filesystem::path& path, CommentLines comments,
                                int64_t max_inflated_bytes) {
  LineReader reader(path, max_inflated_bytes);
  std::vector<TextRow> rows;
  size_t bytes = 0;
  std::string_view line;
  while (rows.size() < kSampleRows && bytes < kSampleBytes && reader.next(line)) {
    const std::string_view text = trim(line);
    if (!text.empty() && (comments == CommentLines::kNone || !is_comment(text))) {
      rows.push_back({reader.line_number(), std::string(line)});
      bytes += line.size();
    }
  }
  return rows;
}

char recognise_separator(const std::vector<TextRow>& rows, std::string_view candidates) {
  char best = '\0';
  int64_t most = 0;
  for (const char candidate : candidates) {
    const int64_t matching = count_matching_rows(rows, candidate);
    if (matching > most) {
      most = matching;
      best = candidate;
    }
  }
  return best;
}

RowReader::RowReader(const std::filesystem::path& path, char separator, CommentLines comments,
                     int64_t max_inflated_bytes)
    : lines_(path, max_inflated_bytes), splitter_(separator), comments_(comments) {}

bool RowReader::next(std::vector<std::string_view>& fields) {
  std::string_view line;
  while (lines_.next(line)) {
    const std::string_view text = trim(line);
    if (text.empty()) {
      continue;
    }
    if (comments_ == CommentLines::kSkipped && is_comment(text)) {
      ++num_comments_;
      continue;
    }
    if (line.find('\0') != std::string_view::npos) {
      fail_at_line(path(), line_number(), "holds a zero byte, expected text");
    }
    if (const std::string_view problem = splitter_.split(line, fields); !problem.empty()) {
      fail_at_line(path(), line_number(), "{}: {}", problem, quoted(line));
    }
    return true;
  }
  return false;
}

void require_regular_file(const std::filesystem::path& path) {
  require_readable_file(path);
  if (!std::filesystem::is_regular_file(path)) {
    fail_in(path, "is a pipe or device, expected a file");
  }
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return result;
}

bool looks_numeric(std::string_view text) {
  const size_t sign = text.starts_with('+') || text.starts_with('-') ? 1 : 0;
  const std::string_view digits = text.substr(sign);
  const size_t first = digits.starts_with('.') ? 1 : 0;
  if (digits.size() <= first || !is_digit(digits[first])) {
    return false;
  }
  double ignored = 0;
  return std::from_chars(digits.data(), digits.data() + digits.size(), ignored).ptr ==
         digits.data() + digits.size();
}

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

}  // namespace disenlink::detail
