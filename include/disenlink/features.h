// Node attributes: sparse (CSR) or dense, as they came. Nothing turns sparse into dense.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace disenlink {

struct SparseRow {
  std::span<const int32_t> columns;  // ascending, distinct
  std::span<const float> values;
};

class Features {
 public:
  // No attributes at all.
  Features() = default;

  // values: (num_rows, num_columns), row by row.
  static Features dense(int64_t num_rows, int64_t num_columns, std::vector<float> values);

  // offsets: num_rows + 1 entries. Columns may come in any order and repeat; rows are sorted,
  // the last of equal columns is kept, and stored zeros are dropped.
  static Features sparse(int64_t num_columns, std::vector<int64_t> offsets,
                         std::vector<int32_t> columns, std::vector<float> values);

  // A table that is mostly empty is kept as rows of what is not zero.
  static bool is_mostly_empty(int64_t nonzeros, int64_t cells) { return 4 * nonzeros <= cells; }
  static Features from_dense_table(int64_t num_rows, int64_t num_columns,
                                   std::vector<float> values);

  bool empty() const { return num_columns_ == 0; }
  bool is_sparse() const { return !offsets_.empty(); }
  int64_t num_rows() const { return num_rows_; }
  int64_t num_columns() const { return num_columns_; }
  int64_t num_nonzeros() const;

  SparseRow sparse_row(int64_t row) const;
  std::span<const float> dense_row(int64_t row) const;

  std::span<const int64_t> offsets() const { return offsets_; }
  std::span<const int32_t> columns() const { return columns_; }
  // Stored values: non-zeros when sparse, the whole table when dense.
  std::span<const float> values() const { return values_; }

  // One name a column, or empty when the columns have none.
  const std::vector<std::string>& column_names() const { return column_names_; }
  void set_column_names(std::vector<std::string> names);

 private:
  int64_t num_rows_ = 0;
  int64_t num_columns_ = 0;
  std::vector<int64_t> offsets_;
  std::vector<int32_t> columns_;
  std::vector<float> values_;
  std::vector<std::string> column_names_;
};

}  // namespace disenlink
