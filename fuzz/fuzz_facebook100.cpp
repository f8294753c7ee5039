// Matlab files of Facebook100.
#include "data/facebook100.h"
#include "fuzz_reader.h"

namespace disenlink::fuzz {

DISENLINK_FUZZ_TARGET(input) {
  Graph(detail::read_facebook100(scratch().write("graph.mat", input), small_limits()));
}

}  // namespace disenlink::fuzz
