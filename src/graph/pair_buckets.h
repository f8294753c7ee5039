// Sorting the two directions of many links by row without random access to memory.
//
// Rows are cut into buckets of 2^row_bits. A direction is one 32-bit key, its row within the bucket
// above its neighbour; n nodes leave 32 - log2(n) bits for the row, so any n below 2^31 fits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "disenlink/graph.h"

namespace disenlink::detail {

struct KeyLayout {
  int neighbor_bits = 0;
  int row_bits = 0;

  int64_t bucket_of(NodeId row) const { return row >> row_bits; }
  NodeId key_of(NodeId row, NodeId neighbor) const {
    const uint32_t row_in_bucket = static_cast<uint32_t>(row) & ((uint32_t{1} << row_bits) - 1);
    return static_cast<NodeId>((row_in_bucket << neighbor_bits) | static_cast<uint32_t>(neighbor));
  }
};

class PairBuckets {
 public:
  // Every arc that is no self loop, both directions. Throws Error for an id that is no node.
  PairBuckets(int64_t num_nodes, std::span<const NodePair> arcs);

  // Turns the keys into the sorted distinct neighbours of all rows, one after another, and sets
  // offsets (num_nodes + 1) to where each row begins.
  std::shared_ptr<const NodeId[]> take_neighbors(std::vector<int64_t>& offsets) &&;

 private:
  void count(std::span<const NodePair> arcs);
  int64_t count_part(std::span<const NodePair> arcs, std::span<int64_t> counts) const;
  void scatter(std::span<const NodePair> arcs);
  // Neighbours replace a bucket's keys from the front; returns how many they are. Sets where the
  // rows that have any end, when `before` others precede them.
  int64_t sort_bucket(std::span<uint32_t> keys, int64_t before, std::span<int64_t> row_ends) const;

  int64_t num_nodes_;
  KeyLayout layout_;
  int64_t num_buckets_;
  int64_t arcs_per_part_;           // arcs are counted and moved in parts, one a thread
  std::vector<int64_t> next_;       // (parts, buckets) where a part writes its next key
  std::vector<int64_t> begins_;     // (buckets + 1) first key of each bucket
  std::shared_ptr<NodeId[]> keys_;  // NodeId, for they become the neighbours in place
};

}  // namespace disenlink::detail
