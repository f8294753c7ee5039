#include <algorithm>
#include <mutex>

#include "core/fail.h"
#include "core/finite.h"
#include "disenlink/interrupt.h"
#include "disenlink/predict.h"
#include "kernels/parallel.h"

namespace disenlink {
namespace {

constexpr NodeId kHeadsPerBlock = 32;
constexpr NodeId kTailsPerBlock = 512;

// A total order, so that the result does not depend on which thread saw a pair first.
bool is_better(const ScoredPair& a, const ScoredPair& b) {
  return a.logit != b.logit ? a.logit > b.logit : a.pair < b.pair;
}

// Keeps the best `count` of what it is offered.
class BestPairs {
 public:
  explicit BestPairs(int64_t count) : count_(static_cast<size_t>(count)) {}

  // A logit below this cannot enter any more.
  float threshold() const {
    return heap_.size() < count_ ? -std::numeric_limits<float>::infinity() : heap_.front().logit;
  }

  void offer(const ScoredPair& candidate) {
    if (heap_.size() == count_) {
      if (!is_better(candidate, heap_.front())) {
        return;
      }
      std::pop_heap(heap_.begin(), heap_.end(), is_better);
      heap_.pop_back();
    }
    heap_.push_back(candidate);
    std::push_heap(heap_.begin(), heap_.end(), is_better);
  }

  std::vector<ScoredPair> sorted() && {
    std::sort(heap_.begin(), heap_.end(), is_better);
    return std::move(heap_);
  }

 private:
  size_t count_;
  std::vector<ScoredPair> heap_;  // the worst kept pair is in front
};

void check(const TopOptions& options) {
  if (options.count < 1) {
    detail::fail_usage("{} links asked for, expected at least 1", options.count);
  }
}

// Offers the pairs of one head with tails [first_tail, last_tail) to `best`, walking the known
// neighbours along.
void offer_row(const TopOptions& options, NodeId head, NodeId first_tail,
               std::span<const float> logits, BestPairs& best) {
  std::span<const NodeId> known;
  if (options.known != nullptr) {
    known = options.known->neighbors(head);
  }
  auto next_known = std::lower_bound(known.begin(), known.end(), first_tail);
  for (size_t i = 0; i < logits.size(); ++i) {
    const NodeId tail = first_tail + static_cast<NodeId>(i);
    const bool is_known = next_known != known.end() && *next_known == tail;
    next_known += is_known ? 1 : 0;
    const bool is_candidate = !is_known && tail != head && logits[i] >= options.least_logit &&
                              logits[i] >= best.threshold();
    if (is_candidate) {
      best.offer({{head, tail}, logits[i]});
    }
  }
}

// Scores heads [first, last) against tails from first_tail(head block) on, block by block.
template <typename Use>
void for_each_tile(const LinkModel& model, NodeId first, NodeId last, NodeId first_tail,
                   NodeId num_nodes, Use&& use) {
  std::vector<float> logits(static_cast<size_t>(last - first) * kTailsPerBlock);
  for (NodeId tail = first_tail; tail < num_nodes; tail += kTailsPerBlock) {
    const NodeId end = std::min(num_nodes, tail + kTailsPerBlock);
    const auto width = static_cast<size_t>(end - tail);
    const std::span<float> scored(logits.data(), (last - first) * width);
    model.score_block(first, last, tail, end, scored);
    detail::require_scores(scored);
    for (NodeId head = first; head < last; ++head) {
      use(head, tail, std::span<const float>(logits.data() + (head - first) * width, width));
    }
  }
}

// Whole blocks add up in another order than single pairs and may differ in the last digit; what is
// handed out has the scores that asking for these pairs gives.
std::vector<ScoredPair> with_pair_scores(const LinkModel& model, std::vector<ScoredPair> found) {
  std::vector<NodePair> pairs;
  pairs.reserve(found.size());
  for (const ScoredPair& scored : found) {
    pairs.push_back(scored.pair);
  }
  std::vector<float> logits(pairs.size());
  model.score(pairs, logits);
  for (size_t i = 0; i < found.size(); ++i) {
    found[i].logit = logits[i];
  }
  std::sort(found.begin(), found.end(), is_better);
  return found;
}

}  // namespace

std::vector<ScoredPair> top_partners(const LinkModel& model, int64_t num_nodes, NodeId node,
                                     const TopOptions& options) {
  check(options);
  BestPairs best(options.count);
  for_each_tile(model, node, node + 1, 0, static_cast<NodeId>(num_nodes),
                [&](NodeId head, NodeId tail, std::span<const float> logits) {
                  offer_row(options, head, tail, logits, best);
                });
  return with_pair_scores(model, std::move(best).sorted());
}

std::vector<ScoredPair> top_links(const LinkModel& model, int64_t num_nodes,
                                  const TopOptions& options) {
  check(options);
  const int64_t blocks = (num_nodes + kHeadsPerBlock - 1) / kHeadsPerBlock;
  BestPairs best(options.count);
  std::mutex mutex;
  detail::parallel_blocks(blocks, 1, [&](int64_t block, int64_t) {
    check_interrupt();
    const auto first = static_cast<NodeId>(block * kHeadsPerBlock);
    const auto last = static_cast<NodeId>(std::min<int64_t>(num_nodes, first + kHeadsPerBlock));
    BestPairs of_block(options.count);
    for_each_tile(model, first, last, first, static_cast<NodeId>(num_nodes),
                  [&](NodeId head, NodeId tail, std::span<const float> logits) {
                    // Each unordered pair once: tails after the head.
                    const NodeId skip =
                        std::clamp<NodeId>(head + 1 - tail, 0, static_cast<NodeId>(logits.size()));
                    offer_row(options, head, tail + skip, logits.subspan(skip), of_block);
                  });
    const std::lock_guard lock(mutex);
    for (const ScoredPair& pair : std::move(of_block).sorted()) {
      best.offer(pair);
    }
  });
  return with_pair_scores(model, std::move(best).sorted());
}

std::vector<std::vector<ScoredPair>> top_partners_of_all(const LinkModel& model, int64_t num_nodes,
                                                         const TopOptions& options) {
  check(options);
  std::vector<std::vector<ScoredPair>> result(num_nodes);
  detail::parallel_blocks(num_nodes, kHeadsPerBlock, [&](int64_t begin, int64_t end) {
    check_interrupt();
    std::vector<BestPairs> best(end - begin, BestPairs(options.count));
    for_each_tile(model, static_cast<NodeId>(begin), static_cast<NodeId>(end), 0,
                  static_cast<NodeId>(num_nodes),
                  [&](NodeId head, NodeId tail, std::span<const float> logits) {
                    offer_row(options, head, tail, logits, best[head - begin]);
                  });
    for (int64_t node = begin; node < end; ++node) {
      result[node] = with_pair_scores(model, std::move(best[node - begin]).sorted());
    }
  });
  return result;
}

}  // namespace disenlink
