#include "disenlink/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

#include "disenlink/interrupt.h"

namespace disenlink {
namespace {

constexpr size_t kBlock = size_t{1} << 16;

// Calls use(logits) for block after block.
template <typename Use>
void score_in_blocks(const LinkModel& model, std::span<const NodePair> pairs, Use&& use) {
  std::vector<float> logits(std::min(kBlock, pairs.size()));
  for (size_t begin = 0; begin < pairs.size(); begin += kBlock) {
    check_interrupt();
    const auto block = pairs.subspan(begin, std::min(kBlock, pairs.size() - begin));
    const std::span<float> scored(logits.data(), block.size());
    model.score(block, scored);
    use(scored);
  }
}

}  // namespace

Metrics evaluate(const LinkModel& model, const SplitPart& part, const NodeNames& names,
                 Ranking ranking) {
  std::vector<float> positives;
  positives.reserve(part.positives.size());
  score_in_blocks(model, part.positives, [&](std::span<const float> logits) {
    positives.insert(positives.end(), logits.begin(), logits.end());
  });
  try {
    const auto per_positive =
        static_cast<int64_t>(part.negatives.size() / std::max<size_t>(1, part.positives.size()));
    MetricCounter counter(positives, ranking, per_positive);
    score_in_blocks(model, part.negatives,
                    [&](std::span<const float> logits) { counter.add_negatives(logits); });
    return counter.finish();
  } catch (const NanScore& nan) {
    const NodePair pair = (nan.positive ? part.positives : part.negatives)[nan.index];
    throw UnrankableScore(fmt::format("the model's score of {} pair ({}, {}) is not a number",
                                      nan.positive ? "linked" : "unlinked", names.name(pair.source),
                                      names.name(pair.target)));
  }
}

}  // namespace disenlink
