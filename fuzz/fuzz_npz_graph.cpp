// Whole graphs in .npz.
#include "data/numpy.h"
#include "fuzz_reader.h"

using namespace disenlink;
using fuzz::scratch;
using fuzz::small_limits;

DISENLINK_FUZZ_TARGET(input) {
  const auto file = scratch().write("graph.npz", input);
  detail::is_npz_graph(file);
  Graph(detail::read_npz_graph(file, small_limits()));
}
