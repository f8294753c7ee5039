#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_set>

#include "core/fail.h"
#include "core/input_file.h"
#include "core/text.h"
#include "data/musae_parts.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMaxId = std::numeric_limits<NodeId>::max() - 1;

enum class TargetForm { kMature, kTraffic, kClass };

struct Columns {
  TargetForm form;
  size_t id;
  size_t value;
  size_t count;
};

std::optional<Columns> find_columns(const std::vector<std::string_view>& header) {
  struct Known {
    TargetForm form;
    std::string_view id;
    std::string_view value;
  };
  constexpr Known kKnown[] = {{TargetForm::kMature, "new_id", "mature"},
                              {TargetForm::kClass, "id", "ml_target"},
                              {TargetForm::kTraffic, "id", "target"}};
  const auto place = [&](std::string_view name) {
    return static_cast<size_t>(
        std::find_if(header.begin(), header.end(),
                     [&](std::string_view field) { return trim(field) == name; }) -
        header.begin());
  };
  for (const Known& known : kKnown) {
    const Columns columns{known.form, place(known.id), place(known.value), header.size()};
    if (columns.id < header.size() && columns.value < header.size()) {
      return columns;
    }
  }
  return std::nullopt;
}

std::optional<double> parse_value(TargetForm form, std::string_view text) {
  if (form == TargetForm::kMature) {
    if (text == "True" || text == "true" || text == "1") {
      return 1;
    }
    return text == "False" || text == "false" || text == "0" ? std::optional<double>(0)
                                                             : std::nullopt;
  }
  if (form == TargetForm::kClass) {
    const auto number = parse_number<int32_t>(text);
    return number && *number >= -1 ? std::optional<double>(*number) : std::nullopt;
  }
  const auto traffic = parse_number<double>(text);
  return traffic && std::isfinite(*traffic) && *traffic >= 0 ? traffic : std::nullopt;
}

std::string_view expected_value(TargetForm form) {
  switch (form) {
    case TargetForm::kMature:
      return "True or False";
    case TargetForm::kClass:
      return "a class number from 0, or -1 for unlabelled";
    default:
      return "a number that is not negative";
  }
}

Columns read_header(LineReader& lines, std::vector<std::string_view>& fields) {
  std::string_view line;
  fields.clear();
  if (lines.next(line)) {
    split_fields(line, ',', fields);
  }
  const auto columns = find_columns(fields);
  if (!columns) {
    fail_at_line(lines.path(), 1,
                 "header {}, expected the columns new_id and mature, id and target, or id and "
                 "ml_target; without this file the graph has no labels",
                 quoted(line));
  }
  return *columns;
}

struct TargetRow {
  NodeId node;
  double value;
};

TargetRow parse_row(const LineReader& lines, const Columns& columns,
                    const std::vector<std::string_view>& fields) {
  if (fields.size() != columns.count) {
    fail_at_line(lines.path(), lines.line_number(), "{} columns, expected {} as in the header",
                 fields.size(), columns.count);
  }
  const auto node = parse_number<int64_t>(trim(fields[columns.id]));
  if (!node || *node < 0 || *node > kMaxId) {
    fail_at_line(lines.path(), lines.line_number(), "node is {}, expected a number from 0 to {}",
                 quoted(fields[columns.id]), kMaxId);
  }
  const auto value = parse_value(columns.form, trim(fields[columns.value]));
  if (!value) {
    fail_at_line(lines.path(), lines.line_number(), "found {}, expected {}",
                 quoted(fields[columns.value]), expected_value(columns.form));
  }
  return {static_cast<NodeId>(*node), *value};
}

// As numpy's default: linear between the two nearest of the sorted values.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

std::vector<int32_t> quantile_classes(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> bounds;
  for (const double share : {0.2, 0.4, 0.6, 0.8, 1.0}) {
    bounds.push_back(sorted.empty() ? 0 : quantile(sorted, share));
  }
  std::vector<int32_t> classes;
  classes.reserve(values.size());
  for (const double value : values) {
    classes.push_back(static_cast<int32_t>(
        std::count_if(bounds.begin(), bounds.end(), [&](double bound) { return bound <= value; })));
  }
  return classes;
}

TargetTable read_target_table(const fs::path& path, const ReadOptions& options) {
  LineReader lines(path, options.max_inflated_bytes);
  std::vector<std::string_view> fields;
  const Columns columns = read_header(lines, fields);
  TargetTable table;
  std::vector<double> values;
  std::unordered_set<NodeId> seen;
  int64_t repeated = 0;
  for (std::string_view line; lines.next(line);) {
    if (trim(line).empty()) {
      continue;
    }
    split_fields(line, ',', fields);
    const TargetRow row = parse_row(lines, columns, fields);
    if (!seen.insert(row.node).second) {
      ++repeated;
      continue;
    }
    table.nodes.push_back(row.node);
    values.push_back(columns.form == TargetForm::kTraffic ? std::log1p(row.value) : row.value);
  }
  if (columns.form == TargetForm::kTraffic) {
    table.labels = quantile_classes(values);
    table.notes.push_back(
        "labels are classes of traffic: how many of the quantiles 0.2, 0.4, 0.6, "
        "0.8 and 1.0 of ln(1 + target) are not above the value");
  } else {
    table.labels.assign(values.begin(), values.end());
  }
  if (repeated > 0) {
    table.notes.push_back(fmt::format("{}: {} rows repeat a node; the first of each is kept",
                                      path.filename().string(), repeated));
  }
  return table;
}

}  // namespace disenlink::detail
