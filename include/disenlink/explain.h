// Why a pair gets its score.
#pragma once

#include <cstdint>
#include <vector>

#include "disenlink/model.h"

namespace disenlink {

// A neighbour whose message reached one end of the pair on the explaining factor.
struct Carrier {
  NodeId node;
  double weight;  // share of all messages that this end received on the factor
};

struct FeatureEffect {
  int64_t feature;
  double effect;  // part of the agreement of the two ends on the factor, before message passing
};

struct EndExplanation {
  NodeId node;
  std::vector<Carrier> carriers;        // heaviest first
  std::vector<FeatureEffect> features;  // largest absolute effect first
};

struct Explanation {
  NodePair pair;
  double logit = 0;
  double probability = 0;
  std::vector<double> contributions;  // by factor; they add up to the logit
  std::vector<double> importance;     // by factor; softmax of the agreement
  int64_t selected = 0;               // the factor of largest importance
  EndExplanation source;
  EndExplanation target;
};

// Throws Error for a model that has no factors to tell of.
Explanation explain(const LinkModel& model, NodePair pair, int64_t most_entries = 10);

}  // namespace disenlink
