// Compiles the taking of rows for every instruction set and chooses one at run time.
#include "kernels/decimal_rows.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/decimal_rows.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come before this.
#include "kernels/decimal_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

TakeDecimalRows taker() { return take_decimal_rows; }

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <cstring>

#include "kernels/simd_level.h"

namespace disenlink::detail {
namespace {

HWY_EXPORT(taker);

// Leaves all to the caller, who takes other rows one by one.
DecimalRows take_none(std::string_view /*text*/, const RowMarks& /*marks*/, NodePair* /*rows*/) {
  return {};
}

}  // namespace

RowMark::RowMark(std::string_view text) : width(static_cast<int64_t>(text.size())) {
  std::memcpy(&bytes, text.data(), text.size());
}

TakeDecimalRows decimal_rows_taker() {
  static const TakeDecimalRows chosen =
      reference_is_forced() ? &take_none : HWY_DYNAMIC_DISPATCH(taker)();
  return chosen;
}

}  // namespace disenlink::detail

#endif
