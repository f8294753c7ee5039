// Random graphs with the shapes of known datasets: speed depends on sizes, not on meaning.
#pragma once

#include <span>
#include <string_view>

#include "disenlink/graph.h"
#include "disenlink/split.h"
#include "models/disenlink/network.h"

namespace disenlink::bench {

struct Shape {
  std::string_view name;
  int64_t nodes;
  int64_t links;
  int64_t features;
  int64_t nonzeros;
  int64_t factors;
  int64_t width;
  int64_t hidden;
};

// Cora, Chameleon, Twitch-ENGB and Johns Hopkins55, with the settings of the authors' runs.
std::span<const Shape> shapes();

// Links and features are drawn uniformly.
Graph make_graph(const Shape& shape);

detail::NetworkOptions network_options(const Shape& shape);

}  // namespace disenlink::bench
