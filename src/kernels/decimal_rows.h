// Rows of two decimal numbers, as "12,345\n", many at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "disenlink/graph.h"

namespace disenlink::detail {

// What stands between the numbers or after them: one byte or two, none of them a digit.
struct RowMark {
  explicit RowMark(std::string_view text);

  uint16_t bytes = 0;  // as they stand in memory
  int64_t width = 0;
};

struct RowMarks {
  RowMark separator;
  RowMark line_end;
};

struct DecimalRows {
  int64_t bytes = 0;  // of the text, that were taken
  int64_t count = 0;
  uint32_t largest = 0;  // number
};

// Bytes after the text that are read, whatever they hold.
inline constexpr size_t kDecimalPadding = 64;
// Rows after the last that are overwritten.
inline constexpr int64_t kSpareRows = 4;

// Takes rows from the front of a text, some kilobytes at a time, until there is one that is not two
// numbers of one to eight digits with these marks.
using TakeDecimalRows = DecimalRows (*)(std::string_view text, const RowMarks& marks,
                                        NodePair* rows);

TakeDecimalRows decimal_rows_taker();

}  // namespace disenlink::detail
