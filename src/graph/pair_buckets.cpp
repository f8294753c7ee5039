#include "graph/pair_buckets.h"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "core/fail.h"
#include "disenlink/interrupt.h"
#include "kernels/huge_pages.h"
#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kKeysPerBucket = int64_t{1} << 16;  // stay in the second-level cache
constexpr int64_t kMostBucketBits = 10;               // one write stream each, unless n is large
constexpr int64_t kKeysAhead = 24;                    // in the next cache line or the one after
constexpr int64_t kFewestArcsPerPart = int64_t{1} << 15;

int bits_for(int64_t count) { return std::bit_width(static_cast<uint64_t>(count)); }

[[noreturn]] void fail_at_first_unknown(std::span<const NodePair> arcs, int64_t num_nodes) {
  const auto is_known = [&](NodeId id) { return id >= 0 && id < num_nodes; };
  const auto row = std::find_if(arcs.begin(), arcs.end(), [&](NodePair arc) {
    return !is_known(arc.source) || !is_known(arc.target);
  });
  fail("link row {} names node {}, expected 0 to {}", row - arcs.begin() + 1,
       is_known(row->source) ? row->target : row->source, num_nodes - 1);
}

// Places of one array, handed to blocks in their order.
class Turns {
 public:
  int64_t taken() const { return taken_; }

 private:
  friend class Turn;
  std::atomic<int64_t> begun_{0};
  std::atomic<int64_t> next_block_{0};
  int64_t taken_ = 0;
};

// The turn of the first block that nobody has begun: whoever waits, waits for blocks that are under
// way. A block that fails passes its turn on too.
class Turn {
 public:
  explicit Turn(Turns& turns) : turns_(turns), block_(turns.begun_++) {}
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (!is_over_) {
      take(0);
    }
  }

  int64_t block() const { return block_; }

  // Waits for the blocks before; returns the first of `count` places.
  int64_t take(int64_t count) {
    for (int64_t next = turns_.next_block_; next != block_; next = turns_.next_block_) {
      turns_.next_block_.wait(next);
    }
    const int64_t first = turns_.taken_;
    turns_.taken_ += count;
    is_over_ = true;
    turns_.next_block_ = block_ + 1;
    turns_.next_block_.notify_all();
    return first;
  }

 private:
  Turns& turns_;
  int64_t block_;
  bool is_over_ = false;
};

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

// Returns the largest id as an unsigned number, which a negative one exceeds all the more.
int64_t PairBuckets::count_part(std::span<const NodePair> arcs, std::span<int64_t> counts) const {
  const auto last_bucket = static_cast<uint32_t>(num_buckets_ - 1);
  uint32_t largest = 0;
  for (const NodePair arc : arcs) {
    const int64_t is_pair = arc.source != arc.target ? 1 : 0;
    for (const NodeId id : {arc.source, arc.target}) {
      const auto number = static_cast<uint32_t>(id);
      largest = std::max(largest, number);
      counts[std::min(number >> layout_.row_bits, last_bucket)] += is_pair;
    }
  }
  return largest;
}

void PairBuckets::count(std::span<const NodePair> arcs) {
  const auto num_arcs = static_cast<int64_t>(arcs.size());
  const int64_t parts = (num_arcs + arcs_per_part_ - 1) / arcs_per_part_;
  next_.assign(parts * num_buckets_, 0);
  std::vector<int64_t> largest(parts);
  parallel_blocks(num_arcs, arcs_per_part_, [&](int64_t begin, int64_t end) {
    const int64_t part = begin / arcs_per_part_;
    largest[part] = count_part(arcs.subspan(begin, end - begin),
                               std::span(next_).subspan(part * num_buckets_, num_buckets_));
  });
  if (std::any_of(largest.begin(), largest.end(), [&](int64_t id) { return id >= num_nodes_; })) {
    fail_at_first_unknown(arcs, num_nodes_);
  }
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
  keys_ = std::make_shared_for_overwrite<NodeId[]>(begins_.back());
  touch_on_huge_pages(keys_.get(), begins_.back());
  const auto num_arcs = static_cast<int64_t>(arcs.size());
  parallel_blocks(num_arcs, arcs_per_part_, [&](int64_t begin, int64_t end) {
    int64_t* next = next_.data() + begin / arcs_per_part_ * num_buckets_;
    NodeId* keys = keys_.get();
    const auto put = [&](NodeId row, NodeId neighbor) {
      NodeId* const place = keys + next[layout_.bucket_of(row)]++;
      *place = layout_.key_of(row, neighbor);
      // Stores wait for their cache line in turn; lines that are asked for early come together.
      __builtin_prefetch(place + kKeysAhead, 1);
    };
    for (int64_t i = begin; i < end; ++i) {
      const auto [source, target] = arcs[i];
      if (source != target) {
        put(source, target);
        put(target, source);
      }
    }
  });
}

