// Weights and gradients of SEAL's network with memory of their own.
#pragma once

#include <cmath>
#include <vector>

#include "disenlink/random.h"
#include "models/baselines/seal_layers.h"

namespace disenlink::testing {

template <typename T>
class SealArrays {
 public:
  explicit SealArrays(const detail::DgcnnShape& shape) {
    for (const detail::LayerShape& layer : shape.layers()) {
      values_.emplace_back(layer.from * layer.to);
      values_.emplace_back(layer.to);
    }
  }

  void fill_at_random(uint64_t seed) {
    Random random(seed);
    for (std::vector<T>& array : values_) {
      for (T& value : array) {
        value = static_cast<T>(0.4 * random.normal());
      }
    }
  }

  // w and b of each layer in turn.
  std::vector<std::vector<T>>& values() { return values_; }

  detail::DgcnnArrays<T> arrays() {
    detail::DgcnnArrays<T> result{};
    for (size_t i = 0; i < detail::kNumLayers; ++i) {
      result[i] = {values_[2 * i].data(), values_[2 * i + 1].data()};
    }
    return result;
  }

 private:
  std::vector<std::vector<T>> values_;
};

inline double length_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value * value;
  }
  return std::sqrt(sum);
}

}  // namespace disenlink::testing
