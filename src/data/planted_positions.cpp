#include "data/planted_positions.h"

#include <cmath>

#include "disenlink/random.h"

namespace disenlink::detail {
namespace {

// A vector of independent normals points in a uniform direction.
void draw_unit_vector(std::span<float> vector, std::vector<double>& normals, Random& random) {
  double squared = 0;
  do {
    squared = 0;
    for (double& normal : normals) {
      normal = random.normal();
      squared += normal * normal;
    }
  } while (squared == 0);
  const double scale = 1 / std::sqrt(squared);
  for (size_t i = 0; i < vector.size(); ++i) {
    vector[i] = static_cast<float>(normals[i] * scale);
  }
}

}  // namespace

PlantedPositions::PlantedPositions(const GenerateOptions& options)
    : num_factors_(options.factors),
      num_nodes_(options.nodes),
      dimensions_(options.dimensions),
      values_(options.factors * options.nodes * options.dimensions) {
  Random random(options.seed, "positions");
  std::vector<double> normals(dimensions_);
  for (int64_t vector = 0; vector < num_factors_ * num_nodes_; ++vector) {
    draw_unit_vector({values_.data() + vector * dimensions_, static_cast<size_t>(dimensions_)},
                     normals, random);
  }
}

}  // namespace disenlink::detail
