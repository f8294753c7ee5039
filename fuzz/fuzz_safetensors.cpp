// Checkpoints.
#include "fuzz_reader.h"
#include "train/safetensors.h"

using namespace disenlink;
using fuzz::scratch;

DISENLINK_FUZZ_TARGET(input) { detail::read_tensors(scratch().write("model.safetensors", input)); }
