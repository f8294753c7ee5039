// Edge lists whose nodes are those that occur, and over known nodes.
#include "data/edge_list.h"
#include "fuzz_reader.h"

using namespace disenlink;
using fuzz::scratch;
using fuzz::small_limits;

DISENLINK_FUZZ_TARGET(input) {
  const auto file = scratch().write("edges.csv", input);
  fuzz::try_reading([&] { detail::read_edge_list(file, NodeNames::numbered(20), small_limits()); });
  detail::read_edge_list(file, small_limits());
}
