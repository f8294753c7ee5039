// The network that SEAL classifies subgraphs with (DGCNN); formulas and shapes are in seal.cpp.
//
// Subgraphs are small, so threads take different pairs instead of sharing the work on each array;
// only the dense layer, which has most of the weights, sees many pairs at once.
#pragma once

#include <span>
#include <vector>

#include "kernels/buffer.h"
#include "models/baselines/seal_layers.h"
#include "models/baselines/seal_pass.h"

namespace disenlink::detail {

// The pairs of a step and how each counts in the loss.
template <typename T>
struct WeighedPairs {
  std::span<const NodePair> pairs;
  std::span<const T> signs;  // of the logit in the loss: -1 for links
  std::span<const T> weights;
  const T* dropout = nullptr;  // (pairs, dense units)
};

template <typename T>
class Dgcnn {
 public:
  explicit Dgcnn(const DgcnnShape& shape = {}, const DgcnnKernels<T>& kernels = {})
      : shape_(shape), kernels_(kernels) {}

  const DgcnnShape& shape() const { return shape_; }

  // The loss: sum of weight * softplus(sign * logit). Overwrites the gradients.
  double learn(const SubgraphSource& source, const WeighedPairs<T>& pairs,
               const DgcnnArrays<const T>& weights, const DgcnnArrays<T>& gradients);

  // One logit a pair. Threads of its own.
  void score(const SubgraphSource& source, std::span<const NodePair> pairs,
             const DgcnnArrays<const T>& weights, std::span<T> logits) const;

 private:
  // Few enough for the arrays of a part to stay in the second-level cache.
  static constexpr int64_t kPairsPerPart = 13;
  // Bounds the memory of large batches, and has the usual batch in one.
  static constexpr int64_t kPairsTogether = 4 * kPairsPerPart;

  // Some pairs of a step, and the gradients that they give to the layers before the dense ones.
  struct Part {
    SubgraphPass<T> pass;
    Buffer<T> values;
    DgcnnArrays<T> gradients{};
  };

  // Of up to kPairsTogether pairs, with a part of the pairs in a row.
  struct Head {
    Buffer<T> read;                 // (pairs, read width) V, then its slopes
    Buffer<T> dense, dense_slopes;  // (pairs, dense units)
    Buffer<T> out, out_slopes;      // (pairs, 2)
  };

  double learn_together(const SubgraphSource& source, const WeighedPairs<T>& pairs,
                        const DgcnnArrays<const T>& weights, const DgcnnArrays<T>& gradients,
                        bool is_first);
  // From V to two values a pair. Dropout: null when scoring.
  void classify(int64_t pairs, const DgcnnArrays<const T>& weights, const T* dropout,
                Head& head) const;
  double loss_of(const WeighedPairs<T>& pairs);
  // From out_slopes back to V, adding to what the gradients hold unless they are the first.
  void classify_backward(int64_t pairs, const DgcnnArrays<const T>& weights, const T* dropout,
                         const DgcnnArrays<T>& gradients, bool is_first);
  void add_part(Part& part, const DgcnnArrays<T>& gradients, bool is_first) const;
  void prepare(Part& part) const;

  DgcnnShape shape_;
  DgcnnKernels<T> kernels_;
  std::vector<Part> parts_;
  Head head_;
};

}  // namespace disenlink::detail
