// The fast way through edge lists whose ids are all integers: blocks of lines parsed in parallel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "data/edge_list_format.h"
#include "disenlink/graph.h"
#include "disenlink/read.h"

namespace disenlink::detail {

// A link between ids as they are written in the file.
struct WidePair {
  int64_t source;
  int64_t target;
};

template <typename Pair>
struct IntegerRows {
  std::vector<Pair> rows;     // in the order of the file
  int64_t largest = 0;        // id
  int64_t late_comments = 0;  // those after the first row
};

// Pair is NodePair (ids below 2^31) or WidePair. Nothing where any row is not two such ids and
// format.num_columns fields; the caller then reads row by row to tell the line.
template <typename Pair>
std::optional<IntegerRows<Pair>> read_integer_rows(const std::filesystem::path& path,
                                                   const EdgeListFormat& format,
                                                   const ReadOptions& options);

}  // namespace disenlink::detail
