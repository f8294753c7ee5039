// Training pairs in the order the kernels want: by block of the tail and head, with an index by
// block of the head and tail. A block is as many nodes as have their vectors in the cache together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/factor_kernels.h"

namespace disenlink::detail {

// Calls body(positives, negatives) for parts of some millions: what is kept for each pair must not
// outgrow the graph.
template <typename Body>
void for_each_part(std::span<const NodePair> positives, std::span<const NodePair> negatives,
                   Body&& body) {
  constexpr size_t kPairsTogether = size_t{1} << 22;
  const size_t parts = (positives.size() + negatives.size()) / kPairsTogether + 1;
  const auto part_of = [&](std::span<const NodePair> pairs, size_t part) {
    const size_t begin = pairs.size() * part / parts;
    return pairs.subspan(begin, pairs.size() * (part + 1) / parts - begin);
  };
  for (size_t part = 0; part < parts; ++part) {
    body(part_of(positives, part), part_of(negatives, part));
  }
}

// What a pair reads of its ends.
struct NodeVectorSize {
  int64_t count = 0;
  int64_t bytes = 0;  // of each

  bool operator==(const NodeVectorSize&) const = default;
};

// How many blocks the nodes come in.
int64_t blocks_of(NodeVectorSize nodes, int64_t num_pairs);

class SortedPairs {
 public:
  // Buffers are reused between calls, and so is the order while the pairs stay the same, as they do
  // where negatives are fixed. Positives that are edges of `own_edges` remember them; the edges
  // must not change.
  void assign(NodeVectorSize nodes, std::span<const NodePair> positives,
              std::span<const NodePair> negatives, const EdgeIndex* own_edges);

  int64_t size() const { return static_cast<int64_t>(heads_.size()); }

  // Views; loss weights are the caller's.
  PairBatch batch() const;

 private:
  int64_t head_key(NodePair pair) const {
    return pair.target / nodes_per_block_ * nodes_.count + pair.source;
  }
  int64_t tail_key(NodePair pair) const {
    return pair.source / nodes_per_block_ * nodes_.count + pair.target;
  }
  bool takes_other_pairs(std::span<const NodePair> positives, std::span<const NodePair> negatives);
  bool takes_other_nodes(NodeVectorSize nodes, const EdgeIndex* own_edges);
  void choose_blocks(int64_t num_pairs);
  void place_heads();
  template <typename KeyOf, typename Place>
  void sort_by_key(int64_t count, int64_t num_keys, KeyOf&& key_of, Place&& place,
                   std::vector<int64_t>& offsets);

  // What is in order now.
  std::vector<NodePair> positives_;
  std::vector<NodePair> negatives_;
  NodeVectorSize nodes_ = {};
  const EdgeIndex* own_edges_ = nullptr;

  int64_t nodes_per_block_ = 1;
  int64_t blocks_ = 1;
  std::vector<NodeId> heads_;
  std::vector<NodeId> tails_;
  std::vector<uint8_t> is_link_;
  std::vector<int32_t> edges_;
  std::vector<int64_t> head_offsets_;
  std::vector<int64_t> tail_offsets_;
  std::vector<int32_t> tail_order_;
  std::vector<int64_t> edge_offsets_;
  std::vector<int32_t> edge_pairs_;
  std::vector<int32_t> next_;  // (parts, keys)
};

}  // namespace disenlink::detail
