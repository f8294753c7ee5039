// From some pairs' subgraphs to V, what the dense layers of SEAL's network read, and back; formulas
// and shapes are in seal.cpp.
#pragma once

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <span>
#include <vector>

#include "disenlink/features.h"
#include "kernels/buffer.h"
#include "models/baselines/seal_layers.h"
#include "models/baselines/seal_subgraph.h"

namespace disenlink::detail {

// Where subgraphs come from.
struct SubgraphSource {
  const Adjacency* graph = nullptr;
  const Features* features = nullptr;  // null = labels only
  SubgraphOptions options;
};

// Its memory, O(rows of the subgraphs), is kept from one call to the next. On the calling thread.
template <typename T>
class SubgraphPass {
 public:
  // read: (pairs, read_width) receives V. The arguments are needed again by backward(), weights as
  // they are.
  void forward(const SubgraphSource& source, std::span<const NodePair> pairs,
               const DgcnnShape& shape, const DgcnnArrays<const T>& weights,
               const DgcnnKernels<T>& kernels, T* read);

  // slopes: gradient by what the ReLU of V was given, in the shape of V. Overwrites the gradients
  // of all layers before the dense ones.
  void backward(const T* slopes, const DgcnnArrays<T>& gradients);

 private:
  // Of a graph convolution.
  int64_t width(size_t layer) const { return layer == kGraph4 ? 1 : shape_.hidden; }
  T* columns(Buffer<T>& of_rows, size_t layer) {
    return of_rows.data() + static_cast<int64_t>(layer) * shape_.hidden;
  }

  void project_input();
  void convolve(size_t layer);
  void order_rows();
  void halve_rows();
  void read_windows(T* read) const;

  void windows_backward(const T* slopes, const LayerArrays<T>& gradients);
  void halve_backward(T* bias_gradient);
  void rows_backward(const LayerArrays<T>& gradients);
  void convolve_backward(size_t layer, const LayerArrays<T>& gradients);
  void input_backward(T* w_gradient) const;

  // Calls use(column, value) for what a row of H0 has beside zeros.
  template <typename Use>
  void for_each_value(int64_t row, Use&& use) const;

  // Row `place` of a graph in the pooled order, of some array (rows, row channels), or `missing`.
  template <typename Value>
  Value* pooled_row(Value* array, int64_t graph, int64_t place, Value* missing) const {
    const int32_t row = order_[graph * shape_.bounds.pooled_rows + place];
    return row < 0 ? missing : array + row * DgcnnShape::kRowChannels;
  }

  DgcnnShape shape_;
  DgcnnArrays<const T> weights_;
  DgcnnKernels<T> kernels_;
  const Features* features_ = nullptr;
  SubgraphBatch batch_;
  int64_t row_step_ = 0;      // of h_ and h_slopes_
  Buffer<T> h_, h_slopes_;    // (rows, row_step) H1 | H2 | H3 | H4
  Buffer<T> keys_;            // (rows) H4
  Buffer<T> product_, sums_;  // (rows, hidden)
  std::vector<uint64_t> sorted_;
  hwy::Sorter sorter_;
  std::vector<int32_t> order_;  // (graphs, pooled rows) the rows by H4, -1 where there are no more
  Buffer<T> read_rows_, read_slopes_;  // (rows, row channels) H w + b, in the order of the rows
  Buffer<T> halved_, halved_slopes_;   // (graphs, halved rows, row channels) M
  Buffer<T> window_slopes_;            // (windows, window width) of one graph
};

}  // namespace disenlink::detail
