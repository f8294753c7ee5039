// The eight files of a Planetoid dataset.
#include "data/planetoid.h"
#include "fuzz_reader.h"

namespace disenlink::fuzz {

DISENLINK_FUZZ_TARGET(input) {
  scratch().write_files<8>(
      {"ind.tiny.x", "ind.tiny.y", "ind.tiny.tx", "ind.tiny.ty", "ind.tiny.allx", "ind.tiny.ally",
       "ind.tiny.graph", "ind.tiny.test.index"},
      input);
  Graph(detail::read_planetoid(scratch().path(), small_limits()));
}

}  // namespace disenlink::fuzz
