#include "data/facebook100.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/fail.h"
#include "data/csr_transpose.h"
#include "data/matlab.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> kColumns = {"status", "gender", "major",      "minor",
                                                      "dorm",   "year",   "high_school"};
constexpr size_t kGender = 1;
constexpr double kLargestCode = 1 << 30;

using Codes = std::vector<int32_t>;  // one a node; 0 = missing

Codes column_codes(const fs::path& path, const MatlabTable& table, size_t column) {
  Codes codes;
  codes.reserve(static_cast<size_t>(table.num_rows));
  const auto begin = table.values.begin() + static_cast<int64_t>(column) * table.num_rows;
  std::for_each(begin, begin + table.num_rows, [&](double value) {
    if (!(value >= 0 && value <= kLargestCode) || std::trunc(value) != value) {
      fail_in(path, "local_info: node {} (from 0) has {} {}, expected a code from 0 to {}",
              codes.size(), kColumns[column], value, kLargestCode);
    }
    codes.push_back(static_cast<int32_t>(value));
  });
  return codes;
}

// Replaces codes by the columns they get: one for each distinct code, in ascending order, after
// those of `names`. Names the new columns.
void number_columns(Codes& codes, std::string_view title, std::vector<std::string>& names) {
  Codes distinct = codes;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const auto first = static_cast<int32_t>(names.size());
  for (int32_t& code : codes) {
    const auto found = std::lower_bound(distinct.begin(), distinct.end(), code);
    code = first + static_cast<int32_t>(found - distinct.begin());
  }
  for (const int32_t code : distinct) {
    names.push_back(code == 0 ? fmt::format("{}=missing", title)
                              : fmt::format("{}={}", title, code));
  }
}

// One-hot codes of every column but gender, side by side.
Features one_hot(const fs::path& path, const MatlabTable& table) {
  std::vector<Codes> places;  // one list a column of local_info
  std::vector<std::string> names;
  for (size_t column = 0; column < kColumns.size(); ++column) {
    if (column != kGender) {
      places.push_back(column_codes(path, table, column));
      number_columns(places.back(), kColumns[column], names);
    }
  }
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;
  for (size_t node = 0; node < static_cast<size_t>(table.num_rows); ++node) {
    for (const Codes& place : places) {
      columns.push_back(place[node]);
    }
    offsets.push_back(static_cast<int64_t>(columns.size()));
  }
  std::vector<float> values(columns.size(), 1.0F);
  Features features = Features::sparse(static_cast<int64_t>(names.size()), std::move(offsets),
                                       std::move(columns), std::move(values));
  features.set_column_names(std::move(names));
  return features;
}

// Every stored non-zero, row by row.
std::vector<NodePair> arcs_of(MatlabSparse matrix) {
  Csr by_column;
  by_column.offsets = std::move(matrix.offsets);
  by_column.columns = std::move(matrix.rows);
  by_column.values.reserve(matrix.values.size());
  for (const double value : matrix.values) {
    by_column.values.push_back(value != 0 ? 1.0F : 0.0F);
  }
  const Csr by_row = transposed(by_column, matrix.num_rows);
  std::vector<NodePair> arcs;
  arcs.reserve(by_row.columns.size());
  for (int64_t row = 0; row < matrix.num_rows; ++row) {
    for (int64_t i = by_row.offsets[row]; i < by_row.offsets[row + 1]; ++i) {
      if (by_row.values[i] != 0) {
        arcs.push_back({static_cast<NodeId>(row), by_row.columns[i]});
      }
    }
  }
  return arcs;
}

}  // namespace

GraphParts read_facebook100(const fs::path& path, const ReadOptions& options) {
  const MatlabFile file(path, options.max_inflated_bytes);
  MatlabSparse links = file.sparse("A");
  const MatlabTable table = file.table("local_info");
  if (links.num_rows != links.num_columns || links.num_rows == 0) {
    fail_in(path, "variable 'A' is a matrix of {} x {}, expected one row and one column a node",
            links.num_rows, links.num_columns);
  }
  if (table.num_rows != links.num_rows ||
      table.num_columns != static_cast<int64_t>(kColumns.size())) {
    fail_in(path, "variable 'local_info' is a matrix of {} x {}, expected {} x {}", table.num_rows,
            table.num_columns, links.num_rows, kColumns.size());
  }
  GraphParts parts;
  parts.name = path.stem().string();
  parts.num_nodes = links.num_rows;
  parts.arcs = arcs_of(std::move(links));
  parts.features = one_hot(path, table);
  parts.labels = column_codes(path, table, kGender);
  for (int32_t& label : parts.labels) {
    label -= 1;
  }
  return parts;
}

}  // namespace disenlink::detail
