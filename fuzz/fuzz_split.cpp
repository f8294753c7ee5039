// The files of a split, read alone and for a graph.
#include "disenlink/audit.h"
#include "disenlink/split.h"
#include "fuzz_reader.h"

namespace disenlink::fuzz {

DISENLINK_FUZZ_TARGET(input) {
  scratch().write_files<7>({"train_pos.txt", "test_pos.txt", "test_neg.txt", "split.json",
                            "train_neg.txt", "valid_pos.txt", "valid_neg.txt"},
                           input);
  static const Graph graph = [] {
    GraphParts parts;
    parts.num_nodes = 20;
    parts.arcs = {{0, 1}, {1, 2}, {2, 3}};
    return Graph(std::move(parts));
  }();
  try_reading([&] { audit_split(read_split(scratch().path(), graph)); });
  audit_split(read_split(scratch().path()));
}

}  // namespace disenlink::fuzz
