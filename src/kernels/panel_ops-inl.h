// Row operations on panels: vectors cut into pieces of kPanelWidth, with indirect rows.
#if defined(DISENLINK_PANEL_OPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_PANEL_OPS_INL_H
#undef DISENLINK_PANEL_OPS_INL_H
#else
#define DISENLINK_PANEL_OPS_INL_H
#endif

#include <hwy/highway.h>

#include "kernels/plain_ops.h"
#include "kernels/row_group-inl.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

// No lanes to sum across.
template <typename T>
using PanelOps = PlainOps<T>;

#else

template <typename T>
class PanelOps {
 public:
  // As PlainOps::panel_dots.
  static HWY_INLINE void panel_dots(const Panels<const T>& own, const int32_t* receivers,
                                    const Panels<const T>& rows, const int32_t* senders, T* out) {
    for (int64_t first = 0; first < kGroupSize; first += kLanes) {
      const Vector a = half_dots(own, receivers + first, rows, senders + first);
      const Vector b = half_dots(own, receivers + first + kHalf, rows, senders + first + kHalf);
      hn::StoreU(LaneSums<T>::add_neighbours(a, b), Tag(), out + first);
    }
  }

  // As PlainOps::panel_sum. Two parts at once where there are as many: two sums hide each other's
  // latency.
  static HWY_INLINE void panel_sum(const Panels<T>& out, const Panels<const T>& rows, int64_t node,
                                   const int32_t* senders, const T* weights, int64_t count) {
    int64_t part = 0;
    for (; part + 2 <= out.parts; part += 2) {
      sum_parts<2>(out, rows, part, node, senders, weights, count);
    }
    if (part < out.parts) {
      sum_parts<1>(out, rows, part, node, senders, weights, count);
    }
  }

  // As PlainOps::panel_scatter.
  static HWY_INLINE void panel_scatter(T* own, const T* compared, const T* from, T* to,
                                       const int32_t* senders, const T* shares, const T* slopes,
                                       int64_t count) {
    const Piece of_own(own);
    const Piece of_compared(compared);
    Piece even;
    Piece odd;
    const auto step = [&](int64_t j, Piece& sum) HWY_ATTR {
      const int64_t at = senders[j] * kPanelWidth;
      const Vector slope = hn::Set(Tag(), slopes[j]);
      Piece there(to + at);
      there.add(hn::Set(Tag(), shares[j]), of_own);
      there.add(slope, of_compared);
      there.store(to + at);
      sum.add(slope, from + at);
    };
    int64_t j = 0;
    for (; j + 2 <= count; j += 2) {
      step(j, even);
      step(j + 1, odd);
    }
    if (j < count) {
      step(j, even);
    }
    even.add(hn::Set(Tag(), T{1}), odd);
    even.store(own);
  }

 private:
  using Tag = hn::ScalableTag<T>;
  using Vector = hn::Vec<Tag>;
  static constexpr int64_t kLanes = hn::MaxLanes(Tag());
  static constexpr int64_t kHalf = kLanes / 2;
  static constexpr int kVectors = kPanelWidth / kLanes;
  static_assert(kLanes >= 2 && kGroupSize % kLanes == 0 && kPanelWidth % kLanes == 0);

  // A panel's width of values in registers.
  struct Piece {
    Vector vectors[kVectors];

    HWY_INLINE Piece() {
      for (Vector& vector : vectors) {
        vector = hn::Zero(Tag());
      }
    }
    explicit HWY_INLINE Piece(const T* from) {
      for (int v = 0; v < kVectors; ++v) {
        vectors[v] = hn::LoadU(Tag(), from + v * kLanes);
      }
    }
    HWY_INLINE void add(Vector weight, const Piece& other) {
      for (int v = 0; v < kVectors; ++v) {
        vectors[v] = hn::MulAdd(weight, other.vectors[v], vectors[v]);
      }
    }
    HWY_INLINE void add(Vector weight, const T* from) {
      for (int v = 0; v < kVectors; ++v) {
        vectors[v] = hn::MulAdd(weight, hn::LoadU(Tag(), from + v * kLanes), vectors[v]);
      }
    }
    HWY_INLINE void store(T* to) const {
      for (int v = 0; v < kVectors; ++v) {
        hn::StoreU(vectors[v], Tag(), to + v * kLanes);
      }
    }
  };

  // Two lanes for each of kHalf edges, whose sum is the dot product.
  static HWY_INLINE Vector half_dots(const Panels<const T>& own, const int32_t* receivers,
                                     const Panels<const T>& rows, const int32_t* senders) {
    Vector sums[kHalf];
    for (Vector& sum : sums) {
      sum = hn::Zero(Tag());
    }
    for (int64_t part = 0; part < own.parts; ++part) {
      const T* const a = own.row(part, 0);
      const T* const b = rows.row(part, 0);
      for (int i = 0; i < kHalf; ++i) {
        for (int v = 0; v < kVectors; ++v) {
          sums[i] =
              hn::MulAdd(hn::LoadU(Tag(), a + receivers[i] * kPanelWidth + v * kLanes),
                         hn::LoadU(Tag(), b + senders[i] * kPanelWidth + v * kLanes), sums[i]);
        }
      }
    }
    return LaneSums<T>::template halve<kHalf>(sums);
  }

  template <int kParts>
  static HWY_INLINE void sum_parts(const Panels<T>& out, const Panels<const T>& rows, int64_t first,
                                   int64_t node, const int32_t* senders, const T* weights,
                                   int64_t count) {
    const T* const begin = rows.row(first, 0);
    Piece sums[kParts];
    for (int part = 0; part < kParts; ++part) {
      sums[part] = Piece(rows.row(first + part, node));
    }
    for (int64_t j = 0; j < count; ++j) {
      const T* const row = begin + senders[j] * kPanelWidth;
      const Vector weight = hn::Set(Tag(), weights[j]);
      for (int part = 0; part < kParts; ++part) {
        sums[part].add(weight, row + part * rows.step);
      }
    }
    for (int part = 0; part < kParts; ++part) {
      sums[part].store(out.row(first + part, node));
    }
  }
};

#endif

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
