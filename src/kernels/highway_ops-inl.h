// Row operations in Highway, compiled once for each instruction set. No include guard of the usual
// kind: foreach_target.h includes this file again for every target.
#if defined(DISENLINK_HIGHWAY_OPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_HIGHWAY_OPS_INL_H
#undef DISENLINK_HIGHWAY_OPS_INL_H
#else
#define DISENLINK_HIGHWAY_OPS_INL_H
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "kernels/plain_ops.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Same contract as PlainOps; tails shorter than a vector are left to it.
template <typename T>
struct HighwayOps {
  using Tag = hn::ScalableTag<T>;
  using Tail = PlainOps<T>;

  static HWY_INLINE T dot(const T* a, const T* b, int64_t count) {
    const Tag tag;
    const auto lanes = static_cast<int64_t>(hn::Lanes(tag));
    auto first = hn::Zero(tag);
    auto second = hn::Zero(tag);
    int64_t i = 0;
    for (; i + 2 * lanes <= count; i += 2 * lanes) {
      first = hn::MulAdd(hn::LoadU(tag, a + i), hn::LoadU(tag, b + i), first);
      second = hn::MulAdd(hn::LoadU(tag, a + i + lanes), hn::LoadU(tag, b + i + lanes), second);
    }
    if (i + lanes <= count) {
      first = hn::MulAdd(hn::LoadU(tag, a + i), hn::LoadU(tag, b + i), first);
      i += lanes;
    }
    const T sum = hn::GetLane(hn::SumOfLanes(tag, hn::Add(first, second)));
    return i == count ? sum : sum + Tail::dot(a + i, b + i, count - i);
  }

