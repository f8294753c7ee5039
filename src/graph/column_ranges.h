// Smallest and largest value of every feature column.
#pragma once

#include <vector>

#include "disenlink/features.h"

namespace disenlink::detail {

struct ColumnRange {
  float smallest;
  float largest;

  bool is_constant() const { return smallest == largest; }
  float magnitude() const { return smallest < -largest ? -smallest : largest; }
};

// In one pass over the stored values. There must be at least one row.
std::vector<ColumnRange> column_ranges(const Features& features);

}  // namespace disenlink::detail
