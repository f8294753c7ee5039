#include "disenlink/generate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "core/fail.h"
#include "data/planted_links.h"
#include "data/planted_positions.h"
#include "disenlink/random.h"
#include "kernels/parallel.h"

namespace disenlink {
namespace {

using detail::fail_usage;
using detail::PlantedPositions;

constexpr int64_t kMostAttributes = 2048;
constexpr int64_t kMostLinks = int64_t{1} << 40;  // beyond any memory

void check_range(std::string_view name, int64_t value, int64_t smallest, int64_t largest) {
  if (value < smallest || value > largest) {
    fail_usage("generate: {} is {}, expected {} to {}", name, value, smallest, largest);
  }
}

void check_options(const GenerateOptions& options) {
  check_range("nodes", options.nodes, 2, std::numeric_limits<NodeId>::max());
  check_range("factors", options.factors, 1, kMostPlantedFactors);
  check_range("dimensions", options.dimensions, 2, kMostAttributes / options.factors);
  check_range("nearest", options.nearest, 1, options.nodes - 1);
  // In double: the product of three large options may not fit an integer.
  const double choices = static_cast<double>(options.nodes) * static_cast<double>(options.nearest) *
                         static_cast<double>(options.factors);
  const int64_t pairs = options.nodes * (options.nodes - 1) / 2;
  check_range("links", options.links, 1,
              static_cast<int64_t>(std::min(
                  {choices, static_cast<double>(pairs), static_cast<double>(kMostLinks)})));
  if (!(options.noise >= 0) || !std::isfinite(options.noise)) {
    fail_usage("generate: noise is {}, expected a finite number of at least 0", options.noise);
  }
}

void subtract_projection(std::span<double> vector, std::span<const double> unit) {
  double along = 0;
  for (size_t i = 0; i < vector.size(); ++i) {
    along += vector[i] * unit[i];
  }
  for (size_t i = 0; i < vector.size(); ++i) {
    vector[i] -= along * unit[i];
  }
}

// Modified Gram-Schmidt on normal vectors: rows of the result are orthonormal.
std::vector<double> random_rotation(int64_t width, uint64_t seed) {
  Random random(seed, "rotation");
  std::vector<double> matrix(width * width);
  for (double& entry : matrix) {
    entry = random.normal();
  }
  const auto row = [&](int64_t i) {
    return std::span(matrix).subspan(i * width, static_cast<size_t>(width));
  };
  for (int64_t i = 0; i < width; ++i) {
    // The second pass removes what rounding left of the first.
    for (int pass = 0; pass < 2; ++pass) {
      for (int64_t earlier = 0; earlier < i; ++earlier) {
        subtract_projection(row(i), row(earlier));
      }
    }
    double squared = 0;
    for (const double entry : row(i)) {
      squared += entry * entry;
    }
    for (double& entry : row(i)) {
      entry /= std::sqrt(squared);
    }
  }
  return matrix;
}

// Positions of all factors side by side, times the rotation, plus noise.
Features mixed_features(const PlantedPositions& positions, const GenerateOptions& options) {
  const int64_t width = options.factors * options.dimensions;
  const std::vector<double> rotation = random_rotation(width, options.seed);
  std::vector<float> values(options.nodes * width);
  Random random(options.seed, "noise");
  for (float& value : values) {
    value = static_cast<float>(options.noise * random.normal());
  }
  detail::parallel_blocks(options.nodes, 1024, [&](int64_t begin, int64_t end) {
    std::vector<double> mixed(width);
    for (int64_t node = begin; node < end; ++node) {
      std::fill(mixed.begin(), mixed.end(), 0);
      const double* rotation_row = rotation.data();
      for (int64_t factor = 0; factor < options.factors; ++factor) {
        for (const float coordinate : positions.of(factor, node)) {
          for (int64_t column = 0; column < width; ++column) {
            mixed[column] += static_cast<double>(coordinate) * rotation_row[column];
          }
          rotation_row += width;
        }
      }
      for (int64_t column = 0; column < width; ++column) {
        values[node * width + column] += static_cast<float>(mixed[column]);
      }
    }
  });
  return Features::dense(options.nodes, width, std::move(values));
}

// Twice the largest coordinate on factor 0 (by size), plus one where it is negative.
std::vector<int32_t> sector_labels(const PlantedPositions& positions) {
  std::vector<int32_t> labels(positions.num_nodes());
  for (int64_t node = 0; node < positions.num_nodes(); ++node) {
    const auto position = positions.of(0, node);
    size_t largest = 0;
    for (size_t i = 1; i < position.size(); ++i) {
      largest = std::abs(position[i]) > std::abs(position[largest]) ? i : largest;
    }
    labels[node] = static_cast<int32_t>(2 * largest) + (position[largest] < 0 ? 1 : 0);
  }
  return labels;
}

}  // namespace

Graph generate_graph(const GenerateOptions& options) {
  check_options(options);
  try {
    const PlantedPositions positions(options);
    detail::PlantedLinks links = detail::draw_planted_links(positions, options);
    GraphParts parts;
    parts.name = "example";
    parts.num_nodes = options.nodes;
    parts.arcs = std::move(links.arcs);
    parts.planted_factors = std::move(links.factors);
    parts.features = mixed_features(positions, options);
    parts.labels = sector_labels(positions);
    return Graph(std::move(parts));
  } catch (const std::bad_alloc&) {
    detail::fail("generate: not enough memory for {} nodes and {} links", options.nodes,
                 options.links);
  }
}

}  // namespace disenlink
