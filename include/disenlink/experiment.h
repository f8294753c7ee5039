// One run of a method on a split: train if it learns, score, and say what it cost.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "disenlink/audit.h"
#include "disenlink/metrics.h"
#include "disenlink/model.h"
#include "disenlink/train.h"

namespace disenlink {

struct RunResult {
  SplitAudit audit;
  std::optional<Metrics> valid;  // none where the split has no validation part
  Metrics test;
  TrainState training;  // empty for a method that does not learn
  double seconds = 0;
  int64_t peak_memory_bytes = 0;
};

// Leaves the model encoded with its best parameters.
RunResult run_model(LinkModel& model, const Graph& graph, const EdgeSplit& split,
                    const MessageGraph& message_graph, const TrainOptions& options, Ranking ranking,
                    const TrainHooks& hooks = {}, TrainState state = {});

}  // namespace disenlink
