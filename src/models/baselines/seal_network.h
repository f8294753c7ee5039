// The network that SEAL classifies subgraphs with (DGCNN); formulas and shapes are in seal.cpp.
#pragma once

#include <torch/types.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "disenlink/features.h"
#include "disenlink/random.h"
#include "models/baselines/seal_subgraph.h"
#include "nn/parameter_set.h"

namespace disenlink::detail {

// What the network reads of some pairs; shared, since the backward pass reads it again.
struct SealInput : torch::CustomClassHolder {
  SealInput(SubgraphBatch batch, const Features* node_features, int64_t last_label)
      : subgraphs(std::move(batch)),
        features(node_features),
        largest_label(last_label),
        ones(torch::ones({subgraphs.neighbors.offsets.back()})),
        shares(torch::empty({subgraphs.num_rows(), 1})) {
    const auto& offsets = subgraphs.neighbors.offsets;
    for (int64_t row = 0; row < subgraphs.num_rows(); ++row) {
      shares.data_ptr<float>()[row] = 1.0F / static_cast<float>(offsets[row + 1] - offsets[row]);
    }
  }

  // Calls use(column, value) for what a row of H0 has beside zeros.
  template <typename Use>
  void for_each_value(int64_t row, Use&& use) const {
    use(std::min<int64_t>(subgraphs.labels[row], largest_label), 1.0F);
    if (features == nullptr) {
      return;
    }
    const int64_t first = largest_label + 1;
    const NodeId node = subgraphs.nodes[row];
    if (features->is_sparse()) {
      const SparseRow values = features->sparse_row(node);
      for (size_t i = 0; i < values.columns.size(); ++i) {
        use(first + values.columns[i], values.values[i]);
      }
    } else {
      const auto values = features->dense_row(node);
      for (size_t i = 0; i < values.size(); ++i) {
        use(first + static_cast<int64_t>(i), values[i]);
      }
    }
  }

  SubgraphBatch subgraphs;
  const Features* features;  // null = labels only
  int64_t largest_label;
  torch::Tensor ones;    // (edges)
  torch::Tensor shares;  // (rows, 1) the diagonal of D^-1
};

using SharedInput = c10::intrusive_ptr<SealInput>;

class Dgcnn {
 public:
  static constexpr int64_t kDenseUnits = 128;

  Dgcnn() = default;
  Dgcnn(ParameterSet& parameters, const SubgraphBounds& bounds, int64_t num_features,
        int64_t hidden, Random& random);

  // One a pair. dropout: (pairs, dense units) in training, undefined in scoring.
  torch::Tensor logits(const SharedInput& input, const torch::Tensor& dropout) const;

  const SubgraphBounds& bounds() const { return bounds_; }
  const std::vector<torch::Tensor>& weights() const { return weights_; }

 private:
  struct Layer {
    torch::Tensor w, b;
  };

  Layer add(ParameterSet& parameters, const std::string& name, int64_t from, int64_t to);
  // Graph convolutions and sort pooling: (pairs * k, 3 hidden + 1).
  torch::Tensor pool(const SharedInput& input) const;
  // The convolutions along the sorted rows: (pairs, windows * channels).
  torch::Tensor read_rows(const torch::Tensor& rows) const;

  SubgraphBounds bounds_;
  std::array<Layer, 4> graph_;
  Layer rows_, windows_, dense_, out_;
  std::vector<torch::Tensor> weights_;
};

}  // namespace disenlink::detail
