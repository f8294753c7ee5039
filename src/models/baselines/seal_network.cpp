#include "models/baselines/seal_network.h"

#include <algorithm>
#include <cmath>

#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kUnits = DgcnnShape::kDenseUnits;
constexpr int64_t kOutputs = 2;

template <typename T>
void add(T* to, const T* from, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    to[i] += from[i];
  }
}

// sums += the sum over the rows of values; or = it.
template <typename T>
void sum_columns(const FactorKernels<T>& kernels, int64_t rows, int64_t columns, const T* values,
                 bool is_first, T* sums) {
  T own[kUnits];
  kernels.column_sums(rows, columns, values, own);
  if (is_first) {
    std::copy_n(own, columns, sums);
  } else {
    add(sums, own, columns);
  }
}

}  // namespace

template <typename T>
double Dgcnn<T>::learn(const SubgraphSource& source, const WeighedPairs<T>& pairs,
                       const DgcnnArrays<const T>& weights, const DgcnnArrays<T>& gradients) {
  double loss = 0;
  for (size_t first = 0; first < pairs.pairs.size(); first += kPairsTogether) {
    const size_t count = std::min<size_t>(kPairsTogether, pairs.pairs.size() - first);
    loss += learn_together(source,
                           {.pairs = pairs.pairs.subspan(first, count),
                            .signs = pairs.signs.subspan(first, count),
                            .weights = pairs.weights.subspan(first, count),
                            .dropout = pairs.dropout + first * kUnits},
                           weights, gradients, first == 0);
  }
  return loss;
}

template <typename T>
double Dgcnn<T>::learn_together(const SubgraphSource& source, const WeighedPairs<T>& pairs,
                                const DgcnnArrays<const T>& weights,
                                const DgcnnArrays<T>& gradients, bool is_first) {
  const auto count = static_cast<int64_t>(pairs.pairs.size());
  const int64_t num_parts = (count + kPairsPerPart - 1) / kPairsPerPart;
  parts_.resize(std::max<size_t>(parts_.size(), num_parts));
  head_.read.resize(count * shape_.read_width());
  parallel_blocks(count, kPairsPerPart, [&](int64_t begin, int64_t end) {
    parts_[begin / kPairsPerPart].pass.forward(source, pairs.pairs.subspan(begin, end - begin),
                                               shape_, weights, kernels_,
                                               head_.read.data() + begin * shape_.read_width());
  });
  classify(count, weights, pairs.dropout, head_);
  const double loss = loss_of(pairs);
  classify_backward(count, weights, pairs.dropout, gradients, is_first);
  parallel_blocks(count, kPairsPerPart, [&](int64_t begin, int64_t /*end*/) {
    Part& part = parts_[begin / kPairsPerPart];
    prepare(part);
    part.pass.backward(head_.read.data() + begin * shape_.read_width(), part.gradients);
  });
  for (int64_t part = 0; part < num_parts; ++part) {
    add_part(parts_[part], gradients, is_first && part == 0);
  }
  return loss;
}

template <typename T>
void Dgcnn<T>::classify(int64_t pairs, const DgcnnArrays<const T>& weights, const T* dropout,
                        Head& head) const {
  constexpr int64_t kColumns = 32;
  head.dense.resize(pairs * kUnits);
  head.out.resize(pairs * kOutputs);
  parallel_blocks(kUnits, kColumns, [&](int64_t begin, int64_t end) {
    kernels_.dense->multiply({.m = pairs,
                              .n = end - begin,
                              .k = shape_.read_width(),
                              .a = {head.read.data(), shape_.read_width()},
                              .b = {weights[kDense].w + begin, kUnits},
                              .c = head.dense.data() + begin,
                              .c_step = kUnits,
                              .bias = weights[kDense].b + begin,
                              .relu = true});
  });
  for (int64_t i = 0; dropout != nullptr && i < pairs * kUnits; ++i) {
    head.dense[i] *= dropout[i];
  }
  kernels_.dense->multiply({.m = pairs,
                            .n = kOutputs,
                            .k = kUnits,
                            .a = {head.dense.data(), kUnits},
                            .b = {weights[kOut].w, kOutputs},
                            .c = head.out.data(),
                            .c_step = kOutputs,
                            .bias = weights[kOut].b});
}

template <typename T>
double Dgcnn<T>::loss_of(const WeighedPairs<T>& pairs) {
  head_.out_slopes.resize(pairs.pairs.size() * kOutputs);
  double loss = 0;
  for (size_t i = 0; i < pairs.pairs.size(); ++i) {
    const T x = pairs.signs[i] * (head_.out[2 * i + 1] - head_.out[2 * i]);
    const T small = std::exp(-std::abs(x));
    loss += static_cast<double>(pairs.weights[i] * (std::max(x, T{0}) + std::log1p(small)));
    const T probability = (x > 0 ? T{1} : small) / (1 + small);
    const T slope = pairs.weights[i] * pairs.signs[i] * probability;
    head_.out_slopes[2 * i] = -slope;
    head_.out_slopes[2 * i + 1] = slope;
  }
  return loss;
}

