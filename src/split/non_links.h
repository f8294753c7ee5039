// Negatives from all pairs that are not linked.
#pragma once

#include "disenlink/random.h"
#include "disenlink/split.h"

namespace disenlink::detail {

// Gives every part so many distinct non-links of the whole graph a positive, none to two parts.
// Throws Error where the graph has too few.
void deal_non_links(const Graph& graph, int64_t per_positive, Random& random, EdgeSplit& split);

}  // namespace disenlink::detail
