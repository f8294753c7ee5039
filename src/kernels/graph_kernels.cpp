// Compiles the edge kernels for every instruction set and chooses one table of them at run time.
#include "kernels/graph_kernels.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/graph_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before this.
#include "kernels/graph_kernels-inl.h"
#include "kernels/highway_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

GraphKernels<float> float_graph_kernels() { return make_graph_kernels<HighwayOps<float>, float>(); }
GraphKernels<double> double_graph_kernels() {
  return make_graph_kernels<HighwayOps<double>, double>();
}

#if HWY_TARGET == HWY_STATIC_TARGET
GraphKernels<float> plain_float_graph_kernels() {
  return make_graph_kernels<PlainOps<float>, float>();
}
GraphKernels<double> plain_double_graph_kernels() {
  return make_graph_kernels<PlainOps<double>, double>();
}
#endif

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "kernels/simd_level.h"

namespace disenlink::detail {
namespace {

HWY_EXPORT(float_graph_kernels);
HWY_EXPORT(double_graph_kernels);

}  // namespace

template <>
const GraphKernels<float>& reference_graph_kernels<float>() {
  static const auto table = HWY_STATIC_DISPATCH(plain_float_graph_kernels)();
  return table;
}

template <>
const GraphKernels<double>& reference_graph_kernels<double>() {
  static const auto table = HWY_STATIC_DISPATCH(plain_double_graph_kernels)();
  return table;
}

template <>
const GraphKernels<float>& graph_kernels<float>() {
  static const auto table = reference_is_forced() ? reference_graph_kernels<float>()
                                                  : HWY_DYNAMIC_DISPATCH(float_graph_kernels)();
  return table;
}

template <>
const GraphKernels<double>& graph_kernels<double>() {
  static const auto table = reference_is_forced() ? reference_graph_kernels<double>()
                                                  : HWY_DYNAMIC_DISPATCH(double_graph_kernels)();
  return table;
}

}  // namespace disenlink::detail

#endif
