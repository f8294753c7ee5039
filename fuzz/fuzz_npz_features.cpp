// Features as a scipy matrix in .npz.
#include "data/numpy.h"
#include "fuzz_reader.h"

using namespace disenlink;
using fuzz::scratch;
using fuzz::small_limits;

DISENLINK_FUZZ_TARGET(input) {
  detail::read_features(scratch().write("features.npz", input), small_limits());
}
