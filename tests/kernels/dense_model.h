// The paper's formulas on full N x N matrices, slow and plain on purpose, for any number type: with
// Dual numbers they give exact derivatives.
#pragma once

#include <cmath>
#include <vector>

#include "disenlink/random.h"
#include "models/disenlink/network.h"

namespace disenlink::detail {

// A value and its derivative by one chosen parameter.
struct Dual {
  // NOLINTNEXTLINE(google-explicit-constructor): formulas mix it with plain numbers
  Dual(double v = 0, double d = 0) : value(v), derivative(d) {}
  double value;
  double derivative;

  Dual operator-() const { return {-value, -derivative}; }
  Dual& operator+=(Dual b) {
    value += b.value;
    derivative += b.derivative;
    return *this;
  }
};

inline Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.derivative + b.derivative}; }
inline Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.derivative - b.derivative}; }
inline Dual operator*(Dual a, Dual b) {
  return {a.value * b.value, a.derivative * b.value + a.value * b.derivative};
}
inline Dual operator/(Dual a, Dual b) {
  const double ratio = a.value / b.value;
  return {ratio, (a.derivative - ratio * b.derivative) / b.value};
}
inline bool operator>(Dual a, Dual b) { return a.value > b.value; }
inline bool operator==(Dual a, Dual b) { return a.value == b.value; }
inline Dual exp(Dual a) { return {std::exp(a.value), std::exp(a.value) * a.derivative}; }
inline Dual log(Dual a) { return {std::log(a.value), a.derivative / a.value}; }

template <typename Number>
struct DenseParameters {
  template <typename T>
  explicit DenseParameters(const NetworkParameters<T>& p)
      : w1(p.w1.begin(), p.w1.end()),
        b1(p.b1.begin(), p.b1.end()),
        w2(p.w2.begin(), p.w2.end()),
        b2(p.b2.begin(), p.b2.end()) {}

  std::vector<Number> w1, b1, w2, b2;
};

constexpr int kNodes = 12;
constexpr int kFeatures = 9;

inline Features make_features(bool sparse, Random& random) {
  std::vector<float> values(kNodes * kFeatures);
  for (float& value : values) {
    value = random.below(3) == 0 ? static_cast<float>(random.normal()) : 0.0F;
  }
  if (!sparse) {
    return Features::dense(kNodes, kFeatures, values);
  }
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;
  std::vector<float> kept;
  for (int row = 0; row < kNodes; ++row) {
    for (int column = 0; column < kFeatures; ++column) {
      if (values[row * kFeatures + column] != 0) {
        columns.push_back(column);
        kept.push_back(values[row * kFeatures + column]);
      }
    }
    offsets.push_back(static_cast<int64_t>(columns.size()));
  }
  return Features::sparse(kFeatures, offsets, columns, kept);
}

inline float feature(const Features& features, int row, int column) {
  if (!features.is_sparse()) {
    return features.dense_row(row)[column];
  }
  const SparseRow entries = features.sparse_row(row);
  for (size_t i = 0; i < entries.columns.size(); ++i) {
    if (entries.columns[i] == column) {
      return entries.values[i];
    }
  }
  return 0;
}

// The paper, word by word, on full matrices. Slow and plain on purpose.
template <typename Number>
class DenseModel {
 public:
  DenseModel(const Adjacency& graph, const Features& features, const NetworkOptions& options)
      : options_(options), linked_(kNodes * kNodes) {
    for (int s = 0; s < kNodes; ++s) {
      for (const NodeId t : graph.neighbors(s)) {
        linked_[s * kNodes + t] = true;
      }
    }
    for (int row = 0; row < kNodes; ++row) {
      double mean = 0;
      double deviation = 1;
      if (options.standardise) {
        mean = 0;
        for (int i = 0; i < kFeatures; ++i) {
          mean += feature(features, row, i) / double(kFeatures);
        }
        double squares = 0;
        for (int i = 0; i < kFeatures; ++i) {
          squares += std::pow(feature(features, row, i) - mean, 2);
        }
        deviation = std::sqrt(squares / (kFeatures - 1));
        if (squares < 1e-12) {
          mean = 0;
          deviation = 1;
        }
      }
      for (int i = 0; i < kFeatures; ++i) {
        x_.push_back((feature(features, row, i) - mean) / deviation);
      }
    }
  }

  Number loss(const DenseParameters<Number>& p, const std::vector<NodePair>& positives,
              const std::vector<NodePair>& negatives) {
    project(p);
    weigh();
    Number total = 0;
    for (const NodePair pair : positives) {
      total += pair_loss(logit(pair, true), 1) / double(positives.size());
    }
    for (const NodePair pair : negatives) {
      const double share =
          options_.divide_negatives ? double(positives.size()) / double(negatives.size()) : 1;
      total += share * pair_loss(logit(pair, false), 0) / double(negatives.size());
    }
    return total;
  }

