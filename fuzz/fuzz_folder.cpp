// The text files of our own form of a graph.
#include "data/simple_folder.h"
#include "fuzz_reader.h"

using namespace disenlink;
using fuzz::scratch;
using fuzz::small_limits;

DISENLINK_FUZZ_TARGET(input) {
  scratch().write_files<5>(
      {"edges.csv", "nodes.csv", "labels.csv", "feature_names.csv", "edge_factors.csv"}, input);
  Graph(detail::read_simple_folder(scratch().path(), small_limits()));
}
