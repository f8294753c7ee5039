#include "train/fresh_negatives.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/fail.h"
#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kPositivesPerBlock = 4096;
// A graph in which so many tries in a row hit links is nearly complete.
constexpr int64_t kMostTries = 100'000;
constexpr int64_t kLinksPerWord = 4;

}  // namespace

LinkFilter::LinkFilter(const Adjacency& graph) {
  const auto least = static_cast<uint64_t>(graph.num_pairs() / kLinksPerWord + 2);
  words_.resize(std::bit_ceil(least));
  shift_ = 64 - std::countr_zero(words_.size());
  for (int64_t node = 0; node < graph.num_nodes(); ++node) {
    const auto source = static_cast<NodeId>(node);
    for (const NodeId target : graph.neighbors(source)) {
      const Place place = place_of({source, target});
      words_[place.word] |= place.bits;
    }
  }
}

LinkFilter::Place LinkFilter::place_of(NodePair pair) const {
  const auto [smaller, larger] = std::minmax(pair.source, pair.target);
  const uint64_t key = static_cast<uint64_t>(smaller) << 32 | static_cast<uint64_t>(larger);
  // Twice, for the upper bits of one product do not hear of the upper bits of the key.
  const uint64_t once = key * 0x9E3779B97F4A7C15U;
  const uint64_t hash = (once ^ once >> 32) * 0xD6E8FEB86659FD93U;
  const auto bit = [&](int from) { return uint64_t{1} << (hash >> from & 63); };
  return {hash >> shift_, bit(0) | bit(6) | bit(12)};
}

FreshNegatives::FreshNegatives(const EdgeSplit& split, const Adjacency& message_graph,
                               int64_t per_positive, uint64_t seed)
    : split_(split),
      graph_(message_graph),
      per_positive_(per_positive),
      seed_(seed),
      filter_(message_graph) {}

NodePair FreshNegatives::draw_one(NodePair positive, Random& random) const {
  const auto nodes = static_cast<uint64_t>(graph_.num_nodes());
  for (int64_t tries = 0; tries < kMostTries; ++tries) {
    const NodeId head =
        split_.negatives_keep_head ? positive.source : static_cast<NodeId>(random.below(nodes));
    const NodePair pair{head, static_cast<NodeId>(random.below(nodes))};
    if (pair.source != pair.target && !(filter_.may_contain(pair) && graph_.contains(pair))) {
      return pair;
    }
  }
  fail(
      "no unlinked pair was found in {} tries: the training graph is too dense for fresh "
      "negatives",
      kMostTries);
}

std::span<const NodePair> FreshNegatives::draw(int64_t epoch) {
  const auto& positives = split_.train.positives;
  negatives_.resize(positives.size() * per_positive_);
  parallel_blocks(
      static_cast<int64_t>(positives.size()), kPositivesPerBlock, [&](int64_t begin, int64_t end) {
        Random random(seed_, fmt::format("negatives of epoch {} from {}", epoch, begin));
        for (int64_t i = begin * per_positive_; i < end * per_positive_; ++i) {
          negatives_[i] = draw_one(positives[i / per_positive_], random);
        }
      });
  return negatives_;
}

}  // namespace disenlink::detail
