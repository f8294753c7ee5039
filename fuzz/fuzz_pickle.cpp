// One Python pickle.
#include "data/pickle.h"
#include "fuzz_reader.h"

using namespace disenlink;
using fuzz::scratch;
using fuzz::small_limits;

DISENLINK_FUZZ_TARGET(input) {
  const auto file = scratch().write("ind.tiny.graph", input);
  const auto pickle = detail::Pickle::read(file, small_limits().max_inflated_bytes);
  pickle.describe(pickle.root());
}
