#include "graph/column_ranges.h"

#include <algorithm>
#include <limits>

namespace disenlink::detail {
namespace {

void extend(ColumnRange& range, float value) {
  range.smallest = std::min(range.smallest, value);
  range.largest = std::max(range.largest, value);
}

}  // namespace

std::vector<ColumnRange> column_ranges(const Features& features) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const int64_t width = features.num_columns();
  std::vector<ColumnRange> ranges(width, {kInfinity, -kInfinity});
  const auto values = features.values();
  if (!features.is_sparse()) {
    for (size_t i = 0; i < values.size(); ++i) {
      extend(ranges[static_cast<int64_t>(i) % width], values[i]);
    }
    return ranges;
  }
  std::vector<int64_t> stored(width, 0);
  for (size_t i = 0; i < values.size(); ++i) {
    const int32_t column = features.columns()[i];
    extend(ranges[column], values[i]);
    ++stored[column];
  }
  for (int64_t column = 0; column < width; ++column) {
    if (stored[column] < features.num_rows()) {
      extend(ranges[column], 0);
    }
  }
  return ranges;
}

}  // namespace disenlink::detail
