// Checkpoints.
#include "fuzz_reader.h"
#include "train/safetensors.h"

namespace disenlink::fuzz {

DISENLINK_FUZZ_TARGET(input) { detail::read_tensors(scratch().write("model.safetensors", input)); }

}  // namespace disenlink::fuzz
