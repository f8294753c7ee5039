#include "kernels/projection.h"

#include <cmath>

#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kRowsPerBlock = 240;
constexpr int64_t kColumnsPerBlock = 128;

struct RowScale {
  double mean = 0;
  double deviation = 0;  // 0 = leave the row as it is: all its values are equal
};

RowScale row_scale(std::span<const float> values, int64_t columns) {
  double sum = 0;
  double squares = 0;
  for (const float value : values) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  RowScale scale;
  scale.mean = sum / static_cast<double>(columns);
  const double spread = squares - sum * scale.mean;
  const bool varies = columns > 1 && spread > 1e-12 * squares;
  scale.deviation = varies ? std::sqrt(spread / static_cast<double>(columns - 1)) : 0;
  return scale;
}

}  // namespace

template <typename T>
InputMatrix<T>::InputMatrix(const Features& features, bool standardise)
    : rows_(features.num_rows()),
      columns_(features.num_columns()),
      is_sparse_(features.is_sparse()) {
  if (is_sparse_) {
    take_sparse(features, standardise);
    transpose();
  } else {
    take_dense(features, standardise);
  }
}

template <typename T>
void InputMatrix<T>::take_sparse(const Features& features, bool standardise) {
  offsets_.assign(features.offsets().begin(), features.offsets().end());
  indices_ = features.columns();
  values_.assign(features.values().begin(), features.values().end());
  if (!standardise) {
    return;
  }
  shifts_.assign(rows_, T{0});
  for (int64_t row = 0; row < rows_; ++row) {
    const RowScale scale = row_scale(features.sparse_row(row).values, columns_);
    if (scale.deviation == 0) {
      continue;
    }
    shifts_[row] = static_cast<T>(scale.mean / scale.deviation);
    for (int64_t i = offsets_[row]; i < offsets_[row + 1]; ++i) {
      values_[i] = static_cast<T>(values_[i] / scale.deviation);
    }
  }
}

template <typename T>
void InputMatrix<T>::take_dense(const Features& features, bool standardise) {
  dense_.assign(features.values().begin(), features.values().end());
  if (!standardise) {
    return;
  }
  for (int64_t row = 0; row < rows_; ++row) {
    const RowScale scale = row_scale(features.dense_row(row), columns_);
    if (scale.deviation == 0) {
      continue;
    }
    for (int64_t i = row * columns_; i < (row + 1) * columns_; ++i) {
      dense_[i] = static_cast<T>((dense_[i] - scale.mean) / scale.deviation);
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
                             T* a) const {
  if (is_sparse_) {
    kernels.sparse_project({rows_, columns_, offsets_.data(), indices_.data(), values_.data()},
                           shifts(), width, w, b, a);
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
                      .relu = true});
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
