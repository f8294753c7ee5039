// One Python pickle.
#include "data/pickle.h"
#include "fuzz_reader.h"

namespace disenlink::fuzz {

DISENLINK_FUZZ_TARGET(input) {
  const auto file = scratch().write("ind.tiny.graph", input);
  const auto pickle = detail::Pickle::read(file, small_limits().max_inflated_bytes);
  pickle.describe(pickle.root());
}

}  // namespace disenlink::fuzz
