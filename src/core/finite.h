// What a damaged model would give without a word.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "core/fail.h"

namespace disenlink::detail {

inline bool all_finite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(),
                     [](float value) { return std::isfinite(value); });
}

// Scores may be infinite where a bounded exponent was met, but never no number at all.
inline void require_scores(std::span<const float> logits) {
  if (std::any_of(logits.begin(), logits.end(), [](float logit) { return std::isnan(logit); })) {
    fail("the model gives scores that are not numbers; its weights are damaged or far too large");
  }
}

}  // namespace disenlink::detail
