// Heterophilic graphs with planted latent factors.
//
// Every factor gives every node a position, a unit vector of a few dimensions, independent between
// factors. Every link is caused by one factor: its ends are near on that factor and unrelated on
// the others. Attributes are the positions of all factors, rotated together, with noise.
#pragma once

#include <cstdint>

#include "disenlink/graph.h"

namespace disenlink {

struct GenerateOptions {
  int64_t nodes = 1500;
  int64_t links = 10000;
  int64_t factors = 4;
  int64_t dimensions = 4;  // of a position
  int64_t nearest = 20;    // a link goes to one of this many nearest nodes on its factor
  double noise = 0.1;      // standard deviation added to every attribute
  uint64_t seed = 1;
};

// Graph::planted_factors() tells which factor caused each link.
Graph generate_graph(const GenerateOptions& options = {});

}  // namespace disenlink
