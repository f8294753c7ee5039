#include "graph/pair_buckets.h"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "disenlink/interrupt.h"
#include "kernels/huge_pages.h"
#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kKeysPerBucket = int64_t{1} << 16;  // stay in the second-level cache
constexpr int64_t kMostBucketBits = 10;               // one write stream each, unless n is large
constexpr int64_t kFewestArcsPerPart = int64_t{1} << 15;

int bits_for(int64_t count) { return std::bit_width(static_cast<uint64_t>(count)); }

}  // namespace

PairBuckets::PairBuckets(int64_t num_nodes, std::span<const NodePair> arcs)
    : num_nodes_(num_nodes) {
  const int64_t last_node = std::max<int64_t>(num_nodes - 1, 0);
  layout_.neighbor_bits = bits_for(last_node);
  const auto num_arcs = static_cast<int64_t>(arcs.size());
  const int64_t wanted_bits =
      std::min<int64_t>(bits_for(2 * num_arcs / kKeysPerBucket), kMostBucketBits);
  layout_.row_bits = static_cast<int>(std::clamp<int64_t>(layout_.neighbor_bits - wanted_bits, 0,
                                                          32 - std::max(1, layout_.neighbor_bits)));
  num_buckets_ = (last_node >> layout_.row_bits) + 1;
  const int64_t parts = num_threads();
  arcs_per_part_ = std::max((num_arcs + parts - 1) / parts, kFewestArcsPerPart);
  count(arcs);
  scatter(arcs);
}

void PairBuckets::count(std::span<const NodePair> arcs) {
  const auto num_arcs = static_cast<int64_t>(arcs.size());
  const int64_t parts = (num_arcs + arcs_per_part_ - 1) / arcs_per_part_;
  next_.assign(parts * num_buckets_, 0);
  parallel_blocks(num_arcs, arcs_per_part_, [&](int64_t begin, int64_t end) {
    int64_t* counts = next_.data() + begin / arcs_per_part_ * num_buckets_;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t is_pair = arcs[i].source != arcs[i].target ? 1 : 0;
      counts[layout_.bucket_of(arcs[i].source)] += is_pair;
      counts[layout_.bucket_of(arcs[i].target)] += is_pair;
    }
  });
  begins_.resize(num_buckets_ + 1);
  int64_t begin = 0;
  for (int64_t bucket = 0; bucket < num_buckets_; ++bucket) {
    begins_[bucket] = begin;
    for (int64_t part = 0; part < parts; ++part) {
      begin += std::exchange(next_[part * num_buckets_ + bucket], begin);
    }
  }
  begins_[num_buckets_] = begin;
}

void PairBuckets::scatter(std::span<const NodePair> arcs) {
  check_interrupt();
  resize_on_huge_pages(keys_, begins_.back());
  parallel_blocks(static_cast<int64_t>(arcs.size()), arcs_per_part_,
                  [&](int64_t begin, int64_t end) {
                    int64_t* next = next_.data() + begin / arcs_per_part_ * num_buckets_;
                    NodeId* keys = keys_.data();
                    for (int64_t i = begin; i < end; ++i) {
                      const auto [source, target] = arcs[i];
                      if (source != target) {
                        keys[next[layout_.bucket_of(source)]++] = layout_.key_of(source, target);
                        keys[next[layout_.bucket_of(target)]++] = layout_.key_of(target, source);
                      }
                    }
                  });
}

void PairBuckets::sort_bucket(int64_t bucket, std::vector<int64_t>& offsets) {
  const int64_t begin = begins_[bucket];
  // Signed and unsigned views of the same 32-bit words.
  const std::span<uint32_t> keys(reinterpret_cast<uint32_t*>(keys_.data()) + begin,
                                 static_cast<size_t>(begins_[bucket + 1] - begin));
  hwy::Sorter()(keys.data(), keys.size(), hwy::SortAscending());
  // Neighbours replace keys from the front; a row's length goes where its end will be.
  const int64_t first_row = bucket << layout_.row_bits;
  const uint32_t neighbor_mask = static_cast<uint32_t>((uint64_t{1} << layout_.neighbor_bits) - 1);
  NodeId* out = keys_.data() + begin;
  for (size_t i = 0; i < keys.size();) {
    const uint32_t row = keys[i] >> layout_.neighbor_bits;
    const NodeId* const row_begin = out;
    uint32_t last = ~keys[i];
    for (; i < keys.size() && keys[i] >> layout_.neighbor_bits == row; ++i) {
      const uint32_t key = keys[i];
      *out = static_cast<NodeId>(key & neighbor_mask);
      out += key != last ? 1 : 0;
      last = key;
    }
    offsets[first_row + row + 1] = out - row_begin;
  }
  num_distinct_[bucket] = out - (keys_.data() + begin);
}

std::vector<NodeId> PairBuckets::take_neighbors(std::vector<int64_t>& offsets) && {
  offsets.assign(num_nodes_ + 1, 0);
  num_distinct_.assign(num_buckets_, 0);
  const int64_t mean_keys = begins_.back() / num_buckets_ + 1;
  parallel_blocks(num_buckets_, kKeysPerBucket / mean_keys + 1, [&](int64_t begin, int64_t end) {
    check_interrupt();
    for (int64_t bucket = begin; bucket < end; ++bucket) {
      sort_bucket(bucket, offsets);
    }
  });
  int64_t kept = 0;
  for (int64_t bucket = 0; bucket < num_buckets_; ++bucket) {
    const NodeId* from = keys_.data() + begins_[bucket];
    std::copy(from, from + num_distinct_[bucket], keys_.data() + kept);
    kept += num_distinct_[bucket];
  }
  for (int64_t node = 0; node < num_nodes_; ++node) {
    offsets[node + 1] += offsets[node];
  }
  // Giving back a little is not worth a copy of everything.
  const bool is_much_shorter = kept < begins_.back() - begins_.back() / 8;
  keys_.resize(kept);
  if (is_much_shorter) {
    keys_.shrink_to_fit();
  }
  return std::move(keys_);
}

}  // namespace disenlink::detail
