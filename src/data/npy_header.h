// The header of a .npy array: versions 1.0, 2.0 and 3.0.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/byte_source.h"

namespace disenlink::detail {

struct NpyHeader {
  char kind = 0;           // b bool, i signed, u unsigned, f float, S bytes, U text
  int64_t item_bytes = 0;  // of one element
  bool swapped = false;    // the other byte order than the machine's
  bool fortran_order = false;
  std::vector<int64_t> shape;
  int64_t num_items = 0;

  bool is_number() const { return kind != 'S' && kind != 'U'; }
  bool is_integer() const { return kind == 'b' || kind == 'i' || kind == 'u'; }
  // 3 x 4
  std::string shape_text() const;
};

// Reads up to the first value. Object and structured arrays are refused; so is a header that
// announces other than the bytes the source has.
NpyHeader read_npy_header(ByteSource& source);

}  // namespace disenlink::detail
