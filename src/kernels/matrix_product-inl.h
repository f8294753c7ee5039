// Matrix product with a tile of the result in registers.
//
// The shapes of factor models are narrow (tens of columns), come in many small blocks and need
// their bias, ReLU or mask on the way out; a general BLAS spends its time elsewhere, and some
// choose the instructions of twenty years ago on processors that they do not know.
#if defined(DISENLINK_MATRIX_PRODUCT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_MATRIX_PRODUCT_INL_H
#undef DISENLINK_MATRIX_PRODUCT_INL_H
#else
#define DISENLINK_MATRIX_PRODUCT_INL_H
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/buffer.h"
#include "kernels/matrix_product.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Rows of the tile: with two vectors a row, the sums fill most registers and hide the latency.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kTileRows = 12;
#else
constexpr int kTileRows = 6;
#endif
constexpr int kTileVectors = 2;

template <typename T>
class HighwayProduct {
 public:
  static void run(const MatrixProduct<T>& product) {
    // The mask is in c until the last block of the sum overwrites it.
    const int64_t depth = product.only_positive_c ? product.k : kDepth;
    const int64_t width = (product.n + lanes() - 1) / lanes() * lanes();
    const bool a_lies_across = product.a.row_step == 1 && product.a.column_step != 1;
    static thread_local Buffer<T> packed_b;
    static thread_local Buffer<T> packed_a;
    packed_b.resize(std::max<size_t>(packed_b.size(), std::min(product.k, depth) * width));
    packed_a.resize(std::max<size_t>(packed_a.size(), std::min(product.k, depth) * kRowsTogether));
    for (int64_t begin = 0; begin < product.k; begin += depth) {
      const Stretch stretch{begin, std::min(product.k, begin + depth)};
      pack_b(product, stretch, packed_b.data());
      for (int64_t row = 0; row < product.m; row += kRowsTogether) {
        const int64_t last = std::min(product.m, row + kRowsTogether);
        MatrixView<T> a = product.a;
        a.data += row * a.row_step + begin * a.column_step;
        if (a_lies_across) {
          a = pack_a(a, last - row, stretch.end - stretch.begin, packed_a.data());
        }
        multiply(product, stretch, a, row, last, packed_b.data());
      }
    }
  }

 private:
  using Tag = hn::ScalableTag<T>;
  using Vector = hn::Vec<Tag>;

  // A tile's part of b stays in the first-level cache, all of b's part in the second.
  static constexpr int64_t kDepth = 256;
  static constexpr int64_t kRowsTogether = 11 * kTileRows;
  // Rows of large matrices are fetched some time before they are needed.
  static constexpr int64_t kAhead = 3;
  static constexpr int64_t kLine = 64 / sizeof(T);

  // A part of the sum.
  struct Stretch {
    int64_t begin;
    int64_t end;
  };

  static int64_t lanes() { return static_cast<int64_t>(hn::Lanes(Tag())); }

  // Vectors of a tile that begins at this column.
  static int64_t tile_vectors(const MatrixProduct<T>& product, int64_t column) {
    return product.n - column > lanes() ? kTileVectors : 1;
  }

  // Tile after tile, each row by row, filled up with zeros to whole vectors.
  static void pack_b(const MatrixProduct<T>& product, const Stretch& stretch, T* packed) {
    const MatrixView<T>& b = product.b;
    const Tag tag;
    for (int64_t column = 0; column < product.n;) {
      const int64_t width = tile_vectors(product, column) * lanes();
      const int64_t count = std::min(width, product.n - column);
      for (int64_t p = stretch.begin; p < stretch.end; ++p, packed += width) {
        const T* from = b.data + p * b.row_step + column * b.column_step;
        if (b.column_step == 1 && count == width) {
          for (int64_t i = 0; i < width; i += lanes()) {
            hn::StoreU(hn::LoadU(tag, from + i), tag, packed + i);
          }
        } else {
          for (int64_t i = 0; i < count; ++i) {
            packed[i] = from[i * b.column_step];
          }
          std::fill(packed + count, packed + width, T{0});
        }
      }
      column += width;
    }
  }

  // A matrix that lies in memory column by column: its columns, brought close together.
  static MatrixView<T> pack_a(const MatrixView<T>& a, int64_t rows, int64_t depth, T* packed) {
    for (int64_t p = 0; p < depth; ++p) {
      const T* HWY_RESTRICT from = a.data + p * a.column_step;
      for (int64_t i = 0; i < rows && p + kAhead < depth; i += kLine) {
        hwy::Prefetch(from + kAhead * a.column_step + i);
      }
      T* HWY_RESTRICT to = packed + p * kRowsTogether;
      for (int64_t i = 0; i < rows; ++i) {
        to[i] = from[i];
      }
    }
    return {packed, 1, kRowsTogether};
  }

  // Rows row .. last of the result; a begins at that row and at the stretch.
  static void multiply(const MatrixProduct<T>& product, const Stretch& stretch,
                       const MatrixView<T>& a, int64_t row, int64_t last, const T* packed) {
    for (int64_t column = 0; column < product.n;) {
      const int64_t vectors = tile_vectors(product, column);
      if (vectors == 1) {
        rows<1>(product, stretch, a, row, last, column, packed);
      } else {
        rows<kTileVectors>(product, stretch, a, row, last, column, packed);
      }
      column += vectors * lanes();
      packed += vectors * lanes() * (stretch.end - stretch.begin);
    }
  }

