// Scoring one part of a split with a model.
#pragma once

#include "disenlink/metrics.h"
#include "disenlink/model.h"
#include "disenlink/split.h"

namespace disenlink {

// Pairs are scored in blocks, so memory does not grow with the negatives. A NaN score is an Error
// that names the pair.
Metrics evaluate(const LinkModel& model, const SplitPart& part, const NodeNames& names,
                 Ranking ranking = Ranking::kShared);

}  // namespace disenlink
