#include "disenlink/explain.h"

#include <algorithm>
#include <cmath>

#include "core/fail.h"
#include "core/finite.h"
#include "models/disenlink/model.h"

namespace disenlink {
namespace {

using detail::Network;

template <typename Entry, typename Size>
void keep_largest(std::vector<Entry>& entries, int64_t most, Size&& size) {
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Entry& a, const Entry& b) { return size(a) > size(b); });
  if (static_cast<int64_t>(entries.size()) > most) {
    entries.resize(most);
  }
}

std::vector<Carrier> carriers_of(const Network<float>& network, NodeId node, int64_t factor) {
  std::vector<Carrier> carriers;
  const auto& edges = network.edges();
  const auto& form = network.options().form;
  const int64_t factors = network.shape().factors;
  const auto total = [&](NodeId of) { return double{network.totals()[of * factors + factor]}; };
  double sum = 0;
  for (int64_t entry = edges.offsets[node]; entry < edges.offsets[node + 1]; ++entry) {
    const int64_t edge = edges.edge_of_entry[entry];
    if (form.select && network.selected()[edge] != factor) {
      continue;
    }
    const double weight = form.importance ? network.importance()[edge * factors + factor] : 1;
    const NodeId neighbor = edges.neighbors[entry];
    carriers.push_back({neighbor, weight / total(form.by_sender ? neighbor : node)});
    sum += carriers.back().weight;
  }
  for (Carrier& carrier : carriers) {
    carrier.weight /= sum;
  }
  return carriers;
}

// z[node, factor] is linear in the features while the ReLUs keep their state, so the agreement with
// the other end is a sum over features (and biases).
std::vector<FeatureEffect> feature_effects(const Network<float>& network, NodeId node, NodeId other,
                                           int64_t factor) {
  const auto& options = network.options();
  const auto& parameters = network.parameters();
  const int64_t hidden = options.hidden;
  const int64_t width = options.factors * hidden;
  const std::vector<float> active = network.hidden_of(node, factor);
  const auto z =
      network.z().subspan(other * network.shape().row() + factor * options.width, options.width);
  // What one unit of each active hidden unit adds to the agreement.
  std::vector<double> gain(hidden, 0);
  for (int64_t unit = 0; unit < hidden; ++unit) {
    for (int64_t i = 0; i < options.width && active[unit] > 0; ++i) {
      gain[unit] +=
          static_cast<double>(parameters.w2[(factor * hidden + unit) * options.width + i]) * z[i] /
          options.form.temperature;
    }
  }
  std::vector<FeatureEffect> effects;
  for (const auto& [feature, value] : network.input().row_entries(node)) {
    double effect = 0;
    for (int64_t unit = 0; unit < hidden; ++unit) {
      effect += gain[unit] * parameters.w1[feature * width + factor * hidden + unit];
    }
    effects.push_back({feature, effect * value});
  }
  return effects;
}

}  // namespace

Explanation explain(const LinkModel& model, NodePair pair, int64_t most_entries) {
  const auto* disenlink = dynamic_cast<const detail::DisenLinkModel*>(&model);
  if (disenlink == nullptr) {
    detail::fail("this model has one score and no factors, so it cannot tell why");
  }
  const Network<float>& network = disenlink->network();
  const int64_t factors = network.shape().factors;
  Explanation result;
  result.pair = pair;
  float logit = 0;
  std::vector<float> contributions(factors);
  network.scores({&pair, 1}, {&logit, 1}, contributions);
  detail::require_scores({&logit, 1});
  result.contributions.assign(contributions.begin(), contributions.end());
  result.logit = logit;
  result.probability = 1 / (1 + std::exp(-result.logit));
  result.importance = network.pair_importance(pair);
  result.selected = std::max_element(result.importance.begin(), result.importance.end()) -
                    result.importance.begin();
  for (const bool is_source : {true, false}) {
    EndExplanation& end = is_source ? result.source : result.target;
    end.node = is_source ? pair.source : pair.target;
    const NodeId other = is_source ? pair.target : pair.source;
    end.carriers = carriers_of(network, end.node, result.selected);
    keep_largest(end.carriers, most_entries, [](const Carrier& c) { return c.weight; });
    end.features = feature_effects(network, end.node, other, result.selected);
    keep_largest(end.features, most_entries,
                 [](const FeatureEffect& f) { return std::abs(f.effect); });
  }
  return result;
}

}  // namespace disenlink