template <typename T>
void Dgcnn<T>::classify_backward(int64_t pairs, const DgcnnArrays<const T>& weights,
                                 const T* dropout, const DgcnnArrays<T>& gradients, bool is_first) {
  constexpr int64_t kReadPerBlock = 256;
  const int64_t width = shape_.read_width();
  kernels_.dense->multiply({.m = kUnits,
                            .n = kOutputs,
                            .k = pairs,
                            .a = {head_.dense.data(), 1, kUnits},
                            .b = {head_.out_slopes.data(), kOutputs},
                            .c = gradients[kOut].w,
                            .c_step = kOutputs,
                            .add_to_c = !is_first});
  sum_columns(*kernels_.dense, pairs, kOutputs, head_.out_slopes.data(), is_first,
              gradients[kOut].b);
  head_.dense_slopes.assign(head_.dense.begin(), head_.dense.end());
  kernels_.dense->multiply({.m = pairs,
                            .n = kUnits,
                            .k = kOutputs,
                            .a = {head_.out_slopes.data(), kOutputs},
                            .b = {weights[kOut].w, 1, kOutputs},
                            .c = head_.dense_slopes.data(),
                            .c_step = kUnits,
                            .only_positive_c = true});
  for (int64_t i = 0; i < pairs * kUnits; ++i) {
    head_.dense_slopes[i] *= dropout[i];
  }
  sum_columns(*kernels_.dense, pairs, kUnits, head_.dense_slopes.data(), is_first,
              gradients[kDense].b);
  parallel_blocks(width, kReadPerBlock, [&](int64_t begin, int64_t end) {
    kernels_.dense->multiply({.m = end - begin,
                              .n = kUnits,
                              .k = pairs,
                              .a = {head_.read.data() + begin, 1, width},
                              .b = {head_.dense_slopes.data(), kUnits},
                              .c = gradients[kDense].w + begin * kUnits,
                              .c_step = kUnits,
                              .add_to_c = !is_first});
    // V is not needed any more: its slopes take its place.
    kernels_.dense->multiply({.m = pairs,
                              .n = end - begin,
                              .k = kUnits,
                              .a = {head_.dense_slopes.data(), kUnits},
                              .b = {weights[kDense].w + begin * kUnits, 1, kUnits},
                              .c = head_.read.data() + begin,
                              .c_step = width,
                              .only_positive_c = true});
  });
}

template <typename T>
void Dgcnn<T>::prepare(Part& part) const {
  const auto layers = shape_.layers();
  int64_t size = 0;
  for (size_t i = 0; i < kDense; ++i) {
    size += (layers[i].from + 1) * layers[i].to;
  }
  part.values.resize(size);
  T* next = part.values.data();
  for (size_t i = 0; i < kDense; ++i) {
    part.gradients[i] = {next, next + layers[i].from * layers[i].to};
    next += (layers[i].from + 1) * layers[i].to;
  }
}

template <typename T>
void Dgcnn<T>::add_part(Part& part, const DgcnnArrays<T>& gradients, bool is_first) const {
  const auto layers = shape_.layers();
  for (size_t i = 0; i < kDense; ++i) {
    const int64_t size = layers[i].from * layers[i].to;
    if (is_first) {
      std::copy_n(part.gradients[i].w, size, gradients[i].w);
      std::copy_n(part.gradients[i].b, layers[i].to, gradients[i].b);
    } else {
      add(gradients[i].w, part.gradients[i].w, size);
      add(gradients[i].b, part.gradients[i].b, layers[i].to);
    }
  }
}

template <typename T>
void Dgcnn<T>::score(const SubgraphSource& source, std::span<const NodePair> pairs,
                     const DgcnnArrays<const T>& weights, std::span<T> logits) const {
  const auto count = static_cast<int64_t>(pairs.size());
  parallel_blocks(count, kPairsTogether, [&](int64_t begin, int64_t end) {
    static thread_local SubgraphPass<T> pass;
    static thread_local Head head_of_thread;
    Head& head = head_of_thread;
    head.read.resize((end - begin) * shape_.read_width());
    for (int64_t first = begin; first < end; first += kPairsPerPart) {
      const int64_t last = std::min(end, first + kPairsPerPart);
      pass.forward(source, pairs.subspan(first, last - first), shape_, weights, kernels_,
                   head.read.data() + (first - begin) * shape_.read_width());
    }
    classify(end - begin, weights, nullptr, head);
    for (int64_t i = begin; i < end; ++i) {
      logits[i] = head.out[2 * (i - begin) + 1] - head.out[2 * (i - begin)];
    }
  });
}

template class Dgcnn<float>;
template class Dgcnn<double>;

}  // namespace disenlink::detail
