// Turning compressed columns into compressed rows.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace disenlink::detail {

struct Csr {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;
  std::vector<float> values;
};

// The transpose has one row for each column of the input; its rows come out sorted.
inline Csr transposed(const Csr& input, int64_t num_columns) {
  Csr result;
  result.offsets.assign(static_cast<size_t>(num_columns) + 1, 0);
  for (const int32_t column : input.columns) {
    ++result.offsets[static_cast<size_t>(column) + 1];
  }
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  std::vector<int64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  result.columns.resize(input.columns.size());
  result.values.resize(input.values.size());
  for (size_t row = 0; row + 1 < input.offsets.size(); ++row) {
    for (int64_t i = input.offsets[row]; i < input.offsets[row + 1]; ++i) {
      const int64_t place = next[input.columns[i]]++;
      result.columns[place] = static_cast<int32_t>(row);
      result.values[place] = input.values[i];
    }
  }
  return result;
}

}  // namespace disenlink::detail
