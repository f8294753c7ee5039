// Protocol `published`: what the authors' program does, oddities included. Rows of the arc list are
// split, so the reverse of a test row may be a training row; a negative keeps the head of its
// positive and takes a uniformly drawn tail that is not an out-neighbour of the head in the whole
// list. Self pairs, reversed one-way arcs and repetitions are therefore legal negatives. The
// paper's SEAL may have drawn its negatives from all unlinked pairs: uniform_negatives does.
#include <algorithm>

#include "core/fail.h"
#include "disenlink/interrupt.h"
#include "disenlink/random.h"
#include "graph/pair_set.h"
#include "split/non_links.h"
#include "split/protocols.h"

namespace disenlink::detail {
namespace {

// Tails are drawn below the largest id of the list + 1, not below the number of nodes.
int64_t tail_bound(const std::vector<NodePair>& arcs) {
  NodeId largest = 0;
  for (const NodePair arc : arcs) {
    largest = std::max({largest, arc.source, arc.target});
  }
  return int64_t{largest} + 1;
}

// All arcs as a set. A head that is joined to every tail would make the drawing endless.
PairSet collect_arcs(const Graph& graph, const std::vector<NodePair>& arcs, int64_t bound) {
  std::vector<int64_t> out_degree(graph.num_nodes(), 0);
  PairSet arc_set(static_cast<int64_t>(arcs.size()));
  for (const NodePair arc : arcs) {
    if (arc_set.insert(pair_key(arc)) && ++out_degree[arc.source] == bound) {
      fail(
          "graph '{}' is too dense: node {} is linked to every node, so no negative with this "
          "head exists",
          graph.name(), graph.names().name(arc.source));
    }
  }
  return arc_set;
}

// New tails for the head of each positive.
void draw_tails(const PairSet& arc_set, int64_t bound, int64_t per_positive, Random& random,
                SplitPart& part) {
  part.negatives.reserve(part.positives.size() * per_positive);
  for (const NodePair positive : part.positives) {
    check_interrupt();
    for (int64_t i = 0; i < per_positive; ++i) {
      NodePair pair = positive;
      do {
        pair.target = static_cast<NodeId>(random.below(bound));
      } while (arc_set.contains(pair_key(pair)));
      part.negatives.push_back(pair);
    }
  }
}

}  // namespace

std::vector<NodePair> published_arc_list(const Graph& graph) {
  std::vector<NodePair> arcs(graph.arcs().begin(), graph.arcs().end());
  if (graph.published_arcs() == ArcForm::kSymmetric) {
    arcs = graph.adjacency().pairs();
  }
  if (graph.published_arcs() != ArcForm::kAsStored) {
    const size_t forward = arcs.size();
    arcs.reserve(2 * forward);
    for (size_t row = 0; row < forward; ++row) {
      arcs.push_back({arcs[row].target, arcs[row].source});
    }
  }
  return arcs;
}

void split_published(const Graph& graph, const SplitOptions& options, EdgeSplit& split) {
  std::vector<NodePair> arcs = published_arc_list(graph);
  const PartSizes sizes = part_sizes(std::ssize(arcs), options);
  const int64_t bound = tail_bound(arcs);
  const PairSet arc_set = collect_arcs(graph, arcs, bound);

  Random order(options.seed, "published shuffle");
  shuffle(std::span(arcs), order);
  deal_positives(std::move(arcs), sizes, split);

  Random draws(options.seed, "published negatives");
  if (options.uniform_negatives) {
    deal_non_links(graph, options.negatives, draws, split);
    return;
  }
  split.negatives_keep_head = true;
  for (const auto& [name, part] : split.parts()) {
    draw_tails(arc_set, bound, options.negatives, draws, *part);
  }
}

}  // namespace disenlink::detail
