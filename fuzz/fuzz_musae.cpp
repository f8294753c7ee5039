// The three files of a MUSAE dataset.
#include "data/musae.h"
#include "fuzz_reader.h"

namespace disenlink::fuzz {

DISENLINK_FUZZ_TARGET(input) {
  scratch().write_files<3>(
      {"musae_tiny_edges.csv", "musae_tiny_features.json", "musae_tiny_target.csv"}, input);
  Graph(detail::read_musae(scratch().path(), small_limits()));
}

}  // namespace disenlink::fuzz
