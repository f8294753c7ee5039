// Edge lists whose nodes are those that occur, and over known nodes.
#include "data/edge_list.h"
#include "fuzz_reader.h"

namespace disenlink::fuzz {

DISENLINK_FUZZ_TARGET(input) {
  const auto file = scratch().write("edges.csv", input);
  try_reading([&] { detail::read_edge_list(file, NodeNames::numbered(20), small_limits()); });
  detail::read_edge_list(file, small_limits());
}

}  // namespace disenlink::fuzz
