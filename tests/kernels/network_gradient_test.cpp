// The whole forward and backward pass, in double, against finite differences of a plain N x N
// implementation of the paper's formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "disenlink/random.h"
#include "models/disenlink/network.h"

namespace disenlink::detail {
namespace {

struct Case {
  const char* name;
  bool standardise = false;
  bool sparse = true;
  bool squared_error = false;
  FactorForm form = {};
};

constexpr int kNodes = 12;
constexpr int kFeatures = 9;

Features make_features(bool sparse, Random& random) {
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

float feature(const Features& features, int row, int column) {
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

  double loss(const NetworkParameters<double>& p, const std::vector<NodePair>& positives,
              const std::vector<NodePair>& negatives) {
    project(p);
    weigh();
    double total = 0;
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
  double z(int node, int k, int i) const { return z_[(node * factors() + k) * width() + i]; }
  double q(int s, int t, int k) const {
    double sum = 0;
    for (int i = 0; i < width(); ++i) {
      sum += z(s, k, i) * z(t, k, i);
    }
    return sum / options_.form.temperature;
  }

  void project(const NetworkParameters<double>& p) {
    const int hidden = int(options_.hidden);
    z_.assign(kNodes * factors() * width(), 0);
    for (int n = 0; n < kNodes; ++n) {
      for (int k = 0; k < factors(); ++k) {
        for (int i = 0; i < width(); ++i) {
          z_[(n * factors() + k) * width() + i] = p.b2[k * width() + i];
        }
        for (int j = 0; j < hidden; ++j) {
          double a = p.b1[k * hidden + j];
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
    weight_.assign(kNodes * kNodes * factors(), 0);
    for (int s = 0; s < kNodes; ++s) {
      for (int t = 0; t < kNodes; ++t) {
        if (!linked_[s * kNodes + t]) {
          continue;
        }
        double sum = 0;
        int best = 0;
        for (int k = 0; k < factors(); ++k) {
          sum += std::exp(q(s, t, k));
          best = q(s, t, k) > q(s, t, best) ? k : best;
        }
        for (int k = 0; k < factors(); ++k) {
          if (k == best || !options_.form.select) {
            weight_[(s * kNodes + t) * factors() + k] =
                options_.form.importance ? std::exp(q(s, t, k)) / sum : 1;
          }
        }
      }
    }
  }

  double weight(int s, int t, int k) const { return weight_[(s * kNodes + t) * factors() + k]; }

  // h of a node on a factor, without the message of `left_out` if it is not negative.
  std::vector<double> h(int s, int k, int left_out) const {
    const bool by_sender = options_.form.by_sender;
    double receiver_total = 0;
    for (int t = 0; t < kNodes; ++t) {
      receiver_total += t == left_out ? 0 : weight(s, t, k);
    }
    std::vector<double> result(width());
    for (int i = 0; i < width(); ++i) {
      result[i] = options_.form.beta * z(s, k, i);
      for (int t = 0; t < kNodes; ++t) {
        if (t == left_out || weight(s, t, k) == 0) {
          continue;
        }
        double divisor = receiver_total;
        if (by_sender) {
          divisor = 0;
          for (int r = 0; r < kNodes; ++r) {
            divisor += weight(t, r, k);
          }
        }
        result[i] += (1 - options_.form.beta) * weight(s, t, k) / divisor * z(t, k, i);
      }
    }
    return result;
  }

  double logit(NodePair pair, bool is_positive) const {
    const int u = pair.source;
    const int v = pair.target;
    const bool take_out = is_positive && options_.form.leave_one_out && linked_[u * kNodes + v];
    double sum = 0;
    for (int k = 0; k < factors(); ++k) {
      const auto a = h(u, k, take_out ? v : -1);
      const auto b = h(v, k, take_out ? u : -1);
      double product = 0;
      for (int i = 0; i < width(); ++i) {
        product += a[i] * b[i];
      }
      const double gamma = std::exp(std::min(options_.form.largest_exponent, q(u, v, k)));
      sum += (options_.form.weighted_score ? gamma : 1) * product;
    }
    return sum;
  }

  double pair_loss(double logit, double target) const {
    if (options_.squared_error) {
      return std::pow(1 / (1 + std::exp(-logit)) - target, 2);
    }
    return std::log1p(std::exp(target == 1 ? -logit : logit));
  }

  NetworkOptions options_;
  std::vector<char> linked_;
  std::vector<double> x_, z_, weight_;
};

class NetworkGradient : public ::testing::TestWithParam<Case> {};

TEST_P(NetworkGradient, EqualsDenseFormulas) {
  Random random(5);
  std::vector<NodePair> links;
  for (int i = 0; i < 26; ++i) {
    links.push_back({NodeId(random.below(kNodes - 1)), NodeId(random.below(kNodes - 1))});
  }  // the last node has no link
  const Adjacency graph = Adjacency::from_arcs(kNodes, links);
  const Features features = make_features(GetParam().sparse, random);
  NetworkOptions options;
  options.factors = 3;
  options.width = 5;
  options.hidden = 7;
  options.standardise = GetParam().standardise;
  options.squared_error = GetParam().squared_error;
  options.divide_negatives = GetParam().squared_error;
  options.form = GetParam().form;
  Network<double> network(graph, features, options);
  network.initialise(false, random);
  std::vector<NodePair> positives(links.begin(), links.begin() + 15);  // repeats and self loops too
  std::vector<NodePair> negatives;
  for (int i = 0; i < 40; ++i) {
    negatives.push_back({NodeId(random.below(kNodes)), NodeId(random.below(kNodes))});
  }
  network.forward();
  const LossReport report = network.backward(positives, negatives);
  DenseModel dense(graph, features, options);
  NetworkParameters<double> p = network.parameters();
  EXPECT_NEAR(report.loss, dense.loss(p, positives, negatives), 1e-10);

  const auto check = [&](Buffer<double>& values, const Buffer<double>& gradient) {
    for (size_t i = 0; i < values.size(); i += 3) {
      const double kept = values[i];
      const double step = 1e-5;
      values[i] = kept + step;
      const double above = dense.loss(p, positives, negatives);
      values[i] = kept - step;
      const double below = dense.loss(p, positives, negatives);
      values[i] = kept;
      const double expected = (above - below) / (2 * step);
      ASSERT_NEAR(gradient[i], expected, 1e-7 + 1e-5 * std::abs(expected)) << "index " << i;
    }
  };
  check(p.b2, network.gradients().b2);
  check(p.w2, network.gradients().w2);
  check(p.b1, network.gradients().b1);
  check(p.w1, network.gradients().w1);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const auto add = [&](const char* name, const std::function<void(Case&)>& change) {
    for (const bool leave_one_out : {false, true}) {
      for (const bool by_sender : {false, true}) {
        Case next{name};
        next.form.temperature = 0.7;
        next.form.leave_one_out = leave_one_out;
        next.form.by_sender = by_sender;
        change(next);
        cases.push_back(next);
      }
    }
  };
  add("full", [](Case&) {});
  add("squared", [](Case& c) { c.squared_error = true; });
  add("standardised", [](Case& c) { c.standardise = true; });
  add("dense", [](Case& c) { c.sparse = false; });
  add("dense_standardised", [](Case& c) { c.sparse = false, c.standardise = true; });
  add("no_importance", [](Case& c) { c.form.importance = false, c.form.weighted_score = false; });
  add("no_selection", [](Case& c) { c.form.select = false; });
  add("plain_score", [](Case& c) { c.form.weighted_score = false; });
  add("no_messages", [](Case& c) { c.form.beta = 1; });
  add("clipped", [](Case& c) { c.form.largest_exponent = 0.05; });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(AllForms, NetworkGradient, ::testing::ValuesIn(all_cases()),
                         [](const auto& chosen) {
                           const Case& c = chosen.param;
                           return std::string(c.name) + (c.form.leave_one_out ? "_left_out" : "") +
                                  (c.form.by_sender ? "_by_sender" : "");
                         });

}  // namespace
}  // namespace disenlink::detail
