// Dot products and weighted sums of up to kGroupSize rows at once, each row of `factors` vectors.
//
// One row at a time, every dot product ends in a sum across a register, and every sum begins and
// ends in memory. Of a group, the dot products are summed across registers together, and the sums
// stay in registers while the rows pass by.
#if defined(DISENLINK_ROW_GROUP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_ROW_GROUP_INL_H
#undef DISENLINK_ROW_GROUP_INL_H
#else
#define DISENLINK_ROW_GROUP_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/plain_ops.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

// No lanes to sum across.
template <typename T>
using RowGroup = PlainOps<T>;

#else

// Sums across the lanes of several vectors at once.
template <typename T>
struct LaneSums {
  using Tag = hn::ScalableTag<T>;
  using Vector = hn::Vec<Tag>;

  // Neighbouring lanes of a, then of b, added up.
  static HWY_INLINE Vector add_neighbours(Vector a, Vector b) {
    const Tag tag;
    return hn::Add(hn::ConcatEven(tag, b, a), hn::ConcatOdd(tag, b, a));
  }

  // A vector with the sums of the given ones, spread over lanes side by side.
  template <int kVectors>
  static HWY_INLINE Vector halve(const Vector* vectors) {
    if constexpr (kVectors == 1) {
      return vectors[0];
    } else {
      Vector halves[kVectors / 2];
      for (int i = 0; i < kVectors / 2; ++i) {
        halves[i] = add_neighbours(vectors[2 * i], vectors[2 * i + 1]);
      }
      return halve<kVectors / 2>(halves);
    }
  }

  // Rows become columns: every step brings a bit of the row's number into that of the lane.
  template <int kVectors>
  static HWY_INLINE void transpose(Vector* rows) {
    const Tag tag;
    for (int step = 1; step < kVectors; step *= 2) {
      Vector next[kVectors];
      for (int i = 0; i < kVectors / 2; ++i) {
        next[i] = hn::ConcatEven(tag, rows[2 * i + 1], rows[2 * i]);
        next[i + kVectors / 2] = hn::ConcatOdd(tag, rows[2 * i + 1], rows[2 * i]);
      }
      std::copy(next, next + kVectors, rows);
    }
  }
};

template <typename T>
class RowGroup {
 public:
  // As PlainOps::group_dots.
  static HWY_INLINE void group_dots(const T* own, const T* const* rows, int64_t count,
                                    int64_t factors, int64_t width, T* out) {
    if (width % kLanes != 0) {
      PlainOps<T>::group_dots(own, rows, count, factors, width, out);
      return;
    }
    all_dots(SharedOwn{own}, rows, count, factors, width, out);
  }

  // As PlainOps::group_pair_dots.
  static HWY_INLINE void group_pair_dots(const T* const* owns, const T* const* rows, int64_t count,
                                         int64_t factors, int64_t width, T* out) {
    if (width % kLanes != 0) {
      PlainOps<T>::group_pair_dots(owns, rows, count, factors, width, out);
      return;
    }
    all_dots(OwnOfEach{owns}, rows, count, factors, width, out);
  }

  // As PlainOps::add_rows.
  template <class Weights>
  static HWY_INLINE void add_rows(T* out, const RowList<T>& rows, const Weights& weights,
                                  int64_t factors, int64_t width) {
    if (width % kLanes != 0) {
      PlainOps<T>::add_rows(out, rows, weights, factors, width);
      return;
    }
    const int64_t per_factor = width / kLanes;
    const Sum<Weights> sum{out, rows, weights, factors * width, per_factor};
    const int64_t vectors = factors * per_factor;
    if (per_factor % 4 == 0) {
      add_blocks<4>(sum, vectors);
    } else if (per_factor % 2 == 0) {
      add_blocks<2>(sum, vectors);
    } else {
      add_blocks<1>(sum, vectors);
    }
  }

