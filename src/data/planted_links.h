// Links of a generated graph: each goes to a near node on one factor.
#pragma once

#include <cstdint>
#include <vector>

#include "data/planted_positions.h"
#include "disenlink/generate.h"
#include "disenlink/graph.h"

namespace disenlink::detail {

struct PlantedLinks {
  std::vector<NodePair> arcs;    // distinct as unordered pairs
  std::vector<int32_t> factors;  // the cause of each arc
};

// Every link draws a factor, a source and one of its nearest nodes on that factor, again where the
// pair is linked already. Throws Error when the wanted number cannot be reached.
PlantedLinks draw_planted_links(const PlantedPositions& positions, const GenerateOptions& options);

}  // namespace disenlink::detail
