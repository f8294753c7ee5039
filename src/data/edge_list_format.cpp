#include "data/edge_list_format.h"

#include <algorithm>
#include <array>

#include "core/fail.h"
#include "core/text.h"
#include "data/delimited.h"

namespace disenlink::detail {
namespace {

constexpr std::string_view kSeparators = {"\t,; ", 4};

constexpr std::array<std::string_view, 24> kHeaderWords = {
    "source", "target", "from",    "to",       "src",   "dst",   "id1",         "id2",
    "id_1",   "id_2",   "node_id", "node_id2", "u",     "v",     "head",        "tail",
    "node1",  "node2",  "node_1",  "node_2",   "user1", "user2", "source_node", "target_node"};

using Fields = std::vector<std::string_view>;

bool is_header_word(std::string_view text) {
  return std::find(kHeaderWords.begin(), kHeaderWords.end(), lower_case(text)) !=
         kHeaderWords.end();
}

bool is_header(const std::vector<TextRow>& rows, char separator) {
  FieldSplitter splitter(separator);
  Fields fields;
  splitter.split(rows[0].text, fields);
  if (fields.size() < 2 || looks_numeric(fields[0]) || looks_numeric(fields[1])) {
    return false;
  }
  if (is_header_word(fields[0]) && is_header_word(fields[1])) {
    return true;
  }
  // Names above numbers; a file of words alone cannot tell.
  return rows.size() > 1 && std::all_of(rows.begin() + 1, rows.end(), [&](const TextRow& row) {
           splitter.split(row.text, fields);
           return fields.size() >= 2 && looks_numeric(fields[0]) && looks_numeric(fields[1]);
         });
}

}  // namespace

bool is_integer_id(std::string_view text) {
  return is_digits(text) && parse_number<int64_t>(text).has_value();
}

EdgeListFormat recognise_edge_list(const std::filesystem::path& path, const ReadOptions& options) {
  const std::vector<TextRow> rows =
      first_rows(path, CommentLines::kSkipped, options.max_inflated_bytes);
  if (rows.empty()) {
    fail_in(path, "has no links");
  }
  EdgeListFormat format;
  format.separator = recognise_separator(rows, kSeparators);
  if (format.separator == '\0') {
    const TextRow& row = rows[std::min<size_t>(1, rows.size() - 1)];
    fail_at_line(path, row.line,
                 "expected two node ids separated by a comma, tab, semicolon or blanks, found {}",
                 detail::quoted(row.text));
  }
  format.has_header = is_header(rows, format.separator);
  const size_t first = format.has_header ? 1 : 0;
  if (first == rows.size()) {
    fail_in(path, "has no links, only a header");
  }
  Fields fields;
  FieldSplitter splitter(format.separator);
  if (format.has_header) {
    splitter.split(rows[0].text, fields);
    format.header = {std::string(fields[0]), std::string(fields[1])};
  }
  const std::string_view problem = splitter.split(rows[first].text, fields);
  format.num_columns = static_cast<int64_t>(fields.size());
  format.first_line = rows[first].line;
  if (!problem.empty()) {
    fail_at_line(path, format.first_line, "{}: {}", problem, detail::quoted(rows[first].text));
  }
  if (format.num_columns < 2) {
    fail_at_line(path, format.first_line, "row has {} field, expected at least 2 node ids: {}",
                 format.num_columns, detail::quoted(rows[first].text));
  }
  return format;
}

}  // namespace disenlink::detail