int64_t PairBuckets::sort_bucket(std::span<uint32_t> keys, int64_t before,
                                 std::span<int64_t> row_ends) const {
  hwy::Sorter()(keys.data(), keys.size(), hwy::SortAscending());
  const auto neighbor_mask = static_cast<uint32_t>((uint64_t{1} << layout_.neighbor_bits) - 1);
  const int neighbor_bits = layout_.neighbor_bits;
  uint32_t last = keys.empty() ? 0 : ~keys.front();
  int64_t kept = 0;
  for (const uint32_t key : keys) {
    keys[kept] = key & neighbor_mask;
    kept += key != last ? 1 : 0;
    last = key;
    row_ends[key >> neighbor_bits] = before + kept;  // once a key: the last one stays
  }
  return kept;
}

// Where a block's neighbours begin is known as soon as the block before it is sorted. By then that
// block's keys have left their place, so that neighbours move there though other blocks are still
// being sorted.
std::shared_ptr<const NodeId[]> PairBuckets::take_neighbors(std::vector<int64_t>& offsets) && {
  offsets.clear();
  resize_on_huge_pages(offsets, num_nodes_ + 1);
  const int64_t mean_keys = begins_.back() / num_buckets_ + 1;
  const int64_t grain = kKeysPerBucket / mean_keys + 1;
  Turns turns;
  parallel_blocks(num_buckets_, grain, [&](int64_t, int64_t) {
    Turn turn(turns);
    const int64_t begin = turn.block() * grain;
    const int64_t end = std::min(num_buckets_, begin + grain);
    check_interrupt();
    std::vector<uint32_t> keys(keys_.get() + begins_[begin], keys_.get() + begins_[end]);
    int64_t kept = 0;
    for (int64_t bucket = begin; bucket < end; ++bucket) {
      uint32_t* const first = keys.data() + (begins_[bucket] - begins_[begin]);
      const std::span<uint32_t> of_bucket(first, begins_[bucket + 1] - begins_[bucket]);
      const int64_t row = bucket << layout_.row_bits;
      const int64_t of_rows = sort_bucket(of_bucket, kept, std::span(offsets).subspan(row + 1));
      std::copy(first, first + of_rows, keys.data() + kept);
      kept += of_rows;
    }
    const int64_t place = turn.take(kept);
    std::copy(keys.data(), keys.data() + kept, keys_.get() + place);
    const int64_t last_row = std::min(end << layout_.row_bits, num_nodes_);
    int64_t row_end = 0;  // a row without neighbours ends where the one before it does
    for (int64_t row = begin << layout_.row_bits; row < last_row; ++row) {
      row_end = std::max(row_end, offsets[row + 1]);
      offsets[row + 1] = place + row_end;
    }
  });
  // Giving back a little is not worth a copy of everything.
  const int64_t kept = turns.taken();
  if (kept < begins_.back() - begins_.back() / 8) {
    auto shorter = std::make_shared_for_overwrite<NodeId[]>(kept);
    std::copy_n(keys_.get(), kept, shorter.get());
    return shorter;
  }
  return std::move(keys_);
}

}  // namespace disenlink::detail
