// Protocol `strict`: an unordered pair is in one part only, and a negative is a non-link of the
// whole graph that occurs once in the split.
#include "disenlink/random.h"
#include "split/non_links.h"
#include "split/protocols.h"

namespace disenlink::detail {

void split_strict(const Graph& graph, const SplitOptions& options, EdgeSplit& split) {
  std::vector<NodePair> pairs = graph.adjacency().pairs();
  const PartSizes sizes = part_sizes(std::ssize(pairs), options);
  Random order(options.seed, "strict links");
  shuffle(std::span(pairs), order);
  deal_positives(std::move(pairs), sizes, split);

  Random draws(options.seed, "strict negatives");
  deal_non_links(graph, options.negatives, draws, split);
}

}  // namespace disenlink::detail
