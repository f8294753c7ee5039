// Hashes of feature rows, to find equal ones without comparing all pairs. Equal hashes are a hint,
// not a proof.
#pragma once

#include <bit>
#include <cstdint>

#include "core/hash.h"
#include "disenlink/features.h"

namespace disenlink::detail {

// Over the non-zeros alone, so that dense and sparse storage of one row agree.
inline uint64_t hash_row(const Features& features, int64_t row) {
  uint64_t hash = kHashStart;
  const auto add = [&](int64_t column, float value) {
    hash = mix(hash, (static_cast<uint64_t>(column) << 32) | std::bit_cast<uint32_t>(value));
  };
  if (features.empty()) {
    return hash;
  }
  if (features.is_sparse()) {
    const SparseRow entries = features.sparse_row(row);
    for (size_t i = 0; i < entries.columns.size(); ++i) {
      add(entries.columns[i], entries.values[i]);
    }
    return hash;
  }
  const auto values = features.dense_row(row);
  for (size_t column = 0; column < values.size(); ++column) {
    if (values[column] != 0) {
      add(static_cast<int64_t>(column), values[column]);
    }
  }
  return hash;
}

}  // namespace disenlink::detail
