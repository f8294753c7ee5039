// Negatives drawn anew for each epoch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "disenlink/random.h"
#include "disenlink/split.h"

namespace disenlink::detail {

// Says of most unlinked pairs that they are, with one look at a table of 16 to 32 bits a link (a
// Bloom filter); a search through a list of neighbours costs ten times as much.
class LinkFilter {
 public:
  explicit LinkFilter(const Adjacency& graph);

  // False: no link. True: look it up.
  bool may_contain(NodePair pair) const {
    const Place place = place_of(pair);
    return (words_[place.word] & place.bits) == place.bits;
  }

 private:
  struct Place {
    size_t word;
    uint64_t bits;
  };
  Place place_of(NodePair pair) const;

  int shift_;  // leaves as many bits of a hash as number the words
  std::vector<uint64_t> words_;
};

// Unlinked pairs of the training graph: under `strict` uniform, under `published` with the heads of
// the positives. Only training links are avoided: avoiding held-out ones would tell which they are.
// The draws depend on seed and epoch alone, so a resumed run continues with the same ones.
class FreshNegatives {
 public:
  // Split and graph must outlive this.
  FreshNegatives(const EdgeSplit& split, const Adjacency& message_graph, int64_t per_positive,
                 uint64_t seed);

  // Valid until the next call.
  std::span<const NodePair> draw(int64_t epoch);

 private:
  NodePair draw_one(NodePair positive, Random& random) const;

  const EdgeSplit& split_;
  const Adjacency& graph_;
  int64_t per_positive_;
  uint64_t seed_;
  LinkFilter filter_;
  std::vector<NodePair> negatives_;
};

}  // namespace disenlink::detail
