// Features as a scipy matrix in .npz.
#include "data/numpy.h"
#include "fuzz_reader.h"

namespace disenlink::fuzz {

DISENLINK_FUZZ_TARGET(input) {
  detail::read_features(scratch().write("features.npz", input), small_limits());
}

}  // namespace disenlink::fuzz
