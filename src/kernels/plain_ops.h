// Row operations as plain loops: the reference that the SIMD ones are tested and timed against.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/factor_layout.h"
#include "kernels/matrix_product.h"

namespace disenlink::detail {

// Rows that go through a step together: results that stand side by side fill whole vectors.
constexpr int64_t kGroupSize = 16;

// Wide arrays of vectors are cut into panels of so many columns, each with a row a node: a line of
// the cache in float, and a whole panel of ten thousand nodes stays in the second-level cache.
constexpr int64_t kPanelWidth = 16;

// Vectors of some panels' width. Row n of part p begins at data + p * step + n * kPanelWidth.
template <typename T>
struct Panels {
  T* data;
  int64_t parts;
  int64_t step;  // from a part to the next

  T* row(int64_t part, int64_t node) const { return data + part * step + node * kPanelWidth; }
};

// Room for the values of a group in so many columns: whole vectors of columns may be read.
inline int64_t group_room(int64_t columns) {
  return (columns + kGroupSize - 1) / kGroupSize * kGroupSize * kGroupSize;
}

// Rows of a matrix in some order.
template <typename T>
struct RowList {
  const T* base;
  const int32_t* ids;
  int64_t count;
};

// What the rows of a sum are multiplied by: that of row j on factor k is of(j)[k * kFactorStep].
template <typename T>
struct WeightRows {
  static constexpr int64_t kFactorStep = 1;
  const T* first;
  int64_t step;  // from row to row

  const T* of(int64_t j) const { return first + j * step; }
};

template <typename T>
struct ListedWeightRows {
  static constexpr int64_t kFactorStep = 1;
  const T* first;
  const int32_t* ids;
  int64_t step;

  const T* of(int64_t j) const { return first + ids[j] * step; }
};

template <typename T>
struct GroupWeights {
  static constexpr int64_t kFactorStep = kGroupSize;
  const T* first;

  const T* of(int64_t j) const { return first + j; }
};

template <typename T>
struct PlainOps {
  static T dot(const T* a, const T* b, int64_t count) {
    T sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  // out[k * kGroupSize + i] = own[k].rows[i][k], and 0 from `count` on. All kGroupSize rows must be
  // readable, whatever they hold.
  static void group_dots(const T* own, const T* const* rows, int64_t count, int64_t factors,
                         int64_t width, T* out) {
    for (int64_t factor = 0; factor < factors; ++factor) {
      for (int64_t i = 0; i < kGroupSize; ++i) {
        const int64_t at = factor * width;
        out[factor * kGroupSize + i] = i < count ? dot(own + at, rows[i] + at, width) : T{0};
      }
    }
  }

  // The same with a row of its own for each: owns[i][k].rows[i][k].
  static void group_pair_dots(const T* const* owns, const T* const* rows, int64_t count,
                              int64_t factors, int64_t width, T* out) {
    for (int64_t factor = 0; factor < factors; ++factor) {
      for (int64_t i = 0; i < kGroupSize; ++i) {
        const int64_t at = factor * width;
        out[factor * kGroupSize + i] = i < count ? dot(owns[i] + at, rows[i] + at, width) : T{0};
      }
    }
  }

  // out[k] += sum over j of weights.of(j)[k] * row j, for `factors` vectors of this width
  template <class Weights>
  static void add_rows(T* out, const RowList<T>& rows, const Weights& weights, int64_t factors,
                       int64_t width) {
    for (int64_t j = 0; j < rows.count; ++j) {
      const T* const row = rows.base + rows.ids[j] * factors * width;
      for (int64_t factor = 0; factor < factors; ++factor) {
        axpy(out + factor * width, weights.of(j)[factor * Weights::kFactorStep],
             row + factor * width, width);
      }
    }
  }

  // rows[i][c] = values[c * kGroupSize + i] for the first `count` of a group; see group_room().
  static void scatter_group(const T* values, int64_t count, int64_t columns, T* const* rows) {
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t column = 0; column < columns; ++column) {
        rows[i][column] = values[column * kGroupSize + i];
      }
    }
  }

  // out[i] = own[receivers[i]].rows[senders[i]] for a group of edges
  static void panel_dots(const Panels<const T>& own, const int32_t* receivers,
                         const Panels<const T>& rows, const int32_t* senders, T* out) {
    for (int64_t i = 0; i < kGroupSize; ++i) {
      out[i] = 0;
      for (int64_t part = 0; part < own.parts; ++part) {
        out[i] += dot(own.row(part, receivers[i]), rows.row(part, senders[i]), kPanelWidth);
      }
    }
  }

