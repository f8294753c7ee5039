#include "shapes.h"

#include "disenlink/random.h"

namespace disenlink::bench {
namespace {

constexpr Shape kShapes[] = {
    {"Cora", 2708, 5278, 1433, 49216, 10, 64, 256},
    {"Chameleon", 2277, 31371, 2325, 29157, 5, 32, 512},
    {"Twitch-ENGB", 7126, 35324, 2545, 147683, 10, 32, 256},
    {"Johns Hopkins55", 5180, 186586, 2406, 31080, 5, 32, 256},
};

}  // namespace

std::span<const Shape> shapes() { return kShapes; }

Graph make_graph(const Shape& shape) {
  Random random(1, "benchmark graph");
  GraphParts parts;
  parts.num_nodes = shape.nodes;
  for (int64_t i = 0; i < shape.links; ++i) {
    parts.arcs.push_back({static_cast<NodeId>(random.below(shape.nodes)),
                          static_cast<NodeId>(random.below(shape.nodes))});
  }
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;
  for (int64_t node = 0; node < shape.nodes; ++node) {
    const int64_t end = shape.nonzeros * (node + 1) / shape.nodes;
    while (static_cast<int64_t>(columns.size()) < end) {
      columns.push_back(static_cast<int32_t>(random.below(shape.features)));
    }
    offsets.push_back(end);
  }
  std::vector<float> ones(columns.size(), 1.0F);
  parts.features = Features::sparse(shape.features, offsets, columns, ones);
  return Graph(std::move(parts));
}

detail::NetworkOptions network_options(const Shape& shape) {
  detail::NetworkOptions options;
  options.factors = shape.factors;
  options.width = shape.width;
  options.hidden = shape.hidden;
  options.standardise = true;
  options.form.leave_one_out = true;
  return options;
}

}  // namespace disenlink::bench
