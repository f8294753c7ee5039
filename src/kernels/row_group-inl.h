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

  // As PlainOps::add_group.
  static HWY_INLINE void add_group(T* out, const T* const* rows, const T* const* weights,
                                   int64_t count, int64_t factors, int64_t width) {
    if (width % kLanes != 0) {
      PlainOps<T>::add_group(out, rows, weights, count, factors, width);
      return;
    }
    const int64_t per_factor = width / kLanes;
    const Sum sum{out, rows, weights, count, per_factor};
    const int64_t vectors = factors * per_factor;
    if (per_factor % 4 == 0) {
      add_blocks<4>(sum, vectors);
    } else if (per_factor % 2 == 0) {
      add_blocks<2>(sum, vectors);
    } else {
      add_blocks<1>(sum, vectors);
    }
  }

 private:
  using Tag = hn::ScalableTag<T>;
  using Vector = hn::Vec<Tag>;
  using Lanes = LaneSums<T>;
  static constexpr int64_t kLanes = hn::MaxLanes(Tag());
  // As many rows have their addresses in registers, beside what else is needed.
  static constexpr int64_t kHalf = kLanes / 2;
  static_assert(kLanes >= 2 && kGroupSize % kLanes == 0);

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

  template <class Own>
  struct Rows {
    Own own;
    const T* const* rows;
    int64_t factors;
    int64_t width;
    T* out;
  };

  struct Sum {
    T* out;
    const T* const* rows;
    const T* const* weights;
    int64_t count;
    int64_t per_factor;  // vectors
  };

  template <class Own>
  static HWY_INLINE void all_dots(Own own, const T* const* rows, int64_t count, int64_t factors,
                                  int64_t width, T* out) {
    const Tag tag;
    for (int64_t first = 0; first < kGroupSize; first += kLanes) {
      const int64_t left = std::clamp<int64_t>(count - first, 0, kLanes);
      const auto is_asked = hn::FirstN(tag, static_cast<size_t>(left));
      const Rows<Own> some{own.from(first), rows + first, factors, width, out + first};
      if (left <= kHalf) {
        half_dots(some, left, [&](Vector half, T*) HWY_ATTR {
          return hn::IfThenElseZero(is_asked, Lanes::add_neighbours(half, half));
        });
        continue;
      }
      half_dots(some, left, [](Vector half, T*) HWY_ATTR { return half; });
      const Rows<Own> others{own.from(first + kHalf), rows + first + kHalf, factors, width,
                             out + first};
      half_dots(others, left - kHalf, [&](Vector half, T* before) HWY_ATTR {
        return hn::IfThenElseZero(is_asked, Lanes::add_neighbours(hn::LoadU(Tag(), before), half));
      });
    }
  }

  // For kHalf rows and each factor: finish(two lanes a row whose sum is the dot product, place).
  template <class Own, typename Finish>
  static HWY_INLINE void half_dots(const Rows<Own>& of, int64_t count, Finish&& finish) {
    if (count <= 0) {
      for (int64_t factor = 0; factor < of.factors; ++factor) {
        hn::StoreU(hn::Zero(Tag()), Tag(), of.out + factor * kGroupSize);
      }
      return;
    }
    const Tag tag;
    for (int64_t factor = 0; factor < of.factors; ++factor) {
      const int64_t at = factor * of.width;
      Vector sums[kHalf];
      for (int i = 0; i < kHalf; ++i) {
        sums[i] = hn::Mul(hn::LoadU(tag, of.own.of(i) + at), hn::LoadU(tag, of.rows[i] + at));
      }
      for (int64_t j = at + kLanes; j < at + of.width; j += kLanes) {
        for (int i = 0; i < kHalf; ++i) {
          sums[i] =
              hn::MulAdd(hn::LoadU(tag, of.own.of(i) + j), hn::LoadU(tag, of.rows[i] + j), sums[i]);
        }
      }
      T* const place = of.out + factor * kGroupSize;
      hn::StoreU(finish(Lanes::template halve<kHalf>(sums), place), tag, place);
    }
  }

  // Vectors of the row that share a weight come in runs of kSame, or of multiples of it.
  template <int kSame>
  static HWY_INLINE void add_blocks(const Sum& sum, int64_t vectors) {
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

  template <int kVectors, int kSame>
  static HWY_INLINE void add_block(const Sum& sum, int64_t first) {
    const int64_t factor = first / sum.per_factor;
    if (sum.per_factor == kSame) {
      // The usual case: weight after weight.
      add_block<kVectors, kSame>(sum, first, [&](const T* weights, int run) HWY_ATTR {
        return opaque(weights + factor)[run];
      });
    } else {
      add_block<kVectors, kSame>(sum, first, [&](const T* weights, int run) HWY_ATTR {
        return weights[(first + run * kSame) / sum.per_factor];
      });
    }
  }

  template <int kVectors, int kSame, typename WeightOf>
  static HWY_INLINE void add_block(const Sum& sum, int64_t first, WeightOf&& weight_of) {
    const Tag tag;
    T* HWY_RESTRICT out = sum.out + first * kLanes;
    Vector sums[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      sums[v] = hn::LoadU(tag, out + v * kLanes);
    }
    for (int64_t i = 0; i < sum.count; ++i) {
      const T* row = opaque(sum.rows[i] + first * kLanes);
      for (int run = 0; run < kVectors / kSame; ++run) {
        const auto weight = hn::Set(tag, weight_of(sum.weights[i], run));
        for (int v = run * kSame; v < (run + 1) * kSame; ++v) {
          sums[v] = hn::MulAdd(weight, hn::LoadU(tag, row + v * kLanes), sums[v]);
        }
      }
    }
    for (int v = 0; v < kVectors; ++v) {
      hn::StoreU(sums[v], tag, out + v * kLanes);
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
