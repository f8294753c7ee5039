// DisenLink's forward and backward pass on edges and pairs.
//
//   z[n,k] = relu(x[n] w1[k] + b1[k]) w2[k] + b2[k]           two layers for each factor k
//   q[e,k] = z[s,k].z[t,k] / temperature                      for each edge e = (s, t)
//   alpha  = softmax over k of q,  p[e] = argmax              importance and selection
//   h[n,k] = beta z[n,k] + (1 - beta) mean of z[t,k] over neighbours t selected on k
//   logit(u, v) = sum over k of exp(q[u,v,k]) h[u,k].h[v,k]
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "disenlink/features.h"
#include "disenlink/graph.h"
#include "disenlink/random.h"
#include "kernels/buffer.h"
#include "kernels/factor_kernels.h"
#include "kernels/projection.h"
#include "kernels/sorted_pairs.h"

namespace disenlink::detail {

struct NetworkOptions {
  int64_t factors = 4;
  int64_t width = 16;
  int64_t hidden = 128;
  bool standardise = false;
  PairLoss loss = PairLoss::kCrossEntropy;
  bool divide_negatives =
      false;  // the mean loss over negatives is divided by their number per link
  FactorForm form;
};

// Four arrays, by the names of the checkpoint.
template <typename T>
struct NetworkParameters {
  Buffer<T> w1;  // (features, factors * hidden)
  Buffer<T> b1;  // (factors * hidden)
  Buffer<T> w2;  // (factors, hidden, width)
  Buffer<T> b2;  // (factors, width)

  void resize(int64_t features, const NetworkOptions& options);
};

struct LossReport {
  double loss = 0;
  int64_t clipped = 0;  // exponents that met the bound
};

template <typename T>
class Network {
 public:
  // The graph must outlive the network; so must kernels other than the best for this processor.
  Network(const Adjacency& message_graph, const Features& features, NetworkOptions options,
          const FactorKernels<T>& kernels = factor_kernels<T>());

  NetworkParameters<T>& parameters() { return parameters_; }
  NetworkParameters<T>& gradients() { return gradients_; }
  const NetworkOptions& options() const { return options_; }
  const FactorShape& shape() const { return shape_; }
  const EdgeIndex& edges() const { return edges_; }

  // Glorot: weights by fan in and fan out, biases zero; else all by +-1 / sqrt(fan in).
  void initialise(bool glorot, Random& random);

  // z, importances and h of the current parameters.
  void forward();

  // Loss of the pairs and its gradients; needs forward() of the same parameters before.
  LossReport backward(std::span<const NodePair> positives, std::span<const NodePair> negatives);

  // contributions: empty, or (pairs, factors): they add up to the logit.
  void scores(std::span<const NodePair> pairs, std::span<T> logits,
              std::span<T> contributions = {}) const;

  // Softmax over factors of a pair's agreement, linked or not.
  std::vector<double> pair_importance(NodePair pair) const;

  // Every head with every tail, (heads, tails), by matrix products.
  void block_scores(int64_t first_head, int64_t last_head, int64_t first_tail, int64_t last_tail,
                    T* logits) const;

  // The hidden layer of one node on one factor, (hidden), computed anew: training reuses its
  // memory.
  std::vector<T> hidden_of(NodeId node, int64_t factor) const;

  const InputMatrix<T>& input() const { return input_; }
  const NetworkParameters<T>& parameters() const { return parameters_; }
  std::span<const T> z() const { return z_; }
  std::span<const T> h() const { return h_; }
  std::span<const T> importance() const { return importance_; }
  std::span<const int32_t> selected() const { return selected_; }
  std::span<const T> totals() const { return totals_; }

  // Allocates what only training needs; harmless when repeated.
  void reserve_training();

 private:
  void clear_gradients();
  LossReport pairs_backward(std::span<const NodePair> positives,
                            std::span<const NodePair> negatives, double link_weight,
                            double other_weight);
  NodeGradients<T> node_gradients() {
    return {z_gradient_.data(), h_gradient_.data(), totals_gradient_.data(), edge_gradient_.data()};
  }
  EdgeFactors<T> edge_factors() { return {importance_.data(), selected_.data()}; }
  Messages<T> messages() { return {sums_.data(), totals_.data(), h_.data()}; }

  NetworkOptions options_;
  FactorShape shape_;
  EdgeIndex edges_;
  InputMatrix<T> input_;
  const FactorKernels<T>& kernels_;
  NetworkParameters<T> parameters_;
  NetworkParameters<T> gradients_;

  Buffer<T> hidden_;               // (nodes, factors, hidden)
  Buffer<T> z_, h_, sums_;         // (nodes, factors, width)
  Buffer<T> totals_;               // (nodes, factors)
  Buffer<T> importance_;           // (edges, factors)
  std::vector<int32_t> selected_;  // (edges)

  SortedPairs pairs_;
  Buffer<T> z_gradient_, h_gradient_;     // (nodes, factors, width)
  Buffer<T> totals_gradient_;             // (nodes, factors)
  Buffer<T> edge_gradient_, q_gradient_;  // (edges, factors)
  Buffer<T> coefficients_, own_slopes_;   // of the pairs
  std::vector<double> node_loss_;         // (nodes)
  std::vector<int64_t> clipped_;          // (nodes)
};

}  // namespace disenlink::detail
