// The first layer: a = x w + b, through a ReLU or not, for sparse or dense x, rows standardised if
// wanted.
//
// A standardised row is (x - mean) / deviation, deviation with divisor columns - 1. Sparse rows
// stay sparse: x' w = (x / deviation) w - (mean / deviation) (1^T w), a product with a rank-one
// term, forward and backward.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "disenlink/features.h"
#include "kernels/factor_kernels.h"

namespace disenlink::detail {

enum class RowScale {
  kNone,
  kStandardise,  // mean 0, deviation 1
  kSum,          // divided by its sum; a row that sums to 0 stays
};

template <typename T>
class InputMatrix {
 public:
  // Sparse features must outlive it.
  InputMatrix(const Features& features, RowScale scale);

  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }

  // Column and value of what a row holds, as project() uses it: all columns of a standardised row.
  std::vector<std::pair<int64_t, T>> row_entries(int64_t row) const;

  // a: (rows, width), w: (columns, width), b: (width).
  void project(const FactorKernels<T>& kernels, int64_t width, const T* w, const T* b, bool relu,
               T* a) const;

  // slope: (rows, width), gradient of x w + b. w_gradient and b_gradient are overwritten.
  void project_backward(const FactorKernels<T>& kernels, int64_t width, const T* slope,
                        T* w_gradient, T* b_gradient) const;

 private:
  void take_sparse(const Features& features, RowScale scale);
  void take_dense(const Features& features, RowScale scale);
  void transpose();
  const T* shifts() const { return shifts_.empty() ? nullptr : shifts_.data(); }

  int64_t rows_;
  int64_t columns_;
  bool is_sparse_;
  std::vector<T> dense_;  // (rows, columns)
  std::vector<int64_t> offsets_;
  std::span<const int32_t> indices_;  // of the features
  std::vector<T> values_;
  std::vector<int64_t> column_offsets_;
  std::vector<int32_t> column_rows_;
  std::vector<T> column_values_;
  std::vector<T> shifts_;  // (rows) mean / deviation; empty = none
};

}  // namespace disenlink::detail
