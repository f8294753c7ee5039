#include "models/baselines/seal_pass.h"

#include <bit>
#include <cmath>
#include <limits>

namespace disenlink::detail {
namespace {

constexpr int64_t kChannels = DgcnnShape::kRowChannels;

template <typename T>
void add_scaled(T* to, const T* from, T scale, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    to[i] += scale * from[i];
  }
}

// A number that is smaller for a larger key; what is not a number is the largest.
uint32_t descending(double key) {
  const auto value = std::isnan(key) ? -std::numeric_limits<float>::infinity()
                                     : static_cast<float>(key) + 0.0F;  // -0 becomes 0
  const auto bits = std::bit_cast<uint32_t>(value);
  constexpr uint32_t kSign = uint32_t{1} << 31;
  return (bits & kSign) != 0 ? bits : ~bits & ~kSign;
}

}  // namespace

template <typename T>
void SubgraphPass<T>::forward(const SubgraphSource& source, std::span<const NodePair> pairs,
                              const DgcnnShape& shape, const DgcnnArrays<const T>& weights,
                              const DgcnnKernels<T>& kernels, T* read) {
  constexpr int64_t kValuesPerLine = 64 / sizeof(T);
  shape_ = shape;
  weights_ = weights;
  kernels_ = kernels;
  features_ = source.features;
  batch_.clear();
  append_subgraphs(*source.graph, pairs, source.options, batch_);
  row_step_ = (shape.row_width() + kValuesPerLine - 1) / kValuesPerLine * kValuesPerLine;
  const int64_t rows = batch_.num_rows();
  h_.resize(rows * row_step_);
  keys_.resize(rows);
  product_.resize(rows * shape.hidden);
  for (size_t layer = kGraph1; layer <= kGraph4; ++layer) {
    convolve(layer);
  }
  read_rows_.resize(rows * kChannels);
  kernels.dense->multiply({.m = rows,
                           .n = kChannels,
                           .k = shape.row_width(),
                           .a = {h_.data(), row_step_},
                           .b = {weights[kRows].w, kChannels},
                           .c = read_rows_.data(),
                           .c_step = kChannels,
                           .bias = weights[kRows].b});
  order_rows();
  halve_rows();
  read_windows(read);
}

template <typename T>
template <typename Use>
void SubgraphPass<T>::for_each_value(int64_t row, Use&& use) const {
  const int64_t largest_label = shape_.bounds.largest_label;
  use(std::min<int64_t>(batch_.labels[row], largest_label), T{1});
  if (features_ == nullptr) {
    return;
  }
  const int64_t first = largest_label + 1;
  const NodeId node = batch_.nodes[row];
  if (features_->is_sparse()) {
    const SparseRow values = features_->sparse_row(node);
    for (size_t i = 0; i < values.columns.size(); ++i) {
      use(first + values.columns[i], static_cast<T>(values.values[i]));
    }
  } else {
    const auto values = features_->dense_row(node);
    for (size_t i = 0; i < values.size(); ++i) {
      use(first + static_cast<int64_t>(i), static_cast<T>(values[i]));
    }
  }
}

// H0 w; H0 itself is never made.
template <typename T>
void SubgraphPass<T>::project_input() {
  const int64_t hidden = shape_.hidden;
  std::fill(product_.begin(), product_.end(), T{0});
  for (int64_t row = 0; row < batch_.num_rows(); ++row) {
    for_each_value(row, [&](int64_t column, T value) {
      add_scaled(product_.data() + row * hidden, weights_[kGraph1].w + column * hidden, value,
                 hidden);
    });
  }
}

template <typename T>
void SubgraphPass<T>::convolve(size_t layer) {
  if (layer == kGraph1) {
    project_input();
  } else {
    kernels_.dense->multiply({.m = batch_.num_rows(),
                              .n = width(layer),
                              .k = shape_.hidden,
                              .a = {columns(h_, layer - 1), row_step_},
                              .b = {weights_[layer].w, width(layer)},
                              .c = product_.data(),
                              .c_step = width(layer)});
  }
  const bool is_last = layer == kGraph4;
  kernels_.graph->mean_tanh(batch_.neighbors, width(layer), product_.data(), weights_[layer].b,
                            is_last ? keys_.data() : columns(h_, layer), is_last ? 1 : row_step_);
  if (is_last) {
    for (int64_t row = 0; row < batch_.num_rows(); ++row) {
      columns(h_, layer)[row * row_step_] = keys_[row];
    }
  }
}