  // out[node] = rows[node] + sum over j of weights[j] * rows[senders[j]]
  static void panel_sum(const Panels<T>& out, const Panels<const T>& rows, int64_t node,
                        const int32_t* senders, const T* weights, int64_t count) {
    for (int64_t part = 0; part < out.parts; ++part) {
      T* const sum = out.row(part, node);
      copy(rows.row(part, node), kPanelWidth, sum);
      for (int64_t j = 0; j < count; ++j) {
        axpy(sum, weights[j], rows.row(part, senders[j]), kPanelWidth);
      }
    }
  }

  // One node's way back through a round, for one panel:
  //   to[senders[j]] += shares[j] * own + slopes[j] * compared
  //   own = sum over j of slopes[j] * from[senders[j]]
  // The sum of own is that of the even j plus that of the odd ones.
  static void panel_scatter(T* own, const T* compared, const T* from, T* to, const int32_t* senders,
                            const T* shares, const T* slopes, int64_t count) {
    T sums[2][kPanelWidth] = {};
    for (int64_t j = 0; j < count; ++j) {
      const int64_t at = senders[j] * kPanelWidth;
      axpy(to + at, shares[j], own, kPanelWidth);
      axpy(to + at, slopes[j], compared, kPanelWidth);
      axpy(sums[j % 2], slopes[j], from + at, kPanelWidth);
    }
    blend(own, T{1}, sums[0], T{1}, sums[1], kPanelWidth);
  }

  // Softmax over the factors of scale * values[k * step + i], for each i < count, which is a
  // multiple of kGroupSize.
  static void softmax_across(T* values, int64_t count, int64_t step, int64_t factors, T scale) {
    for (int64_t i = 0; i < count; ++i) {
      T largest = values[i];
      for (int64_t factor = 1; factor < factors; ++factor) {
        largest = std::max(largest, values[factor * step + i]);
      }
      T sum = 0;
      for (int64_t factor = 0; factor < factors; ++factor) {
        T& value = values[factor * step + i];
        value = std::exp(scale * (value - largest));
        sum += value;
      }
      for (int64_t factor = 0; factor < factors; ++factor) {
        values[factor * step + i] /= sum;
      }
    }
  }

  // Its gradient: slopes are by the shares on entry, by the values on return.
  static void softmax_across_backward(const T* shares, T* slopes, int64_t count, int64_t step,
                                      int64_t factors, T scale) {
    for (int64_t i = 0; i < count; ++i) {
      T mean = 0;
      for (int64_t factor = 0; factor < factors; ++factor) {
        mean += shares[factor * step + i] * slopes[factor * step + i];
      }
      for (int64_t factor = 0; factor < factors; ++factor) {
        T& slope = slopes[factor * step + i];
        slope = scale * shares[factor * step + i] * (slope - mean);
      }
    }
  }

  // largest[i] = the first k with the largest values[k * kGroupSize + i], for each i of a group.
  static void group_largest(const T* values, int64_t factors, T* largest) {
    for (int64_t i = 0; i < kGroupSize; ++i) {
      int64_t best = 0;
      for (int64_t factor = 1; factor < factors; ++factor) {
        best = values[factor * kGroupSize + i] > values[best * kGroupSize + i] ? factor : best;
      }
      largest[i] = static_cast<T>(best);
    }
  }

  static void copy(const T* from, int64_t count, T* to) { std::copy_n(from, count, to); }