  static HWY_INLINE void axpy(T* y, T scale, const T* x, int64_t count) {
    const Tag tag;
    const auto lanes = static_cast<int64_t>(hn::Lanes(tag));
    const auto factor = hn::Set(tag, scale);
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      hn::StoreU(hn::MulAdd(factor, hn::LoadU(tag, x + i), hn::LoadU(tag, y + i)), tag, y + i);
    }
    Tail::axpy(y + i, scale, x + i, count - i);
  }

  static HWY_INLINE void blend(T* out, T a, const T* x, T b, const T* y, int64_t count) {
    const Tag tag;
    const auto lanes = static_cast<int64_t>(hn::Lanes(tag));
    const auto first = hn::Set(tag, a);
    const auto second = hn::Set(tag, b);
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      const auto scaled = hn::Mul(second, hn::LoadU(tag, y + i));
      hn::StoreU(hn::MulAdd(first, hn::LoadU(tag, x + i), scaled), tag, out + i);
    }
    Tail::blend(out + i, a, x + i, b, y + i, count - i);
  }

  static HWY_INLINE void exponentials(T* values, int64_t count) {
    const Tag tag;
    const auto lanes = static_cast<int64_t>(hn::Lanes(tag));
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      hn::StoreU(hn::Exp(tag, hn::LoadU(tag, values + i)), tag, values + i);
    }
    if (i < count) {
      // The same function for the tail: a factor's value must not depend on where it stands.
      HWY_ALIGN T padded[HWY_MAX_BYTES / sizeof(T)] = {};
      std::copy(values + i, values + count, padded);
      hn::Store(hn::Exp(tag, hn::Load(tag, padded)), tag, padded);
      std::copy(padded, padded + (count - i), values + i);
    }
  }

  static HWY_INLINE void add_exponential_products(T* out, const T* x, T scale, T bound, const T* y,
                                                  int64_t count) {
    const Tag tag;
    const auto lanes = static_cast<int64_t>(hn::Lanes(tag));
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      const auto exponent = hn::Mul(hn::Set(tag, scale), hn::LoadU(tag, x + i));
      const auto weight = hn::Exp(tag, hn::Min(exponent, hn::Set(tag, bound)));
      hn::StoreU(hn::MulAdd(weight, hn::LoadU(tag, y + i), hn::LoadU(tag, out + i)), tag, out + i);
    }
    Tail::add_exponential_products(out + i, x + i, scale, bound, y + i, count - i);
  }

  static HWY_INLINE void gather_sum(T* out, int64_t count, const int32_t* rows, const T* weights,
                                    int64_t num_rows, const T* base, int64_t stride) {
    const Tag tag;
    const auto lanes = static_cast<int64_t>(hn::Lanes(tag));
    int64_t i = 0;
    // Eight sums stay in registers while the rows stream by.
    for (; i + 8 * lanes <= count; i += 8 * lanes) {
      auto s0 = hn::Zero(tag), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
      for (int64_t j = 0; j < num_rows; ++j) {
        const T* row = base + rows[j] * stride + i;
        const auto weight = hn::Set(tag, weights[j]);
        s0 = hn::MulAdd(weight, hn::LoadU(tag, row), s0);
        s1 = hn::MulAdd(weight, hn::LoadU(tag, row + lanes), s1);
        s2 = hn::MulAdd(weight, hn::LoadU(tag, row + 2 * lanes), s2);
        s3 = hn::MulAdd(weight, hn::LoadU(tag, row + 3 * lanes), s3);
        s4 = hn::MulAdd(weight, hn::LoadU(tag, row + 4 * lanes), s4);
        s5 = hn::MulAdd(weight, hn::LoadU(tag, row + 5 * lanes), s5);
        s6 = hn::MulAdd(weight, hn::LoadU(tag, row + 6 * lanes), s6);
        s7 = hn::MulAdd(weight, hn::LoadU(tag, row + 7 * lanes), s7);
      }
      hn::StoreU(s0, tag, out + i);
      hn::StoreU(s1, tag, out + i + lanes);
      hn::StoreU(s2, tag, out + i + 2 * lanes);
      hn::StoreU(s3, tag, out + i + 3 * lanes);
      hn::StoreU(s4, tag, out + i + 4 * lanes);
      hn::StoreU(s5, tag, out + i + 5 * lanes);
      hn::StoreU(s6, tag, out + i + 6 * lanes);
      hn::StoreU(s7, tag, out + i + 7 * lanes);
    }
    for (; i + lanes <= count; i += lanes) {
      auto sum = hn::Zero(tag);
      for (int64_t j = 0; j < num_rows; ++j) {
        const auto weight = hn::Set(tag, weights[j]);
        sum = hn::MulAdd(weight, hn::LoadU(tag, base + rows[j] * stride + i), sum);
      }
      hn::StoreU(sum, tag, out + i);
    }
    if (i < count) {
      Tail::gather_sum(out + i, count - i, rows, weights, num_rows, base + i, stride);
    }
  }

  static HWY_INLINE void adam(T* value, T* mean, T* square, const T* gradient, int64_t count,
                              T decay, T mean_keep, T square_keep, T step, T square_correction,
                              T epsilon) {
    const Tag tag;
    const auto lanes = static_cast<int64_t>(hn::Lanes(tag));
    const auto keep1 = hn::Set(tag, mean_keep), take1 = hn::Set(tag, 1 - mean_keep);
    const auto keep2 = hn::Set(tag, square_keep), take2 = hn::Set(tag, 1 - square_keep);
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      const auto x = hn::LoadU(tag, value + i);
      const auto slope = hn::MulAdd(hn::Set(tag, decay), x, hn::LoadU(tag, gradient + i));
      const auto m = hn::MulAdd(keep1, hn::LoadU(tag, mean + i), hn::Mul(take1, slope));
      const auto v =
          hn::MulAdd(keep2, hn::LoadU(tag, square + i), hn::Mul(take2, hn::Mul(slope, slope)));
      hn::StoreU(m, tag, mean + i);
      hn::StoreU(v, tag, square + i);
      const auto root =
          hn::Add(hn::Sqrt(hn::Mul(v, hn::Set(tag, square_correction))), hn::Set(tag, epsilon));
      hn::StoreU(hn::NegMulAdd(hn::Set(tag, step), hn::Div(m, root), x), tag, value + i);
    }
    Tail::adam(value + i, mean + i, square + i, gradient + i, count - i, decay, mean_keep,
               square_keep, step, square_correction, epsilon);
  }
};

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