  // As PlainOps::scatter_group.
  static HWY_INLINE void scatter_group(const T* values, int64_t count, int64_t columns,
                                       T* const* rows) {
    // Without a store of part of a vector, more than the row would be written.
    constexpr bool kStoresParts = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2;
    if constexpr (!kStoresParts) {
      PlainOps<T>::scatter_group(values, count, columns, rows);
      return;
    }
    for (int64_t column = 0; column < columns; column += kLanes) {
      for (int64_t first = 0; first < count; first += kLanes) {
        scatter_square(values + column * kGroupSize + first, std::min(kLanes, count - first),
                       std::min(kLanes, columns - column), rows + first, column);
      }
    }
  }

 private:
  using Tag = hn::ScalableTag<T>;
  using Vector = hn::Vec<Tag>;
  using Lanes = LaneSums<T>;
  static constexpr int64_t kLanes = hn::MaxLanes(Tag());
  static constexpr int64_t kTogether = std::min<int64_t>(4, kLanes);
  static constexpr int64_t kParts = kLanes / kTogether;
  static constexpr int64_t kFactorsTogether = 8;
  static_assert(kGroupSize % kLanes == 0);

  // The other side of the dot products: one row for the whole group, or one for each of its rows.
  struct SharedOwn {
    const T* own;
    SharedOwn from(int64_t /*first*/) const { return *this; }
    const T* of(int /*place*/) const { return own; }
  };
  struct OwnOfEach {
    const T* const* owns;
    OwnOfEach from(int64_t first) const { return {owns + first}; }
    const T* of(int place) const { return owns[place]; }
  };

  template <class Weights>
  struct Sum {
    T* out;
    RowList<T> rows;
    Weights weights;
    int64_t row_size;
    int64_t per_factor;  // vectors
  };

  // Few rows at a time, so that their addresses stay in registers; what is left of their products,
  // kTogether rows to a vector, is summed up at the end.
  template <class Own>
  static HWY_INLINE void all_dots(Own own, const T* const* rows, int64_t count, int64_t factors,
                                  int64_t width, T* out) {
    const Tag tag;
    HWY_ALIGN T parts[kFactorsTogether * kParts * kLanes];
    for (int64_t begin = 0; begin < factors; begin += kFactorsTogether) {
      const int64_t some = std::min(kFactorsTogether, factors - begin);
      for (int64_t first = 0; first < kGroupSize; first += kLanes) {
        for (int64_t part = 0; part < kParts; ++part) {
          const int64_t place = first + part * kTogether;
          some_dots(own.from(place), rows + place, {begin * width, some, width},
                    parts + part * kLanes);
        }
        const auto is_asked =
            hn::FirstN(tag, static_cast<size_t>(std::clamp<int64_t>(count - first, 0, kLanes)));
        for (int64_t factor = 0; factor < some; ++factor) {
          Vector of_factor[kParts];
          for (int64_t part = 0; part < kParts; ++part) {
            of_factor[part] = hn::Load(tag, parts + (factor * kParts + part) * kLanes);
          }
          const Vector sums = Lanes::template halve<kParts>(of_factor);
          hn::StoreU(hn::IfThenElseZero(is_asked, sums), tag,
                     out + (begin + factor) * kGroupSize + first);
        }
      }
    }
  }

  // A stretch of a row.
  struct Stretch {
    int64_t at;
    int64_t factors;
    int64_t width;
  };

  // Dot products of kTogether rows on some factors, kParts lanes a row, kParts vectors apart.
  template <class Own>
  static HWY_INLINE void some_dots(Own own, const T* const* rows, const Stretch& stretch,
                                   T* HWY_RESTRICT out) {
    const Tag tag;
    const T *a[kTogether], *b[kTogether];
    for (int i = 0; i < kTogether; ++i) {
      a[i] = own.of(i) + stretch.at;
      b[i] = rows[i] + stretch.at;
    }
    for (int64_t factor = 0; factor < stretch.factors; ++factor) {
      const int64_t at = factor * stretch.width;
      Vector sums[kTogether];
      for (int i = 0; i < kTogether; ++i) {
        sums[i] = hn::Mul(hn::LoadU(tag, a[i] + at), hn::LoadU(tag, b[i] + at));
      }
      for (int64_t j = at + kLanes; j < at + stretch.width; j += kLanes) {
        for (int i = 0; i < kTogether; ++i) {
          sums[i] = hn::MulAdd(hn::LoadU(tag, a[i] + j), hn::LoadU(tag, b[i] + j), sums[i]);
        }
      }
      hn::Store(Lanes::template halve<kTogether>(sums), tag, out + factor * kParts * kLanes);
    }
  }

