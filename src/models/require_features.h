// For models that learn from what nodes are.
#pragma once

#include <string_view>

#include "core/fail.h"
#include "disenlink/features.h"

namespace disenlink::detail {

inline void require_features(const Features& features, std::string_view model) {
  if (features.empty()) {
    fail(
        "{} needs node features, and this graph has none: give a table of its nodes (--nodes) or "
        "an array (--features), or choose a method that needs links alone (--model seal, cn or aa)",
        model);
  }
}

}  // namespace disenlink::detail
