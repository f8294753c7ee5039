// Heterophilic graphs with planted latent factors.
//
// Every factor gives every node a position, a unit vector of a few dimensions, independent between
// factors. Every link is caused by one factor: its ends are near on that factor and unrelated on
// the others. Attributes are the positions of all factors, rotated together, with noise. The label
// is the sector of the position on factor 0 (its largest coordinate and the sign of it, so two
// classes a dimension): links of the other factors ignore it, which keeps homophily low.
#pragma once

#include <cstdint>

#include "disenlink/graph.h"

namespace disenlink {

struct GenerateOptions {
  int64_t nodes = 1500;
  int64_t links = 10000;
  int64_t factors = 4;
  int64_t dimensions = 4;  // of a position
  int64_t nearest = 10;    // a link goes to one of this many nearest nodes on its factor
  double noise = 0.1;      // standard deviation added to every attribute
  uint64_t seed = 1;
};

// Exactly options.links distinct pairs; Graph::planted_factors() tells which factor caused each.
// Throws UsageError for an option outside its range and Error when so many links cannot be found.
Graph generate_graph(const GenerateOptions& options = {});

}  // namespace disenlink