// The rows that sort pooling keeps of each graph. Equal keys stay in the order of the rows; what is
// not a number comes last.
template <typename T>
void SubgraphPass<T>::order_rows() {
  const int64_t count = shape_.bounds.pooled_rows;
  order_.assign(batch_.num_graphs() * count, -1);
  for (int64_t graph = 0; graph < batch_.num_graphs(); ++graph) {
    sorted_.clear();
    for (int64_t row = batch_.offsets[graph]; row < batch_.offsets[graph + 1]; ++row) {
      sorted_.push_back(static_cast<uint64_t>(descending(keys_[row])) << 32 |
                        static_cast<uint64_t>(row));
    }
    sorter_(sorted_.data(), sorted_.size(), hwy::SortAscending());
    const auto taken = std::min<int64_t>(count, static_cast<int64_t>(sorted_.size()));
    std::transform(sorted_.begin(), sorted_.begin() + taken, order_.begin() + graph * count,
                   [](uint64_t key) { return static_cast<int32_t>(key & 0xFFFFFFFF); });
  }
}

// M; a row that a graph does not have is the bias.
template <typename T>
void SubgraphPass<T>::halve_rows() {
  const int64_t half = shape_.halved_rows();
  halved_.resize(batch_.num_graphs() * half * kChannels);
  const T* const rows = read_rows_.data();
  for (int64_t graph = 0; graph < batch_.num_graphs(); ++graph) {
    for (int64_t place = 0; place < half; ++place) {
      const T* const a = pooled_row(rows, graph, 2 * place, weights_[kRows].b);
      const T* const b = pooled_row(rows, graph, 2 * place + 1, weights_[kRows].b);
      T* const out = halved_.data() + (graph * half + place) * kChannels;
      for (int64_t i = 0; i < kChannels; ++i) {
        const T larger = a[i] < b[i] ? b[i] : a[i];
        out[i] = larger > 0 ? larger : T{0};
      }
    }
  }
}

// Rows of M lie one behind the other, so a window is a stretch of memory.
template <typename T>
void SubgraphPass<T>::read_windows(T* read) const {
  for (int64_t graph = 0; graph < batch_.num_graphs(); ++graph) {
    kernels_.dense->multiply(
        {.m = shape_.windows(),
         .n = DgcnnShape::kWindowChannels,
         .k = DgcnnShape::kWindowWidth,
         .a = {halved_.data() + graph * shape_.halved_rows() * kChannels, kChannels},
         .b = {weights_[kWindows].w, DgcnnShape::kWindowChannels},
         .c = read + graph * shape_.read_width(),
         .c_step = DgcnnShape::kWindowChannels,
         .bias = weights_[kWindows].b,
         .relu = true});
  }
}

template <typename T>
void SubgraphPass<T>::backward(const T* slopes, const DgcnnArrays<T>& gradients) {
  windows_backward(slopes, gradients[kWindows]);
  rows_backward(gradients[kRows]);
  sums_.resize(batch_.num_rows() * shape_.hidden);
  for (size_t layer = kGraph4 + 1; layer-- > kGraph1;) {
    convolve_backward(layer, gradients[layer]);
  }
}

template <typename T>
void SubgraphPass<T>::windows_backward(const T* slopes, const LayerArrays<T>& gradients) {
  const int64_t windows = shape_.windows();
  const int64_t half_size = shape_.halved_rows() * kChannels;
  constexpr int64_t kWidth = DgcnnShape::kWindowWidth;
  constexpr int64_t kOutputs = DgcnnShape::kWindowChannels;
  window_slopes_.resize(windows * kWidth);
  halved_slopes_.assign(halved_.size(), T{0});
  for (int64_t graph = 0; graph < batch_.num_graphs(); ++graph) {
    const T* const slope = slopes + graph * shape_.read_width();
    kernels_.dense->multiply({.m = kWidth,
                              .n = kOutputs,
                              .k = windows,
                              .a = {halved_.data() + graph * half_size, 1, kChannels},
                              .b = {slope, kOutputs},
                              .c = gradients.w,
                              .c_step = kOutputs,
                              .add_to_c = graph > 0});
    kernels_.dense->multiply({.m = windows,
                              .n = kWidth,
                              .k = kOutputs,
                              .a = {slope, kOutputs},
                              .b = {weights_[kWindows].w, 1, kOutputs},
                              .c = window_slopes_.data(),
                              .c_step = kWidth});
    for (int64_t window = 0; window < windows; ++window) {
      add_scaled(halved_slopes_.data() + graph * half_size + window * kChannels,
                 window_slopes_.data() + window * kWidth, T{1}, kWidth);
    }
  }
  kernels_.dense->column_sums(batch_.num_graphs() * windows, kOutputs, slopes, gradients.b);
}

