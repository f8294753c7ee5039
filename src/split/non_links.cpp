#include "split/non_links.h"

#include <algorithm>

#include "core/fail.h"
#include "disenlink/interrupt.h"
#include "graph/pair_set.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kDrawsPerInterruptCheck = 1 << 16;

// Tries pairs until enough are new non-links: few tries fail while most pairs are free.
std::vector<NodePair> draw_by_rejection(const Adjacency& links, int64_t count, Random& random) {
  PairSet drawn(count);
  std::vector<NodePair> pairs;
  pairs.reserve(count);
  const auto num_nodes = static_cast<uint64_t>(links.num_nodes());
  for (int64_t tries = 0; static_cast<int64_t>(pairs.size()) < count; ++tries) {
    if (tries % kDrawsPerInterruptCheck == 0) {
      check_interrupt();
    }
    const NodePair pair = unordered({static_cast<NodeId>(random.below(num_nodes)),
                                     static_cast<NodeId>(random.below(num_nodes))});
    if (pair.source != pair.target && !links.contains(pair) && drawn.insert(pair_key(pair))) {
      pairs.push_back(pair);
    }
  }
  return pairs;
}

// Lists every non-link and takes some: used only where at least half of them are needed, so the
// cost is still proportional to what was asked for.
std::vector<NodePair> draw_from_all(const Adjacency& links, int64_t count, Random& random) {
  std::vector<NodePair> pairs;
  const auto num_nodes = static_cast<NodeId>(links.num_nodes());
  for (NodeId source = 0; source < num_nodes; ++source) {
    check_interrupt();
    const auto linked = links.neighbors(source);
    auto next_linked = std::upper_bound(linked.begin(), linked.end(), source);
    for (NodeId target = source + 1; target < num_nodes; ++target) {
      if (next_linked != linked.end() && *next_linked == target) {
        ++next_linked;
      } else {
        pairs.push_back({source, target});
      }
    }
  }
  shuffle(std::span(pairs), random);
  pairs.resize(count);
  return pairs;
}

std::vector<NodePair> draw_non_links(const Graph& graph, int64_t count, Random& random) {
  const Adjacency& links = graph.adjacency();
  const int64_t num_nodes = links.num_nodes();
  const int64_t available = num_nodes * (num_nodes - 1) / 2 - links.num_pairs();
  if (count > available) {
    fail(
        "graph '{}' is too dense: the split needs {} distinct non-links, but of its {} pairs only "
        "{} are not linked; ask for fewer negatives per positive",
        graph.name(), count, num_nodes * (num_nodes - 1) / 2, available);
  }
  return 2 * count > available ? draw_from_all(links, count, random)
                               : draw_by_rejection(links, count, random);
}

}  // namespace

void deal_non_links(const Graph& graph, int64_t per_positive, Random& random, EdgeSplit& split) {
  int64_t positives = 0;
  for (const auto& [name, part] : split.parts()) {
    positives += std::ssize(part->positives);
  }
  const std::vector<NodePair> negatives = draw_non_links(graph, positives * per_positive, random);
  auto next = negatives.begin();
  // Evaluation parts first: they stay the same negatives when only the training part changes.
  for (SplitPart* part : {&split.test, &split.valid, &split.train}) {
    const auto end = next + std::ssize(part->positives) * per_positive;
    part->negatives.assign(next, end);
    next = end;
  }
}

}  // namespace disenlink::detail