  // Vectors of the row that share a weight come in runs of kSame, or of multiples of it.
  template <int kSame, class Weights>
  static HWY_INLINE void add_blocks(const Sum<Weights>& sum, int64_t vectors) {
    int64_t first = 0;
    // Ten at once where that leaves none over: the last few would wait for one another.
    if constexpr (kSame <= 2) {
      for (; vectors % 10 == 0 && first < vectors; first += 10) {
        add_block<10, kSame>(sum, first);
      }
    }
    for (; first + 8 <= vectors; first += 8) {
      add_block<8, kSame>(sum, first);
    }
    if (first + 4 <= vectors) {
      add_block<4, kSame>(sum, first);
      first += 4;
    }
    if constexpr (kSame <= 2) {
      if (first + 2 <= vectors) {
        add_block<2, kSame>(sum, first);
        first += 2;
      }
    }
    if constexpr (kSame == 1) {
      if (first < vectors) {
        add_block<1, kSame>(sum, first);
      }
    }
  }

  template <int kVectors, int kSame, class Weights>
  static HWY_INLINE void add_block(const Sum<Weights>& sum, int64_t first) {
    constexpr int64_t kStep = Weights::kFactorStep;
    const int64_t factor = first / sum.per_factor;
    if (sum.per_factor == kSame) {
      // The usual case: weight after weight.
      add_block<kVectors, kSame>(sum, first, [&](const T* weights, int run) HWY_ATTR {
        return opaque(weights + factor * kStep)[run * kStep];
      });
    } else {
      add_block<kVectors, kSame>(sum, first, [&](const T* weights, int run) HWY_ATTR {
        return weights[(first + run * kSame) / sum.per_factor * kStep];
      });
    }
  }

  template <int kVectors, int kSame, class Weights, typename WeightOf>
  static HWY_INLINE void add_block(const Sum<Weights>& sum, int64_t first, WeightOf&& weight_of) {
    const Tag tag;
    T* HWY_RESTRICT out = sum.out + first * kLanes;
    const T* const base = sum.rows.base + first * kLanes;
    Vector sums[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      sums[v] = hn::LoadU(tag, out + v * kLanes);
    }
    for (int64_t j = 0; j < sum.rows.count; ++j) {
      const T* row = opaque(base + sum.rows.ids[j] * sum.row_size);
      for (int run = 0; run < kVectors / kSame; ++run) {
        const auto weight = hn::Set(tag, weight_of(sum.weights.of(j), run));
        for (int v = run * kSame; v < (run + 1) * kSame; ++v) {
          sums[v] = hn::MulAdd(weight, hn::LoadU(tag, row + v * kLanes), sums[v]);
        }
      }
    }
    for (int v = 0; v < kVectors; ++v) {
      hn::StoreU(sums[v], tag, out + v * kLanes);
    }
  }

  // kLanes columns of kLanes rows, of which some are asked for.
  static HWY_INLINE void scatter_square(const T* values, int64_t count, int64_t columns,
                                        T* const* rows, int64_t column) {
    const Tag tag;
    Vector square[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      square[i] = hn::LoadU(tag, values + i * kGroupSize);
    }
    Lanes::template transpose<kLanes>(square);
    const auto is_asked = hn::FirstN(tag, static_cast<size_t>(columns));
    for (int64_t i = 0; i < count; ++i) {
      hn::BlendedStore(square[i], is_asked, tag, rows[i] + column);
    }
  }

  // One address and fixed distances from it: left alone, the compiler keeps a register a distance.
  static HWY_INLINE const T* opaque(const T* address) {
    asm("" : "+r"(address));
    return address;
  }
};

#endif

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
