// What the first rows of an edge list tell about the rest.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "disenlink/read.h"

namespace disenlink::detail {

struct EdgeListFormat {
  char separator = ',';  // kBlanks: any run of blanks
  int64_t num_columns = 2;
  int64_t first_line = 1;  // of the rows; a header comes before
  bool has_header = false;
  std::array<std::string, 2> header;  // its first two fields
};

// Throws Error where there is no row.
EdgeListFormat recognise_edge_list(const std::filesystem::path& path, const ReadOptions& options);

// An id of a file whose ids are all integers: decimal digits alone, below 2^63.
bool is_integer_id(std::string_view text);

}  // namespace disenlink::detail
