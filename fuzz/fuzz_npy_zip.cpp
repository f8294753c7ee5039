// Graphs as a zip of dense arrays.
#include "data/numpy.h"
#include "fuzz_reader.h"

using namespace disenlink;
using fuzz::scratch;
using fuzz::small_limits;

DISENLINK_FUZZ_TARGET(input) {
  const auto file = scratch().write("graph.zip", input);
  detail::is_npy_zip(file);
  Graph(detail::read_npy_zip(file, small_limits()));
}