  // y += scale * x
  static void axpy(T* y, T scale, const T* x, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      y[i] += scale * x[i];
    }
  }

  // out = a * x + b * y
  static void blend(T* out, T a, const T* x, T b, const T* y, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      out[i] = a * x[i] + b * y[i];
    }
  }

  static void exponentials(T* values, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      values[i] = std::exp(values[i]);
    }
  }

  // x becomes exp(min(bound, scale * x)); slopes: of the exponent by x. Returns how many met the
  // bound.
  static int64_t bounded_exponentials(T* x, T* slopes, int64_t count, T scale, T bound) {
    int64_t met = 0;
    for (int64_t i = 0; i < count; ++i) {
      const T exponent = scale * x[i];
      const bool is_bounded = exponent > bound;
      met += is_bounded ? 1 : 0;
      x[i] = std::exp(is_bounded ? bound : exponent);
      slopes[i] = is_bounded ? T{0} : scale;
    }
    return met;
  }

  // out += a * b
  static void add_products(T* out, const T* a, const T* b, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      out[i] += a[i] * b[i];
    }
  }

  // out = a * b
  static void multiply_each(T* out, const T* a, const T* b, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      out[i] = a[i] * b[i];
    }
  }

  // out += exp(min(bound, scale * x)) * y
  static void add_exponential_products(T* out, const T* x, T scale, T bound, const T* y,
                                       int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const T exponent = scale * x[i];
      out[i] += std::exp(exponent < bound ? exponent : bound) * y[i];
    }
  }

  // out = sum over j of weights[j] * base[rows[j] * stride + 0 .. count)
  static void gather_sum(T* out, int64_t count, const int32_t* rows, const T* weights,
                         int64_t num_rows, const T* base, int64_t stride) {
    for (int64_t i = 0; i < count; ++i) {
      T sum = 0;
      for (int64_t j = 0; j < num_rows; ++j) {
        sum += weights[j] * base[rows[j] * stride + i];
      }
      out[i] = sum;
    }
  }

  // out += the same
  static void add_sum(T* out, int64_t count, const int32_t* rows, const T* weights,
                      int64_t num_rows, const T* base, int64_t stride) {
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t j = 0; j < num_rows; ++j) {
        out[i] += weights[j] * base[rows[j] * stride + i];
      }
    }
  }

  // out = sum over j of base[rows[j] * stride + 0 .. count)
  static void sum_rows(T* out, int64_t count, const int32_t* rows, int64_t num_rows, const T* base,
                       int64_t stride) {
    for (int64_t i = 0; i < count; ++i) {
      T sum = 0;
      for (int64_t j = 0; j < num_rows; ++j) {
        sum += base[rows[j] * stride + i];
      }
      out[i] = sum;
    }
  }

  // out = scale * (out + bias)
  static void scale_shifted(T* out, const T* bias, T scale, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      out[i] = scale * (out[i] + bias[i]);
    }
  }

  static void tanh_each(T* values, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      values[i] = std::tanh(values[i]);
    }
  }

  // out = scale * slopes * (1 - y * y)
  static void tanh_slopes(T* out, T scale, const T* slopes, const T* y, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      out[i] = scale * slopes[i] * (1 - y[i] * y[i]);
    }
  }

  static void prefetch(const T* /*row*/, int64_t /*count*/) {}
  static void prefetch_to_write(T* /*row*/, int64_t /*count*/) {}

  // Loss and its slope by the logit of `count` pairs with target 0 or 1. Neither form overflows,
  // and what is nearly certain keeps its digits: 1 - probability is never formed by subtraction.
  static void pair_losses(const T* logits, const T* targets, int64_t count, PairLoss loss,
                          T* losses, T* slopes) {
    for (int64_t i = 0; i < count; ++i) {
      const T logit = logits[i];
      const T small = std::exp(-std::abs(logit));
      const T likely = 1 / (1 + small);
      const T unlikely = small * likely;
      const T probability = logit >= 0 ? likely : unlikely;
      const T error = targets[i] > 0 ? (logit >= 0 ? -unlikely : -likely) : probability;
      if (loss == PairLoss::kSquaredError) {
        losses[i] = error * error;
        slopes[i] = 2 * error * likely * unlikely;
      } else if (loss == PairLoss::kClippedLog) {
        const T right = targets[i] > 0 ? probability : 1 - probability;
        losses[i] = -std::log(right + static_cast<T>(kClip));
        slopes[i] = error * right / (right + static_cast<T>(kClip));
      } else {
        losses[i] = std::max(logit, T{0}) - logit * targets[i] + std::log1p(small);
        slopes[i] = error;
      }
    }
  }

  // out = relu(out + bias - shift * sums)
  static void relu_shifted(T* out, const T* bias, T shift, const T* sums, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const T value = out[i] + bias[i] - shift * sums[i];
      out[i] = value > 0 ? value : T{0};
    }
  }

  static void multiply(const MatrixProduct<T>& product) {
    const MatrixView<T>& a = product.a;
    const MatrixView<T>& b = product.b;
    for (int64_t row = 0; row < product.m; ++row) {
      for (int64_t column = 0; column < product.n; ++column) {
        T sum = 0;
        for (int64_t p = 0; p < product.k; ++p) {
          sum += a.data[row * a.row_step + p * a.column_step] *
                 b.data[p * b.row_step + column * b.column_step];
        }
        store_result(product, 0, product.k, row, column, sum);
      }
    }
  }

  // One Adam step with the gradient's and moments' corrections folded into the scalars.
  static void adam(T* value, T* mean, T* square, const T* gradient, int64_t count, T decay,
                   T mean_keep, T square_keep, T step, T square_correction, T epsilon) {
    for (int64_t i = 0; i < count; ++i) {
      const T slope = gradient[i] + decay * value[i];
      mean[i] = mean_keep * mean[i] + (1 - mean_keep) * slope;
      square[i] = square_keep * square[i] + (1 - square_keep) * slope * slope;
      value[i] -= step * mean[i] / (std::sqrt(square[i] * square_correction) + epsilon);
    }
  }
};

}  // namespace disenlink::detail
