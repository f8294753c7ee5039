// Scoring one part of a split with a model.
#pragma once

#include "disenlink/error.h"
#include "disenlink/metrics.h"
#include "disenlink/model.h"
#include "disenlink/split.h"

namespace disenlink {

// A model gave a score that is not a number; the text names the pair.
class UnrankableScore : public Error {
 public:
  using Error::Error;
};

// Pairs are scored in blocks, so memory does not grow with the negatives. Throws UnrankableScore.
Metrics evaluate(const LinkModel& model, const SplitPart& part, const NodeNames& names,
                 Ranking ranking = Ranking::kShared);

}  // namespace disenlink
