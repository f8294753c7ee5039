// Graphs as a zip of dense arrays.
#include "data/numpy.h"
#include "fuzz_reader.h"

namespace disenlink::fuzz {

DISENLINK_FUZZ_TARGET(input) {
  const auto file = scratch().write("graph.zip", input);
  detail::is_npy_zip(file);
  Graph(detail::read_npy_zip(file, small_limits()));
}

}  // namespace disenlink::fuzz
