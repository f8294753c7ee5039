#include "disenlink/features.h"

#include <algorithm>
#include <numeric>

#include "core/fail.h"

namespace disenlink {
namespace {

struct SortedRow {
  std::vector<int32_t> columns;
  std::vector<float> values;
};

// Sorts one row, keeps the last of equal columns and drops zeros; writes it back from `out`.
int64_t tidy_row(std::span<const int32_t> columns, std::span<const float> values, SortedRow& row,
                 std::vector<int64_t>& order) {
  order.resize(columns.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return columns[a] < columns[b]; });
  row.columns.clear();
  row.values.clear();
  for (size_t i = 0; i < order.size(); ++i) {
    const bool repeated_later = i + 1 < order.size() && columns[order[i]] == columns[order[i + 1]];
    if (!repeated_later && values[order[i]] != 0) {
      row.columns.push_back(columns[order[i]]);
      row.values.push_back(values[order[i]]);
    }
  }
  return static_cast<int64_t>(row.columns.size());
}

}  // namespace

Features Features::dense(int64_t num_rows, int64_t num_columns, std::vector<float> values) {
  if (static_cast<int64_t>(values.size()) != num_rows * num_columns) {
    detail::fail("features: {} values given, expected {} x {}", values.size(), num_rows,
                 num_columns);
  }
  Features features;
  features.num_rows_ = num_rows;
  features.num_columns_ = num_columns;
  features.values_ = std::move(values);
  return features;
}

Features Features::sparse(int64_t num_columns, std::vector<int64_t> offsets,
                          std::vector<int32_t> columns, std::vector<float> values) {
  if (offsets.empty() || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()) ||
      offsets.back() != static_cast<int64_t>(columns.size()) || columns.size() != values.size()) {
    detail::fail("features: row offsets do not fit {} columns and {} values", columns.size(),
                 values.size());
  }
  Features features;
  features.num_rows_ = static_cast<int64_t>(offsets.size()) - 1;
  features.num_columns_ = num_columns;
  SortedRow row;
  std::vector<int64_t> order;
  int64_t kept = 0;
  int64_t begin = 0;
  for (int64_t i = 0; i < features.num_rows_; ++i) {
    const int64_t end = offsets[i + 1];
    const auto length = static_cast<size_t>(end - begin);
    const int64_t row_length =
        tidy_row({columns.data() + begin, length}, {values.data() + begin, length}, row, order);
    if (row_length > 0 && (row.columns.front() < 0 || row.columns.back() >= num_columns)) {
      detail::fail("features: row {} names column {}, expected 0 to {}", i,
                   row.columns.front() < 0 ? row.columns.front() : row.columns.back(),
                   num_columns - 1);
    }
    // A tidied row is never longer than it was, so writing in place cannot overtake reading.
    std::copy(row.columns.begin(), row.columns.end(), columns.begin() + kept);
    std::copy(row.values.begin(), row.values.end(), values.begin() + kept);
    begin = end;
    kept += row_length;
    offsets[i + 1] = kept;
  }
  columns.resize(kept);
  values.resize(kept);
  features.offsets_ = std::move(offsets);
  features.columns_ = std::move(columns);
  features.values_ = std::move(values);
  return features;
}

Features Features::from_dense_table(int64_t num_rows, int64_t num_columns,
                                    std::vector<float> values) {
  const int64_t nonzeros =
      std::count_if(values.begin(), values.end(), [](float value) { return value != 0; });
  if (!is_mostly_empty(nonzeros, std::ssize(values))) {
    return dense(num_rows, num_columns, std::move(values));
  }
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;
  std::vector<float> kept;
  columns.reserve(nonzeros);
  kept.reserve(nonzeros);
  for (int64_t row = 0; row < num_rows; ++row) {
    for (int64_t column = 0; column < num_columns; ++column) {
      const float value = values[row * num_columns + column];
      if (value != 0) {
        columns.push_back(static_cast<int32_t>(column));
        kept.push_back(value);
      }
    }
    offsets.push_back(static_cast<int64_t>(columns.size()));
  }
  return sparse(num_columns, std::move(offsets), std::move(columns), std::move(kept));
}

int64_t Features::num_nonzeros() const {
  if (is_sparse()) {
    return static_cast<int64_t>(values_.size());
  }
  return std::count_if(values_.begin(), values_.end(), [](float value) { return value != 0; });
}

SparseRow Features::sparse_row(int64_t row) const {
  const auto length = static_cast<size_t>(offsets_[row + 1] - offsets_[row]);
  return {{columns_.data() + offsets_[row], length}, {values_.data() + offsets_[row], length}};
}

std::span<const float> Features::dense_row(int64_t row) const {
  return {values_.data() + row * num_columns_, static_cast<size_t>(num_columns_)};
}

void Features::set_column_names(std::vector<std::string> names) {
  if (static_cast<int64_t>(names.size()) != num_columns_) {
    detail::fail("features: {} column names given, expected {}", names.size(), num_columns_);
  }
  column_names_ = std::move(names);
}

}  // namespace disenlink
