// The two protocols behind split_edges().
#pragma once

#include <cstdint>
#include <vector>

#include "disenlink/split.h"

namespace disenlink::detail {

struct PartSizes {
  int64_t train = 0;
  int64_t valid = 0;
  int64_t test = 0;
};

// Training gets the rounded-down share, the rest goes to test and validation in proportion. Throws
// Error where a part would be empty.
PartSizes part_sizes(int64_t num_links, const SplitOptions& options);

// Cuts shuffled rows into the positives of the parts: training first, then test, then validation.
void deal_positives(std::vector<NodePair> shuffled, const PartSizes& sizes, EdgeSplit& split);

void split_strict(const Graph& graph, const SplitOptions& options, EdgeSplit& split);
void split_published(const Graph& graph, const SplitOptions& options, EdgeSplit& split);

// The arc list that the authors' program would hold for this graph.
std::vector<NodePair> published_arc_list(const Graph& graph);

}  // namespace disenlink::detail
