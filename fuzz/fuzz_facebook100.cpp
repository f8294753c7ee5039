// Matlab files of Facebook100.
#include "data/facebook100.h"
#include "fuzz_reader.h"

using namespace disenlink;
using fuzz::scratch;
using fuzz::small_limits;

DISENLINK_FUZZ_TARGET(input) {
  Graph(detail::read_facebook100(scratch().write("graph.mat", input), small_limits()));
}
