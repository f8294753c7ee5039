// Row operations as plain loops: the reference that the SIMD ones are tested and timed against.
#pragma once

#include <cmath>
#include <cstdint>

namespace disenlink::detail {

template <typename T>
struct PlainOps {
  static T dot(const T* a, const T* b, int64_t count) {
    T sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      sum += a[i] * b[i];
    }
    return sum;
  }

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
