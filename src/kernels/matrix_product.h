// What a matrix product takes and what becomes of its result.
#pragma once

#include <cstdint>

namespace disenlink::detail {

// A matrix that lies in memory row by row, column by column, or as a part of a larger one.
template <typename T>
struct MatrixView {
  const T* data;
  int64_t row_step;
  int64_t column_step = 1;
};

// c = relu_or_mask(a b + bias), c: (m, n) with rows c_step apart. One thread; callers cut large
// products into blocks that do not depend on the number of threads.
template <typename T>
struct MatrixProduct {
  int64_t m, n, k;
  MatrixView<T> a;  // (m, k)
  MatrixView<T> b;  // (k, n)
  T* c;
  int64_t c_step;
  const T* bias = nullptr;       // (n)
  bool relu = false;             // negative results become 0
  bool only_positive_c = false;  // a result counts where c was positive before, else it is 0
  bool add_to_c = false;         // what c holds is the sum so far
};

// Takes the part begin .. end of the sum over k to its place in c; the last part brings the rest.
template <typename T>
void store_result(const MatrixProduct<T>& product, int64_t begin, int64_t end, int64_t row,
                  int64_t column, T value) {
  T& place = product.c[row * product.c_step + column];
  if (begin > 0 || product.add_to_c) {
    value += place;
  }
  if (end == product.k) {
    value += product.bias == nullptr ? T{0} : product.bias[column];
    const bool is_zero =
        (product.relu && !(value > 0)) || (product.only_positive_c && !(place > 0));
    value = is_zero ? T{0} : value;
  }
  place = value;
}

}  // namespace disenlink::detail
