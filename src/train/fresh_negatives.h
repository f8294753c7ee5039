// Negatives drawn anew for each epoch.
#pragma once

#include <cstdint>
#include <vector>

#include "disenlink/split.h"

namespace disenlink::detail {

// Unlinked pairs of the training graph: under `strict` uniform, under `published` with the heads of
// the positives. Only training links are avoided: avoiding held-out ones would tell which they are.
// The draws depend on seed and epoch alone, so a resumed run continues with the same ones.
void draw_fresh_negatives(const EdgeSplit& split, const Adjacency& message_graph,
                          int64_t per_positive, uint64_t seed, int64_t epoch,
                          std::vector<NodePair>& negatives);

}  // namespace disenlink::detail
