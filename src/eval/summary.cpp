#include "disenlink/summary.h"

#include <cmath>

#include "core/fail.h"

namespace disenlink {
namespace {

// Calls use(member of a, member of b) for every metric.
template <typename Use>
void for_each_metric(Metrics& a, const Metrics& b, Use&& use) {
  use(a.auc, b.auc);
  use(a.ap, b.ap);
  use(a.mrr, b.mrr);
  for (size_t i = 0; i < kHitsAt.size(); ++i) {
    use(a.hits[i], b.hits[i]);
  }
}

}  // namespace

MetricSummary summarize(std::span<const Metrics> runs) {
  if (runs.empty()) {
    detail::fail("there are no runs to summarise");
  }
  const auto count = static_cast<double>(runs.size());
  MetricSummary summary;
  for (const Metrics& run : runs) {
    for_each_metric(summary.mean, run, [&](double& sum, double value) { sum += value / count; });
  }
  for (const Metrics& run : runs) {
    Metrics distance = run;
    for_each_metric(distance, summary.mean,
                    [](double& value, double mean) { value = (value - mean) * (value - mean); });
    for_each_metric(summary.deviation, distance, [](double& sum, double square) { sum += square; });
  }
  const double divisor = runs.size() > 1 ? count - 1 : 1;
  for_each_metric(summary.deviation, summary.mean,
                  [&](double& sum, double) { sum = std::sqrt(sum / divisor); });
  return summary;
}

}  // namespace disenlink
