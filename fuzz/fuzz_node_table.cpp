// Node tables, and labels one a line.
#include "data/node_table.h"
#include "fuzz_reader.h"

namespace disenlink::fuzz {

DISENLINK_FUZZ_TARGET(input) {
  const auto file = scratch().write("nodes.csv", input);
  try_reading([&] { detail::read_label_lines(file, small_limits()); });
  detail::read_node_table(file, small_limits());
}

}  // namespace disenlink::fuzz
