#include "kernels/projection.h"

#include <algorithm>
#include <cmath>

#include "kernels/factor_kernels.h"
#include "kernels/gemm.h"
#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kRowsPerBlock = 128;
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

// Calls body(begin, end) for blocks of columns; one thread owns a block.
template <typename Body>
void for_column_blocks(int64_t width, Body&& body) {
  parallel_blocks(width, kColumnsPerBlock, body);
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
  indices_.assign(features.columns().begin(), features.columns().end());
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
void InputMatrix<T>::project(int64_t width, const T* w, const T* b, T* a) const {
  std::vector<T> column_sums(shifts_.empty() ? 0 : width, T{0});
  if (is_sparse_) {
    factor_kernels<T>().sparse_rows(rows_, offsets_.data(), indices_.data(), values_.data(), w,
                                    width, a);
    if (!shifts_.empty()) {
      for_column_blocks(width, [&](int64_t begin, int64_t end) {
        for (int64_t column = 0; column < columns_; ++column) {
          for (int64_t i = begin; i < end; ++i) {
            column_sums[i] += w[column * width + i];
          }
        }
      });
    }
  }
  const SingleThreadedBlas single;
  parallel_blocks(rows_, kRowsPerBlock, [&](int64_t begin, int64_t end) {
    if (!is_sparse_) {
      gemm(Transposed::kNo, Transposed::kNo, end - begin, width, columns_,
           dense_.data() + begin * columns_, columns_, w, width, T{0}, a + begin * width, width);
    }
    for (int64_t row = begin; row < end; ++row) {
      T* out = a + row * width;
      const T shift = shifts_.empty() ? T{0} : shifts_[row];
      for (int64_t i = 0; i < width; ++i) {
        const T value = out[i] + b[i] - (shift == 0 ? T{0} : shift * column_sums[i]);
        out[i] = value > 0 ? value : T{0};
      }
    }
  });
}

template <typename T>
void InputMatrix<T>::project_backward(int64_t width, const T* slope, T* w_gradient,
                                      T* b_gradient) const {
  if (is_sparse_) {
    factor_kernels<T>().sparse_rows(columns_, column_offsets_.data(), column_rows_.data(),
                                    column_values_.data(), slope, width, w_gradient);
  }
  const SingleThreadedBlas single;
  for_column_blocks(width, [&](int64_t begin, int64_t end) {
    if (!is_sparse_) {
      gemm(Transposed::kYes, Transposed::kNo, columns_, end - begin, rows_, dense_.data(), columns_,
           slope + begin, width, T{0}, w_gradient + begin, width);
    }
    std::fill(b_gradient + begin, b_gradient + end, T{0});
    std::vector<T> shifted(end - begin, T{0});
    for (int64_t row = 0; row < rows_; ++row) {
      const T shift = shifts_.empty() ? T{0} : shifts_[row];
      for (int64_t i = begin; i < end; ++i) {
        const T value = slope[row * width + i];
        b_gradient[i] += value;
        shifted[i - begin] += shift * value;
      }
    }
    if (shifts_.empty()) {
      return;
    }
    for (int64_t column = 0; column < columns_; ++column) {
      for (int64_t i = begin; i < end; ++i) {
        w_gradient[column * width + i] -= shifted[i - begin];
      }
    }
  });
}

template class InputMatrix<float>;
template class InputMatrix<double>;

}  // namespace disenlink::detail