// From the slopes of M to those of the rows it was made of; the larger row has all, the first of
// two equal ones. Adds those of missing rows to the bias's.
template <typename T>
void SubgraphPass<T>::halve_backward(T* bias_gradient) {
  const int64_t half = shape_.halved_rows();
  read_slopes_.assign(read_rows_.size(), T{0});
  T missing[2][kChannels] = {};
  for (int64_t graph = 0; graph < batch_.num_graphs(); ++graph) {
    for (int64_t place = 0; place < half; ++place) {
      const T* const a =
          pooled_row<const T>(read_rows_.data(), graph, 2 * place, weights_[kRows].b);
      const T* const b =
          pooled_row<const T>(read_rows_.data(), graph, 2 * place + 1, weights_[kRows].b);
      T* const to_a = pooled_row(read_slopes_.data(), graph, 2 * place, missing[0]);
      T* const to_b = pooled_row(read_slopes_.data(), graph, 2 * place + 1, missing[1]);
      const int64_t at = (graph * half + place) * kChannels;
      for (int64_t i = 0; i < kChannels; ++i) {
        const T slope = halved_[at + i] > 0 ? halved_slopes_[at + i] : T{0};
        to_a[i] = a[i] < b[i] ? T{0} : slope;
        to_b[i] = a[i] < b[i] ? slope : T{0};
      }
      for (const auto& [to, lost] : {std::pair(to_a, missing[0]), std::pair(to_b, missing[1])}) {
        if (to == lost) {
          add_scaled(bias_gradient, lost, T{1}, kChannels);
        }
      }
    }
  }
}

template <typename T>
void SubgraphPass<T>::rows_backward(const LayerArrays<T>& gradients) {
  const int64_t rows = batch_.num_rows();
  T of_missing_rows[kChannels] = {};
  halve_backward(of_missing_rows);
  kernels_.dense->column_sums(rows, kChannels, read_slopes_.data(), gradients.b);
  add_scaled(gradients.b, of_missing_rows, T{1}, kChannels);
  kernels_.dense->multiply({.m = shape_.row_width(),
                            .n = kChannels,
                            .k = rows,
                            .a = {h_.data(), 1, row_step_},
                            .b = {read_slopes_.data(), kChannels},
                            .c = gradients.w,
                            .c_step = kChannels});
  h_slopes_.resize(h_.size());
  kernels_.dense->multiply({.m = rows,
                            .n = shape_.row_width(),
                            .k = kChannels,
                            .a = {read_slopes_.data(), kChannels},
                            .b = {weights_[kRows].w, 1, kChannels},
                            .c = h_slopes_.data(),
                            .c_step = row_step_});
}

template <typename T>
void SubgraphPass<T>::convolve_backward(size_t layer, const LayerArrays<T>& gradients) {
  const int64_t rows = batch_.num_rows();
  kernels_.graph->mean_tanh_backward(batch_.neighbors, width(layer), columns(h_, layer),
                                     columns(h_slopes_, layer), row_step_, sums_.data());
  kernels_.dense->column_sums(rows, width(layer), sums_.data(), gradients.b);
  kernels_.graph->list_row_sums(batch_.neighbors, width(layer), sums_.data(), product_.data());
  if (layer == kGraph1) {
    input_backward(gradients.w);
    return;
  }
  kernels_.dense->multiply({.m = shape_.hidden,
                            .n = width(layer),
                            .k = rows,
                            .a = {columns(h_, layer - 1), 1, row_step_},
                            .b = {product_.data(), width(layer)},
                            .c = gradients.w,
                            .c_step = width(layer)});
  kernels_.dense->multiply({.m = rows,
                            .n = shape_.hidden,
                            .k = width(layer),
                            .a = {product_.data(), width(layer)},
                            .b = {weights_[layer].w, 1, width(layer)},
                            .c = columns(h_slopes_, layer - 1),
                            .c_step = row_step_,
                            .add_to_c = true});
}

template <typename T>
void SubgraphPass<T>::input_backward(T* w_gradient) const {
  const int64_t hidden = shape_.hidden;
  std::fill_n(w_gradient, shape_.layers()[kGraph1].from * hidden, T{0});
  for (int64_t row = 0; row < batch_.num_rows(); ++row) {
    for_each_value(row, [&](int64_t column, T value) {
      add_scaled(w_gradient + column * hidden, product_.data() + row * hidden, value, hidden);
    });
  }
}

template class SubgraphPass<float>;
template class SubgraphPass<double>;

}  // namespace disenlink::detail
