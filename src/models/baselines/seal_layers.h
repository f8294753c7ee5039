// The layers of SEAL's network (DGCNN) as arrays; formulas and shapes are in seal.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "kernels/factor_kernels.h"
#include "kernels/graph_kernels.h"
#include "models/baselines/seal_subgraph.h"

namespace disenlink::detail {

enum DgcnnLayer {
  kGraph1,
  kGraph2,
  kGraph3,
  kGraph4,
  kRows,
  kWindows,
  kDense,
  kOut,
};
inline constexpr size_t kNumLayers = 8;

struct LayerShape {
  std::string_view name;
  int64_t from, to;
};

struct DgcnnShape {
  static constexpr int64_t kRowChannels = 16;
  static constexpr int64_t kWindowRows = 5;
  static constexpr int64_t kWindowWidth = kWindowRows * kRowChannels;
  static constexpr int64_t kWindowChannels = 32;
  static constexpr int64_t kDenseUnits = 128;

  SubgraphBounds bounds;
  int64_t num_features = 0;
  int64_t hidden = 32;

  int64_t row_width() const { return 3 * hidden + 1; }            // of H1 | H2 | H3 | H4
  int64_t halved_rows() const { return bounds.pooled_rows / 2; }  // of M
  int64_t windows() const { return halved_rows() - kWindowRows + 1; }
  int64_t read_width() const { return windows() * kWindowChannels; }  // of V

  std::array<LayerShape, kNumLayers> layers() const {
    return {{{"graph1", bounds.largest_label + 1 + num_features, hidden},
             {"graph2", hidden, hidden},
             {"graph3", hidden, hidden},
             {"graph4", hidden, 1},
             {"rows", row_width(), kRowChannels},
             {"windows", kWindowWidth, kWindowChannels},
             {"dense", read_width(), kDenseUnits},
             {"out", kDenseUnits, 2}}};
  }
};

template <typename T>
struct LayerArrays {
  T* w;  // (from, to)
  T* b;  // (to)
};

// Weights of the network, or gradients by them.
template <typename T>
using DgcnnArrays = std::array<LayerArrays<T>, kNumLayers>;

template <typename T>
DgcnnArrays<const T> read_only(const DgcnnArrays<T>& arrays) {
  DgcnnArrays<const T> result{};
  for (size_t i = 0; i < kNumLayers; ++i) {
    result[i] = {arrays[i].w, arrays[i].b};
  }
  return result;
}

// What the network runs on; a test gives it the plain loops.
template <typename T>
struct DgcnnKernels {
  const FactorKernels<T>* dense = &factor_kernels<T>();
  const GraphKernels<T>* graph = &graph_kernels<T>();
};

}  // namespace disenlink::detail
