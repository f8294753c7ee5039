// Whole graphs in .npz.
#include "data/numpy.h"
#include "fuzz_reader.h"

namespace disenlink::fuzz {

DISENLINK_FUZZ_TARGET(input) {
  const auto file = scratch().write("graph.npz", input);
  detail::is_npz_graph(file);
  Graph(detail::read_npz_graph(file, small_limits()));
}

}  // namespace disenlink::fuzz
