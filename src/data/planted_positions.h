// Where the nodes of a generated graph lie on each latent factor.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "disenlink/generate.h"

namespace disenlink::detail {

// Unit vectors, uniform on the sphere and independent between nodes and factors.
class PlantedPositions {
 public:
  explicit PlantedPositions(const GenerateOptions& options);

  int64_t num_factors() const { return num_factors_; }
  int64_t num_nodes() const { return num_nodes_; }
  int64_t dimensions() const { return dimensions_; }

  std::span<const float> of(int64_t factor, int64_t node) const {
    return {values_.data() + (factor * num_nodes_ + node) * dimensions_,
            static_cast<size_t>(dimensions_)};
  }

 private:
  int64_t num_factors_;
  int64_t num_nodes_;
  int64_t dimensions_;
  std::vector<float> values_;  // (num_factors, num_nodes, dimensions)
};

}  // namespace disenlink::detail
