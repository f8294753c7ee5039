// Mean and deviation of metrics over runs.
#pragma once

#include <span>

#include "disenlink/metrics.h"

namespace disenlink {

struct MetricSummary {
  Metrics mean;
  Metrics deviation;  // sample deviation (n - 1); zero for a single run
};

// Throws Error on no runs.
MetricSummary summarize(std::span<const Metrics> runs);

}  // namespace disenlink
