// Compiles the kernels for every instruction set and chooses one table of them at run time.
#include "kernels/factor_kernels.h"

// Sets between these add compile time, not speed, on processors that are in use.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/factor_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before these.
#include "kernels/factor_linear-inl.h"
#include "kernels/highway_ops-inl.h"
#include "kernels/message_passing-inl.h"
#include "kernels/pair_loss-inl.h"
#include "kernels/sparse_projection-inl.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

template <class Ops, typename T>
void adam(T* value, T* mean, T* square, const T* gradient, int64_t count, int64_t epoch,
          double learning_rate, double weight_decay) {
  constexpr double kMeanKeep = 0.9;
  constexpr double kSquareKeep = 0.999;
  constexpr double kEpsilon = 1e-8;
  constexpr int64_t kGrain = 16384;
  const auto step = static_cast<T>(learning_rate / (1 - std::pow(kMeanKeep, epoch)));
  const auto correction = static_cast<T>(1 / (1 - std::pow(kSquareKeep, epoch)));
  parallel_blocks(count, kGrain, [&](int64_t begin, int64_t end) HWY_ATTR {
    Ops::adam(value + begin, mean + begin, square + begin, gradient + begin, end - begin,
              static_cast<T>(weight_decay), static_cast<T>(kMeanKeep), static_cast<T>(kSquareKeep),
              step, correction, static_cast<T>(kEpsilon));
  });
}

template <class Ops, typename T>
FactorKernels<T> make_kernels() {
  return {&edge_factors<Ops, T>,
          &pass_messages<Ops, T>,
          &pass_messages_backward<Ops, T>,
          &pair_loss<Ops, T>,
          &pair_scores<Ops, T>,
          &add_weighted<Ops, T>,
          &sparse_project<Ops, T>,
          &sparse_project_backward<Ops, T>,
          &factor_linear<Ops, T>,
          &factor_linear_backward<Ops, T>,
          &column_sums<Ops, T>,
          &Ops::multiply,
          &adam<Ops, T>};
}

FactorKernels<float> float_kernels() { return make_kernels<HighwayOps<float>, float>(); }
FactorKernels<double> double_kernels() { return make_kernels<HighwayOps<double>, double>(); }

#if HWY_TARGET == HWY_STATIC_TARGET
FactorKernels<float> plain_float_kernels() { return make_kernels<PlainOps<float>, float>(); }
FactorKernels<double> plain_double_kernels() { return make_kernels<PlainOps<double>, double>(); }
#endif

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "kernels/simd_level.h"

namespace disenlink::detail {
namespace {

HWY_EXPORT(float_kernels);
HWY_EXPORT(double_kernels);

}  // namespace

template <>
const FactorKernels<float>& reference_kernels<float>() {
  static const auto table = HWY_STATIC_DISPATCH(plain_float_kernels)();
  return table;
}

template <>
const FactorKernels<double>& reference_kernels<double>() {
  static const auto table = HWY_STATIC_DISPATCH(plain_double_kernels)();
  return table;
}

template <>
const FactorKernels<float>& factor_kernels<float>() {
  static const auto table =
      reference_is_forced() ? reference_kernels<float>() : HWY_DYNAMIC_DISPATCH(float_kernels)();
  return table;
}

template <>
const FactorKernels<double>& factor_kernels<double>() {
  static const auto table =
      reference_is_forced() ? reference_kernels<double>() : HWY_DYNAMIC_DISPATCH(double_kernels)();
  return table;
}

}  // namespace disenlink::detail

#endif
