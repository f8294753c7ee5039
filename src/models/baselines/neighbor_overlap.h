// Scores that sum a weight over the common neighbours of a pair.
#pragma once

#include <algorithm>
#include <span>

#include "disenlink/model.h"
#include "kernels/parallel.h"

namespace disenlink::detail {

// Calls visit(node) for each id that is in both ascending lists.
template <typename Visit>
void for_each_common(std::span<const NodeId> a, std::span<const NodeId> b, Visit&& visit) {
  // A hub against a leaf: search instead of walking the hub's list.
  constexpr size_t kSearchRatio = 32;
  if (a.size() > b.size()) {
    std::swap(a, b);
  }
  auto place = b.begin();
  const bool search = a.size() * kSearchRatio < b.size();
  for (const NodeId node : a) {
    if (search) {
      place = std::lower_bound(place, b.end(), node);
    } else {
      while (place != b.end() && *place < node) {
        ++place;
      }
    }
    if (place == b.end()) {
      return;
    }
    if (*place == node) {
      visit(node);
    }
  }
}

// Each pair is summed by one thread in the order of the ids: same bits for any thread count.
template <typename Weight>
void score_common_neighbors(const Adjacency& graph, std::span<const NodePair> pairs,
                            std::span<float> logits, Weight&& weight) {
  constexpr int64_t kPairsPerBlock = 1024;
  parallel_blocks(
      static_cast<int64_t>(pairs.size()), kPairsPerBlock, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          double sum = 0;
          for_each_common(graph.neighbors(pairs[i].source), graph.neighbors(pairs[i].target),
                          [&](NodeId node) { sum += weight(node); });
          logits[i] = static_cast<float>(sum);
        }
      });
}

}  // namespace disenlink::detail
