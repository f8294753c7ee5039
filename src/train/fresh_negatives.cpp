#include "train/fresh_negatives.h"

#include <fmt/format.h>

#include "core/fail.h"
#include "disenlink/random.h"
#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kPositivesPerBlock = 4096;
// A graph in which so many tries in a row hit links is nearly complete.
constexpr int64_t kMostTries = 100'000;

NodePair draw(const EdgeSplit& split, const Adjacency& graph, NodePair positive, Random& random) {
  const auto nodes = static_cast<uint64_t>(graph.num_nodes());
  for (int64_t tries = 0; tries < kMostTries; ++tries) {
    const NodeId head = split.protocol == Protocol::kPublished
                            ? positive.source
                            : static_cast<NodeId>(random.below(nodes));
    const NodePair pair{head, static_cast<NodeId>(random.below(nodes))};
    if (pair.source != pair.target && !graph.contains(pair)) {
      return pair;
    }
  }
  fail(
      "no unlinked pair was found in {} tries: the training graph is too dense for fresh "
      "negatives",
      kMostTries);
}

}  // namespace

void draw_fresh_negatives(const EdgeSplit& split, const Adjacency& message_graph,
                          int64_t per_positive, uint64_t seed, int64_t epoch,
                          std::vector<NodePair>& negatives) {
  const auto& positives = split.train.positives;
  negatives.resize(positives.size() * per_positive);
  parallel_blocks(
      static_cast<int64_t>(positives.size()), kPositivesPerBlock, [&](int64_t begin, int64_t end) {
        Random random(seed, fmt::format("negatives of epoch {} from {}", epoch, begin));
        for (int64_t i = begin * per_positive; i < end * per_positive; ++i) {
          negatives[i] = draw(split, message_graph, positives[i / per_positive], random);
        }
      });
}

}  // namespace disenlink::detail
