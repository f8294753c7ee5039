// Sums of rows that lie anywhere.
#if defined(DISENLINK_GATHERED_SUM_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_GATHERED_SUM_INL_H
#undef DISENLINK_GATHERED_SUM_INL_H
#else
#define DISENLINK_GATHERED_SUM_INL_H
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// out = sum over j of weights[j] base[rows[j] * stride + 0 .. count)
template <typename T>
struct GatheredSum {
  T* out;
  int64_t count;
  const int32_t* rows;
  const T* weights;
  int64_t num_rows;
  const T* base;
  int64_t stride;

  // kAdds: to what out holds; kWeighted: else every weight is 1. Returns where whole vectors end.
  template <bool kAdds, bool kWeighted>
  HWY_INLINE int64_t whole_vectors() const {
    int64_t i = vectors_from<8, kAdds, kWeighted>(0);
    i = vectors_from<4, kAdds, kWeighted>(i);
    i = vectors_from<2, kAdds, kWeighted>(i);
    return vectors_from<1, kAdds, kWeighted>(i);
  }

 private:
  // The sums stay in registers while the rows stream by.
  template <int kVectors, bool kAdds, bool kWeighted>
  HWY_INLINE int64_t vectors_from(int64_t i) const {
    const hn::ScalableTag<T> tag;
    const auto lanes = static_cast<int64_t>(hn::Lanes(tag));
    for (; i + kVectors * lanes <= count; i += kVectors * lanes) {
      hn::Vec<hn::ScalableTag<T>> sums[kVectors];
      for (int v = 0; v < kVectors; ++v) {
        sums[v] = kAdds ? hn::LoadU(tag, out + i + v * lanes) : hn::Zero(tag);
      }
      for (int64_t j = 0; j < num_rows; ++j) {
        const T* row = base + rows[j] * stride + i;
        const auto weight = hn::Set(tag, kWeighted ? weights[j] : T{1});
        for (int v = 0; v < kVectors; ++v) {
          const auto values = hn::LoadU(tag, row + v * lanes);
          sums[v] = kWeighted ? hn::MulAdd(weight, values, sums[v]) : hn::Add(values, sums[v]);
        }
      }
      for (int v = 0; v < kVectors; ++v) {
        hn::StoreU(sums[v], tag, out + i + v * lanes);
      }
    }
    return i;
  }
};

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
