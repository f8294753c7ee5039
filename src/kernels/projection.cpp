#include "kernels/projection.h"

#include <cmath>

#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kRowsPerBlock = 240;
constexpr int64_t kColumnsPerBlock = 128;

// A row becomes (x - lowered_by) / divisor.
struct RowChange {
  double lowered_by = 0;
  double divisor = 0;  // 0 = leave the row as it is
};

RowChange row_change(std::span<const float> values, int64_t columns, RowScale scale) {
  double sum = 0;
  double squares = 0;
  for (const float value : values) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  if (scale == RowScale::kSum) {
    return {0, sum};
  }
  const double mean = sum / static_cast<double>(columns);
  const double spread = squares - sum * mean;
  const bool varies = columns > 1 && spread > 1e-12 * squares;  // else all values are equal
  return {mean, varies ? std::sqrt(spread / static_cast<double>(columns - 1)) : 0};
}

}  // namespace

template <typename T>
InputMatrix<T>::InputMatrix(const Features& features, RowScale scale)
    : rows_(features.num_rows()),
      columns_(features.num_columns()),
      is_sparse_(features.is_sparse()) {
  if (is_sparse_) {
    take_sparse(features, scale);
    transpose();
  } else {
    take_dense(features, scale);
  }
}

template <typename T>
void InputMatrix<T>::take_sparse(const Features& features, RowScale scale) {
  offsets_.assign(features.offsets().begin(), features.offsets().end());
  indices_ = features.columns();
  values_.assign(features.values().begin(), features.values().end());
  if (scale == RowScale::kNone) {
    return;
  }
  if (scale == RowScale::kStandardise) {
    shifts_.assign(rows_, T{0});
  }
  for (int64_t row = 0; row < rows_; ++row) {
    const RowChange change = row_change(features.sparse_row(row).values, columns_, scale);
    if (change.divisor == 0) {
      continue;
    }
    if (!shifts_.empty()) {
      shifts_[row] = static_cast<T>(change.lowered_by / change.divisor);
    }
    for (int64_t i = offsets_[row]; i < offsets_[row + 1]; ++i) {
      values_[i] = static_cast<T>(values_[i] / change.divisor);
    }
  }
}

template <typename T>
void InputMatrix<T>::take_dense(const Features& features, RowScale scale) {
  dense_.assign(features.values().begin(), features.values().end());
  if (scale == RowScale::kNone) {
    return;
  }
  for (int64_t row = 0; row < rows_; ++row) {
    const RowChange change = row_change(features.dense_row(row), columns_, scale);
    if (change.divisor == 0) {
      continue;
    }
    for (int64_t i = row * columns_; i < (row + 1) * columns_; ++i) {
      dense_[i] = static_cast<T>((dense_[i] - change.lowered_by) / change.divisor);
    }
  }
}

template <typename T>
void InputMatrix<T>::transpose() {
  column_offsets_.assign(columns_ + 1, 0);
  for (const int32_t column : indices_) {
    ++column_offsets_[column + 1];
  }
  for (int64_t column = 0; column < columns_; ++column) {
    column_offsets_[column + 1] += column_offsets_[column];
  }
  column_rows_.resize(indices_.size());
  column_values_.resize(indices_.size());
  std::vector<int64_t> next(column_offsets_.begin(), column_offsets_.end() - 1);
  for (int64_t row = 0; row < rows_; ++row) {
    for (int64_t i = offsets_[row]; i < offsets_[row + 1]; ++i) {
      const int64_t place = next[indices_[i]]++;
      column_rows_[place] = static_cast<int32_t>(row);
      column_values_[place] = values_[i];
    }
  }
}

template <typename T>
std::vector<std::pair<int64_t, T>> InputMatrix<T>::row_entries(int64_t row) const {
  std::vector<std::pair<int64_t, T>> entries;
  const T shift = shifts_.empty() ? T{0} : shifts_[row];
  if (!is_sparse_ || shift != 0) {
    for (int64_t column = 0; column < columns_; ++column) {
      entries.emplace_back(column, is_sparse_ ? -shift : dense_[row * columns_ + column]);
    }
  }
  for (int64_t i = offsets_.empty() ? 0 : offsets_[row]; !offsets_.empty() && i < offsets_[row + 1];
       ++i) {
    if (shift != 0) {
      entries[indices_[i]].second += values_[i];
    } else {
      entries.emplace_back(indices_[i], values_[i]);
    }
  }
  return entries;
}

template <typename T>
void InputMatrix<T>::project(const FactorKernels<T>& kernels, int64_t width, const T* w, const T* b,
                             bool relu, T* a) const {
  if (is_sparse_) {
    kernels.sparse_project({rows_, columns_, offsets_.data(), indices_.data(), values_.data()},
                           shifts(), width, w, b, relu, a);
    return;
  }
  parallel_blocks(rows_, kRowsPerBlock, [&](int64_t begin, int64_t end) {
    kernels.multiply({.m = end - begin,
                      .n = width,
                      .k = columns_,
                      .a = {dense_.data() + begin * columns_, columns_},
                      .b = {w, width},
                      .c = a + begin * width,
                      .c_step = width,
                      .bias = b,
                      .relu = relu});
  });
}

template <typename T>
void InputMatrix<T>::project_backward(const FactorKernels<T>& kernels, int64_t width,
                                      const T* slope, T* w_gradient, T* b_gradient) const {
  if (is_sparse_) {
    kernels.sparse_project_backward(
        {columns_, rows_, column_offsets_.data(), column_rows_.data(), column_values_.data()},
        shifts(), width, slope, w_gradient, b_gradient);
    return;
  }
  kernels.column_sums(rows_, width, slope, b_gradient);
  parallel_blocks(width, kColumnsPerBlock, [&](int64_t begin, int64_t end) {
    kernels.multiply({.m = columns_,
                      .n = end - begin,
                      .k = rows_,
                      .a = {dense_.data(), 1, columns_},
                      .b = {slope + begin, width},
                      .c = w_gradient + begin,
                      .c_step = width});
  });
}

template class InputMatrix<float>;
template class InputMatrix<double>;

}  // namespace disenlink::detail
