// Features as one numpy array.
#include "data/numpy.h"
#include "fuzz_reader.h"

using namespace disenlink;
using fuzz::scratch;
using fuzz::small_limits;

DISENLINK_FUZZ_TARGET(input) {
  detail::read_features(scratch().write("features.npy", input), small_limits());
}
