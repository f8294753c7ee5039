// The two files of a Geom-GCN dataset.
#include "data/geom_gcn.h"
#include "fuzz_reader.h"

namespace disenlink::fuzz {

DISENLINK_FUZZ_TARGET(input) {
  scratch().write_files<2>({"out1_graph_edges.txt", "out1_node_feature_label.txt"}, input);
  Graph(detail::read_geom_gcn(scratch().path(), small_limits()));
}

}  // namespace disenlink::fuzz
