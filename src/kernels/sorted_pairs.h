// Training pairs in the two orders that the kernels want (PairBatch). A block is as many nodes as
// have their vectors in the cache together.
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

// How many nodes come together, a power of two.
int64_t nodes_per_block(NodeVectorSize nodes, int64_t num_pairs);

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
  int64_t block_of(NodeId node) const { return node >> block_shift_; }
  int64_t head_key(NodePair pair) const {
    return block_of(pair.target) * nodes_.count + pair.source;
  }
  int64_t tail_key(NodePair pair) const {
    const int64_t tile = block_of(pair.target) * blocks_ + block_of(pair.source);
    return (tile << block_shift_) + (pair.target & ((NodeId{1} << block_shift_) - 1));
  }
  bool takes_other_pairs(std::span<const NodePair> positives, std::span<const NodePair> negatives);
  bool takes_other_nodes(NodeVectorSize nodes, const EdgeIndex* own_edges);
  void choose_blocks(int64_t num_pairs);
  void place_heads();
  void place_tails();
  void place_own_links();
  template <typename KeyOf, typename Place>
  void sort_by_key(int64_t count, int64_t num_keys, KeyOf&& key_of, Place&& place,
                   std::vector<int64_t>& offsets);

  // What is in order now.
  std::vector<NodePair> positives_;
  std::vector<NodePair> negatives_;
  NodeVectorSize nodes_ = {};
  const EdgeIndex* own_graph_ = nullptr;

  int block_shift_ = 0;
  int64_t blocks_ = 1;
  std::vector<int64_t> head_offsets_;
  std::vector<NodeId> tails_;
  std::vector<uint8_t> is_link_;
  std::vector<int32_t> places_;
  std::vector<int32_t> own_links_;
  std::vector<int64_t> tail_offsets_;
  std::vector<NodeId> heads_;
  std::vector<int32_t> own_links_by_tail_;
  std::vector<int32_t> edge_of_own_link_;
  std::vector<int64_t> own_link_offsets_;
  std::vector<int32_t> next_;  // (parts, keys)
};

}  // namespace disenlink::detail