 private:
  int factors() const { return int(options_.factors); }
  int width() const { return int(options_.width); }
  Number z(int node, int k, int i) const { return z_[(node * factors() + k) * width() + i]; }
  Number q(int s, int t, int k) const {
    Number sum = 0;
    for (int i = 0; i < width(); ++i) {
      sum += z(s, k, i) * z(t, k, i);
    }
    return sum / options_.form.temperature;
  }

  Number bounded(Number exponent) const {
    const double bound = options_.form.largest_exponent;
    return exponent > bound ? Number(bound) : exponent;
  }

  void project(const DenseParameters<Number>& p) {
    const int hidden = int(options_.hidden);
    z_.assign(kNodes * factors() * width(), Number(0));
    for (int n = 0; n < kNodes; ++n) {
      for (int k = 0; k < factors(); ++k) {
        for (int i = 0; i < width(); ++i) {
          z_[(n * factors() + k) * width() + i] = p.b2[k * width() + i];
        }
        for (int j = 0; j < hidden; ++j) {
          Number a = p.b1[k * hidden + j];
          for (int f = 0; f < kFeatures; ++f) {
            a += x_[n * kFeatures + f] * p.w1[(f * factors() + k) * hidden + j];
          }
          for (int i = 0; i < width() && a > 0; ++i) {
            z_[(n * factors() + k) * width() + i] += a * p.w2[(k * hidden + j) * width() + i];
          }
        }
      }
    }
  }

  // weight_[s,t,k]: what the neighbour t counts for s on factor k, not yet divided.
  void weigh() {
    weight_.assign(kNodes * kNodes * factors(), Number(0));
    for (int s = 0; s < kNodes; ++s) {
      for (int t = 0; t < kNodes; ++t) {
        if (!linked_[s * kNodes + t]) {
          continue;
        }
        Number sum = 0;
        int best = 0;
        for (int k = 0; k < factors(); ++k) {
          sum += exp(q(s, t, k));
          best = q(s, t, k) > q(s, t, best) ? k : best;
        }
        for (int k = 0; k < factors(); ++k) {
          if (k == best || !options_.form.select) {
            weight_[(s * kNodes + t) * factors() + k] =
                options_.form.importance ? exp(q(s, t, k)) / sum : Number(1);
          }
        }
      }
    }
  }

  Number weight(int s, int t, int k) const { return weight_[(s * kNodes + t) * factors() + k]; }

  // h of a node on a factor, without the message of `left_out` if it is not negative.
  std::vector<Number> h(int s, int k, int left_out) const {
    const bool by_sender = options_.form.by_sender;
    Number receiver_total = 0;
    for (int t = 0; t < kNodes; ++t) {
      receiver_total += t == left_out ? Number(0) : weight(s, t, k);
    }
    std::vector<Number> result(width());
    for (int i = 0; i < width(); ++i) {
      result[i] = options_.form.beta * z(s, k, i);
    }
    for (int t = 0; t < kNodes; ++t) {
      if (t == left_out || weight(s, t, k) == 0) {
        continue;
      }
      Number divisor = receiver_total;
      if (by_sender) {
        divisor = 0;
        for (int r = 0; r < kNodes; ++r) {
          divisor += weight(t, r, k);
        }
      }
      const Number share = (1 - options_.form.beta) * weight(s, t, k) / divisor;
      for (int i = 0; i < width(); ++i) {
        result[i] += share * z(t, k, i);
      }
    }
    return result;
  }

  Number logit(NodePair pair, bool is_positive) const {
    const int u = pair.source;
    const int v = pair.target;
    const bool take_out = is_positive && options_.form.leave_one_out && linked_[u * kNodes + v];
    Number sum = 0;
    for (int k = 0; k < factors(); ++k) {
      const auto a = h(u, k, take_out ? v : -1);
      const auto b = h(v, k, take_out ? u : -1);
      Number product = 0;
      for (int i = 0; i < width(); ++i) {
        product += a[i] * b[i];
      }
      const Number gamma = exp(bounded(q(u, v, k)));
      sum += (options_.form.weighted_score ? gamma : Number(1)) * product;
    }
    return sum;
  }

  Number pair_loss(Number logit, double target) const {
    if (options_.loss == PairLoss::kSquaredError) {
      const Number error = target == 1 ? 1 / (1 + exp(logit)) : 1 / (1 + exp(-logit));
      return error * error;
    }
    if (options_.loss == PairLoss::kClippedLog) {
      return 0 - log(1 / (1 + exp(target == 1 ? -logit : logit)) + 1e-15);
    }
    return log(1 + exp(target == 1 ? -logit : logit));
  }

  NetworkOptions options_;
  std::vector<char> linked_;
  std::vector<double> x_;
  std::vector<Number> z_, weight_;
};

}  // namespace disenlink::detail
