#include "data/node_table.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/fail.h"
#include "core/text.h"
#include "data/delimited.h"
#include "data/label_column.h"
#include "data/table_columns.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSeparators = "\t,;";
constexpr std::array<std::string_view, 4> kIdColumns = {"id", "node", "node_id", "name"};

using Fields = std::vector<std::string_view>;

struct Header {
  char separator = ',';
  int64_t line = 1;
  std::vector<std::string> names;
  size_t id_column = 0;
  std::optional<size_t> label_column;
  std::vector<size_t> attribute_columns;  // all others
};

std::optional<size_t> find_column(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt : std::optional<size_t>(found - names.begin());
}

size_t find_id_column(const std::vector<std::string>& names) {
  for (const std::string_view known : kIdColumns) {
    for (size_t column = 0; column < names.size(); ++column) {
      if (lower_case(names[column]) == known) {
        return column;
      }
    }
  }
  return 0;
}

void check_header(const fs::path& path, const Header& header) {
  if (std::all_of(header.names.begin(), header.names.end(),
                  [](const std::string& name) { return looks_numeric(name); })) {
    fail_at_line(path, header.line, "expected a header with the names of the columns, found {}",
                 detail::quoted(fmt::format("{}", fmt::join(header.names, ","))));
  }
  for (size_t column = 0; column < header.names.size(); ++column) {
    if (header.names[column].empty() && column != header.id_column) {
      fail_at_line(path, header.line, "column {} of the header has no name", column + 1);
    }
    const auto first = find_column(header.names, header.names[column]);
    if (*first != column) {
      fail_at_line(path, header.line, "columns {} and {} of the header are both called {}",
                   *first + 1, column + 1, detail::quoted(header.names[column]));
    }
  }
}

// The default label column may be absent, one that was asked for may not.
std::optional<size_t> find_label_column(const fs::path& path, const Header& header,
                                        const ReadOptions& options) {
  const auto column = find_column(header.names, options.label_column);
  if (options.label_column.empty() ||
      (!column && options.label_column == ReadOptions{}.label_column)) {
    return std::nullopt;
  }
  if (!column) {
    fail_at_line(path, header.line, "there is no label column {}, the columns are: {}",
                 detail::quoted(options.label_column), fmt::join(header.names, ", "));
  }
  if (column == header.id_column) {
    fail_at_line(path, header.line, "column {} holds the node ids and cannot be the label",
                 detail::quoted(options.label_column));
  }
  return column;
}

Header read_header(const fs::path& path, const ReadOptions& options) {
  const std::vector<TextRow> rows =
      first_rows(path, CommentLines::kNone, options.max_inflated_bytes);
  if (rows.size() < 2) {
    fail_in(path, "has no nodes, expected a header and one row a node");
  }
  Header header;
  header.line = rows[0].line;
  std::string candidates;
  std::copy_if(kSeparators.begin(), kSeparators.end(), std::back_inserter(candidates),
               [&](char letter) { return rows[0].text.find(letter) != std::string::npos; });
  const char separator = recognise_separator(rows, candidates);
  header.separator = separator == '\0' ? kSeparators[0] : separator;
  Fields fields;
  FieldSplitter splitter(header.separator);
  const std::string_view problem = splitter.split(rows[0].text, fields);
  if (!problem.empty()) {
    fail_at_line(path, header.line, "{}: {}", problem, detail::quoted(rows[0].text));
  }
  header.names.assign(fields.begin(), fields.end());
  header.id_column = find_id_column(header.names);
  check_header(path, header);
  header.label_column = find_label_column(path, header, options);
  for (size_t column = 0; column < header.names.size(); ++column) {
    if (column != header.id_column && column != header.label_column) {
      header.attribute_columns.push_back(column);
    }
  }
  return header;
}

// Calls visit(fields, line) for every row below the header.
template <typename Visit>
void for_each_row(const fs::path& path, const Header& header, const ReadOptions& options,
                  Visit&& visit) {
  RowReader reader(path, header.separator, CommentLines::kNone, options.max_inflated_bytes);
  Fields fields;
  reader.next(fields);
  while (reader.next(fields)) {
    if (fields.size() != header.names.size()) {
      fail_at_line(path, reader.line_number(), "row has {} field{}, expected {} as in the header",
                   fields.size(), fields.size() == 1 ? "" : "s", header.names.size());
    }
    visit(fields, reader.line_number());
  }
}

// Ids of the rows; remembers their lines, to name both of two that are equal.
class IdColumn {
 public:
  void add(const fs::path& path, std::string_view id, int64_t line) {
    const auto row = static_cast<int32_t>(lines_.size());
    if (id.empty()) {
      fail_at_line(path, line, "the node id is missing");
    }
    const int32_t number = ids_.number(id);
    if (number != row) {
      fail_at_line(path, line, "node id {} was already given in line {}", detail::quoted(id),
                   lines_[number]);
    }
    are_row_numbers_ = are_row_numbers_ && id == std::to_string(row);
    lines_.push_back(line);
  }

  int64_t size() const { return static_cast<int64_t>(lines_.size()); }

  NodeNames take_names() && {
    return are_row_numbers_ ? NodeNames::numbered(size())
                            : NodeNames::from_list(std::move(ids_).take_words());
  }

 private:
  WordNumbering ids_;
  std::vector<int64_t> lines_;
  bool are_row_numbers_ = true;
};

// Looks at the whole file, for one late word makes a column of numbers one of words.
std::vector<ColumnSurvey> survey_columns(const fs::path& path, const Header& header,
                                         const ReadOptions& options, LabelColumn& labels) {
  std::vector<ColumnSurvey> surveys;
  for (const size_t column : header.attribute_columns) {
    surveys.emplace_back(header.names[column]);
  }
  for_each_row(path, header, options, [&](const Fields& fields, int64_t line) {
    for (size_t i = 0; i < surveys.size(); ++i) {
      surveys[i].look_at(fields[header.attribute_columns[i]], line);
    }
    if (header.label_column) {
      labels.look_at(fields[*header.label_column]);
    }
  });
  return surveys;
}

}  // namespace

NodeTable read_node_table(const fs::path& path, const ReadOptions& options) {
  require_regular_file(path);
  const Header header = read_header(path, options);
  NodeTable table;
  LabelColumn labels(options.label_column);
  std::vector<AttributeColumn> columns;
  for (const ColumnSurvey& survey : survey_columns(path, header, options, labels)) {
    survey.check_numbers(path);
    survey.add_notes(table.notes);
    columns.emplace_back(survey);
  }
  IdColumn ids;
  for_each_row(path, header, options, [&](const Fields& fields, int64_t line) {
    ids.add(path, fields[header.id_column], line);
    for (size_t i = 0; i < columns.size(); ++i) {
      columns[i].add(path, fields[header.attribute_columns[i]], line);
    }
    if (header.label_column) {
      labels.add(path, fields[*header.label_column], line);
    }
  });
  for (const AttributeColumn& column : columns) {
    column.add_notes(table.notes);
  }
  labels.add_notes(table.notes);
  table.features = assemble_features(path, ids.size(), columns);
  table.labels = std::move(labels).take();
  table.names = std::move(ids).take_names();
  return table;
}

}  // namespace disenlink::detail
