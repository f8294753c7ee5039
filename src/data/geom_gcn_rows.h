// The rows of a Geom-GCN node file before it is known what their numbers mean.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "disenlink/features.h"
#include "disenlink/read.h"

namespace disenlink::detail {

// Non-zero numbers with their place in the row; zeros are counted by length - end + begin.
struct NumberRows {
  std::vector<int64_t> node;    // (rows) id
  std::vector<int64_t> line;    // (rows) of the file
  std::vector<int32_t> label;   // (rows)
  std::vector<int64_t> length;  // (rows) how many numbers
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> place;
  std::vector<double> value;

  int64_t size() const { return static_cast<int64_t>(node.size()); }
  int64_t num_nonzeros(int64_t row) const { return offsets[row + 1] - offsets[row]; }
};

NumberRows read_number_rows(const std::filesystem::path& path, const ReadOptions& options);

// What the numbers of a row are.
enum class RowForm { kVector, kFeatureIds };

struct RowFormDecision {
  RowForm form;
  bool was_ambiguous;
};

// Looks at the whole file; throws Error where the rows are neither.
RowFormDecision decide_row_form(const std::filesystem::path& path, const NumberRows& rows);

}  // namespace disenlink::detail
