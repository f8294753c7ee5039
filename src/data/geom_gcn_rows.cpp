#include "data/geom_gcn_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/fail.h"
#include "core/input_file.h"
#include "core/text.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

double number_at(const LineReader& lines, std::string_view field, size_t place) {
  const std::string_view text = trim(field);
  if (text == "0") {
    return 0;
  }
  const auto value = parse_number<double>(text);
  if (!value || !std::isfinite(*value) || std::abs(*value) > std::numeric_limits<float>::max()) {
    fail_at_line(lines.path(), lines.line_number(), "feature {} is {}, expected a finite number",
                 place + 1, quoted(text));
  }
  return *value;
}

void append_numbers(const LineReader& lines, std::string_view text,
                    std::vector<std::string_view>& fields, NumberRows& rows) {
  fields.clear();
  if (!trim(text).empty()) {
    split_fields(text, ',', fields);
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    const double value = number_at(lines, fields[i], i);
    if (value != 0) {
      rows.place.push_back(static_cast<int32_t>(i));
      rows.value.push_back(value);
    }
  }
  rows.length.push_back(static_cast<int64_t>(fields.size()));
  rows.offsets.push_back(static_cast<int64_t>(rows.value.size()));
}

void append_row(const LineReader& lines, const std::vector<std::string_view>& columns,
                std::vector<std::string_view>& fields, NumberRows& rows) {
  const auto fail_here = [&]<typename... Args>(fmt::format_string<Args...> text, Args&&... args) {
    fail_at_line(lines.path(), lines.line_number(), text, std::forward<Args>(args)...);
  };
  if (columns.size() != 3) {
    fail_here("{} columns between tabs, expected 3: node id, features, label", columns.size());
  }
  const auto node = parse_number<int64_t>(trim(columns[0]));
  if (!node) {
    fail_here("node id is {}, expected a number from 0", quoted(columns[0]));
  }
  const auto label = parse_number<int32_t>(trim(columns[2]));
  if (!label || *label < -1) {
    fail_here("label is {}, expected a number from 0, or -1 for unlabelled", quoted(columns[2]));
  }
  rows.node.push_back(*node);
  rows.line.push_back(lines.line_number());
  rows.label.push_back(*label);
  append_numbers(lines, columns[1], fields, rows);
}

bool is_feature_id(double value) {
  return value >= 0 && value < std::numeric_limits<int32_t>::max() && value == std::floor(value);
}

struct Extremes {
  double largest = 0;
  int64_t shortest = std::numeric_limits<int64_t>::max();
  int64_t longest = 0;
  bool all_are_ids = true;
  bool repeats_within_a_row = false;
};

Extremes extremes_of(const NumberRows& rows) {
  Extremes result;
  std::vector<double> sorted;
  for (int64_t row = 0; row < rows.size(); ++row) {
    result.shortest = std::min(result.shortest, rows.length[row]);
    result.longest = std::max(result.longest, rows.length[row]);
    sorted.assign(rows.value.begin() + rows.offsets[row],
                  rows.value.begin() + rows.offsets[row + 1]);
    std::sort(sorted.begin(), sorted.end());
    result.repeats_within_a_row = result.repeats_within_a_row ||
                                  rows.length[row] - rows.num_nonzeros(row) > 1 ||
                                  std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  }
  for (const double value : rows.value) {
    result.largest = std::max(result.largest, value);
    result.all_are_ids = result.all_are_ids && is_feature_id(value);
  }
  return result;
}

[[noreturn]] void fail_ragged(const fs::path& path, const NumberRows& rows) {
  const auto odd = std::find_if(rows.length.begin(), rows.length.end(),
                                [&](int64_t length) { return length != rows.length.front(); });
  fail_at_line(path, rows.line[odd - rows.length.begin()],
               "{} features, expected {} as on line {} (and the numbers cannot be feature ids)",
               *odd, rows.length.front(), rows.line.front());
}

}  // namespace

NumberRows read_number_rows(const fs::path& path, const ReadOptions& options) {
  NumberRows rows;
  LineReader lines(path, options.max_inflated_bytes);
  std::vector<std::string_view> columns;
  std::vector<std::string_view> fields;
  for (std::string_view line; lines.next(line);) {
    split_fields(line, '\t', columns);
    const bool is_header = lines.line_number() == 1 && !parse_number<int64_t>(trim(columns[0]));
    if (!is_header && !trim(line).empty()) {
      append_row(lines, columns, fields, rows);
    }
  }
  if (rows.size() == 0) {
    fail_in(path, "has no rows after the header");
  }
  return rows;
}

// Ids, when rows differ in length, all numbers are whole and not negative, and no row is longer
// than there are ids (so vectors of 0 and 1 with one cut short are not taken for lists).
// A vector, when all rows are equally long; except that whole numbers which never repeat within a
// row and reach past its length are ids. Equally long rows of whole numbers beyond 0 and 1 could
// be either, and the caller says so.
RowFormDecision decide_row_form(const fs::path& path, const NumberRows& rows) {
  const Extremes extremes = extremes_of(rows);
  const auto longest = static_cast<double>(extremes.longest);
  if (extremes.shortest != extremes.longest) {
    if (!extremes.all_are_ids || longest > extremes.largest + 1) {
      fail_ragged(path, rows);
    }
    return {RowForm::kFeatureIds, false};
  }
  if (!extremes.all_are_ids || extremes.largest <= 1) {
    return {RowForm::kVector, false};
  }
  const bool are_ids = !extremes.repeats_within_a_row && extremes.largest >= longest;
  return {are_ids ? RowForm::kFeatureIds : RowForm::kVector, true};
}

}  // namespace disenlink::detail
