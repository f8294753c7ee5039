// The text files of our own form of a graph.
#include "data/simple_folder.h"
#include "fuzz_reader.h"

namespace disenlink::fuzz {

DISENLINK_FUZZ_TARGET(input) {
  scratch().write_files<5>(
      {"edges.csv", "nodes.csv", "labels.csv", "feature_names.csv", "edge_factors.csv"}, input);
  Graph(detail::read_simple_folder(scratch().path(), small_limits()));
}

}  // namespace disenlink::fuzz