  template <int kVectors>
  static void rows(const MatrixProduct<T>& product, const Stretch& stretch, MatrixView<T> a,
                   int64_t row, int64_t last, int64_t column, const T* packed) {
    const auto step = [&](int64_t count) {
      row += count;
      a.data += count * a.row_step;
    };
    while (row + kTileRows <= last) {
      tile<kTileRows, kVectors>(product, stretch, a, row, column, packed);
      step(kTileRows);
    }
    while (row + 4 <= last) {
      tile<4, kVectors>(product, stretch, a, row, column, packed);
      step(4);
    }
    while (row < last) {
      tile<1, kVectors>(product, stretch, a, row, column, packed);
      step(1);
    }
  }

  template <int kRows, int kVectors>
  static HWY_INLINE void tile(const MatrixProduct<T>& product, const Stretch& stretch,
                              const MatrixView<T>& a, int64_t row, int64_t column,
                              const T* HWY_RESTRICT packed) {
    const Tag tag;
    Vector sums[kRows][kVectors];
    for (auto& of_row : sums) {
      for (Vector& sum : of_row) {
        sum = hn::Zero(tag);
      }
    }
    if (product.only_positive_c) {
      for (int r = 0; r < kRows; ++r) {
        for (int v = 0; v < kVectors; ++v) {
          hwy::Prefetch(product.c + (row + r) * product.c_step + column + v * lanes());
        }
      }
    }
    const int64_t depth = stretch.end - stretch.begin;
    if (a.row_step == 1) {
      // Known to the compiler: twelve addresses need few registers.
      add_products<kRows, kVectors>(a.data, 1, a.column_step, depth, packed, sums);
    } else if (column == 0 && row + 2 * kRows <= product.m) {
      add_and_fetch<kRows, kVectors>(a, depth, packed, sums);
    } else {
      add_products<kRows, kVectors>(a.data, a.row_step, a.column_step, depth, packed, sums);
    }
    const int64_t count = product.n - column;
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kVectors; ++v) {
        store(product, stretch, row + r, column + v * lanes(), count - v * lanes(), sums[r][v]);
      }
    }
  }

  // While this tile multiplies, the rows of the next one come closer, a line of each at a time.
  template <int kRows, int kVectors>
  static HWY_INLINE void add_and_fetch(const MatrixView<T>& a, int64_t depth,
                                       const T* HWY_RESTRICT packed,
                                       Vector (&sums)[kRows][kVectors]) {
    for (int64_t p = 0; p < depth; p += kLine) {
      const T* from = a.data + p * a.column_step;
      for (int r = 0; r < kRows; ++r) {
        hwy::Prefetch(from + (kRows + r) * a.row_step);
      }
      add_products<kRows, kVectors>(from, a.row_step, a.column_step, std::min(kLine, depth - p),
                                    packed + p * kVectors * lanes(), sums);
    }
  }

  template <int kRows, int kVectors>
  static HWY_INLINE void add_products(const T* HWY_RESTRICT a, int64_t row_step, int64_t step,
                                      int64_t depth, const T* HWY_RESTRICT packed,
                                      Vector (&sums)[kRows][kVectors]) {
    const Tag tag;
    const int64_t width = lanes();
    for (int64_t p = 0; p < depth; ++p, a += step, packed += kVectors * width) {
      Vector b[kVectors];
      for (int v = 0; v < kVectors; ++v) {
        b[v] = hn::LoadU(tag, packed + v * width);
      }
      for (int r = 0; r < kRows; ++r) {
        const Vector value = hn::Set(tag, a[r * row_step]);
        for (int v = 0; v < kVectors; ++v) {
          sums[r][v] = hn::MulAdd(value, b[v], sums[r][v]);
        }
      }
    }
  }

  // As store_result(), for a vector of which `count` values belong to the result.
  static HWY_INLINE void store(const MatrixProduct<T>& product, const Stretch& stretch, int64_t row,
                               int64_t column, int64_t count, Vector value) {
    const Tag tag;
    if (count < lanes()) {
      HWY_ALIGN T values[HWY_MAX_BYTES / sizeof(T)] = {};
      hn::Store(value, tag, values);
      for (int64_t i = 0; i < count; ++i) {
        store_result(product, stretch.begin, stretch.end, row, column + i, values[i]);
      }
      return;
    }
    T* place = product.c + row * product.c_step + column;
    if (stretch.begin > 0 || product.add_to_c) {
      value = hn::Add(value, hn::LoadU(tag, place));
    }
    if (stretch.end == product.k) {
      if (product.bias != nullptr) {
        value = hn::Add(value, hn::LoadU(tag, product.bias + column));
      }
      if (product.relu) {
        value = hn::Max(value, hn::Zero(tag));
      }
      if (product.only_positive_c) {
        value = hn::IfThenElseZero(hn::Gt(hn::LoadU(tag, place), hn::Zero(tag)), value);
      }
    }
    hn::StoreU(value, tag, place);
  }
};

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
