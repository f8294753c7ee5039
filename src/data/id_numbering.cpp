#include "data/id_numbering.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include "core/fail.h"
#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kGrain = int64_t{1} << 18;
// Sets of bits take an eighth of a byte for every id up to the largest; worth it up to:
constexpr int64_t kBitsPerRow = 64;
constexpr int64_t kAlwaysBits = int64_t{1} << 23;

int64_t most_bits(int64_t num_rows) { return std::max(kAlwaysBits, num_rows * kBitsPerRow); }

void check_node_count(const std::filesystem::path& path, int64_t count) {
  if (count > std::numeric_limits<NodeId>::max()) {
    fail_in(path, "has {} different node ids, at most {} are supported", count,
            std::numeric_limits<NodeId>::max());
  }
}

// Which ids occur, and how many smaller ones do.
class IdSet {
 public:
  explicit IdSet(int64_t largest) : words_(largest / 64 + 1) {}

  void insert(int64_t id) { words_[id / 64] |= uint64_t{1} << (id % 64); }

  void insert(const IdSet& other) {
    std::transform(words_.begin(), words_.end(), other.words_.begin(), words_.begin(),
                   std::bit_or());
  }

  // Call once after the last insert; returns how many there are.
  int64_t count_ranks() {
    ranks_.resize(words_.size());
    int64_t count = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
      ranks_[i] = static_cast<uint32_t>(count);
      count += std::popcount(words_[i]);
    }
    return count;
  }

  NodeId rank(int64_t id) const {
    const uint64_t below = words_[id / 64] & ((uint64_t{1} << (id % 64)) - 1);
    return static_cast<NodeId>(ranks_[id / 64] + std::popcount(below));
  }

  std::vector<int64_t> ids(int64_t count) const {
    std::vector<int64_t> result;
    result.reserve(count);
    for (size_t i = 0; i < words_.size(); ++i) {
      for (uint64_t left = words_[i]; left != 0; left &= left - 1) {
        result.push_back(static_cast<int64_t>(i) * 64 + std::countr_zero(left));
      }
    }
    return result;
  }

 private:
  std::vector<uint64_t> words_;
  std::vector<uint32_t> ranks_;
};

// Every thread fills a set of its own where memory allows: a shared one would go to and fro between
// the cores with every new id.
IdSet ids_of(const IntegerRows<NodePair>& rows) {
  const auto num_rows = static_cast<int64_t>(rows.rows.size());
  const int64_t num_sets =
      std::clamp<int64_t>(most_bits(num_rows) / (rows.largest + 1), 1, num_threads());
  const int64_t rows_per_set = std::max(kGrain, (num_rows + num_sets - 1) / num_sets);
  std::vector<IdSet> sets(num_sets, IdSet(rows.largest));
  parallel_blocks(num_rows, rows_per_set, [&](int64_t begin, int64_t end) {
    IdSet& set = sets[begin / rows_per_set];
    for (int64_t i = begin; i < end; ++i) {
      set.insert(rows.rows[i].source);
      set.insert(rows.rows[i].target);
    }
  });
  for (int64_t other = 1; other < num_sets; ++other) {
    sets[0].insert(sets[other]);
  }
  return std::move(sets[0]);
}

// Open addressing from id to rank, for ids too far apart for IdSet.
class IdTable {
 public:
  IdTable() : slots_(size_t{1} << 10) {}

  void insert(int64_t id) {
    Slot& slot = slots_[find(id)];
    if (slot.id == kFree) {
      slot.id = id;
      if (++count_ * 2 > slots_.size()) {
        grow();
      }
    }
  }

  // Call once after the last insert; returns the ids, ascending.
  std::vector<int64_t> sort_and_rank(const std::filesystem::path& path) {
    std::vector<int64_t> ids;
    ids.reserve(count_);
    for (const Slot& slot : slots_) {
      if (slot.id != kFree) {
        ids.push_back(slot.id);
      }
    }
    check_node_count(path, static_cast<int64_t>(ids.size()));
    std::sort(ids.begin(), ids.end());
    for (size_t i = 0; i < ids.size(); ++i) {
      slots_[find(ids[i])].rank = static_cast<NodeId>(i);
    }
    return ids;
  }

  NodeId rank(int64_t id) const { return slots_[find(id)].rank; }

 private:
  static constexpr int64_t kFree = -1;
  struct Slot {
    int64_t id = kFree;
    NodeId rank = 0;
  };

  size_t find(int64_t id) const {
    const size_t mask = slots_.size() - 1;
    size_t at = (static_cast<uint64_t>(id) * 0x9e3779b97f4a7c15ULL) >> 20 & mask;
    while (slots_[at].id != kFree && slots_[at].id != id) {
      at = (at + 1) & mask;
    }
    return at;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.id != kFree) {
        slots_[find(slot.id)] = slot;
      }
    }
  }

  std::vector<Slot> slots_;
  size_t count_ = 0;
};

template <typename Pair, typename Ranks>
void rank_rows(const std::vector<Pair>& rows, const Ranks& ranks, std::vector<NodePair>& arcs) {
  parallel_blocks(static_cast<int64_t>(rows.size()), kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      arcs[i] = {ranks.rank(rows[i].source), ranks.rank(rows[i].target)};
    }
  });
}

template <typename Pair>
std::vector<int64_t> rank_by_table(const std::filesystem::path& path, const std::vector<Pair>& rows,
                                   std::vector<NodePair>& arcs) {
  IdTable table;
  for (const Pair row : rows) {
    table.insert(row.source);
    table.insert(row.target);
  }
  std::vector<int64_t> ids = table.sort_and_rank(path);
  arcs.resize(rows.size());
  rank_rows(rows, table, arcs);
  return ids;
}

NumberedIds with_ids(std::vector<NodePair> arcs, std::vector<int64_t> ids) {
  NumberedIds result;
  result.num_nodes = static_cast<int64_t>(ids.size());
  result.arcs = std::move(arcs);
  if (ids.back() != result.num_nodes - 1) {
    result.ids = std::move(ids);
  }
  return result;
}

}  // namespace

NumberedIds number_integer_ids(const std::filesystem::path& path, IntegerRows<NodePair> rows) {
  if (rows.largest >= most_bits(static_cast<int64_t>(rows.rows.size()))) {
    std::vector<int64_t> ids = rank_by_table(path, rows.rows, rows.rows);
    return with_ids(std::move(rows.rows), std::move(ids));
  }
  IdSet set = ids_of(rows);
  NumberedIds result;
  result.num_nodes = set.count_ranks();
  check_node_count(path, result.num_nodes);
  if (result.num_nodes <= rows.largest) {
    rank_rows(rows.rows, set, rows.rows);
    result.ids = set.ids(result.num_nodes);
  }
  result.arcs = std::move(rows.rows);
  return result;
}

// By value as the other one, so that a caller hands over the rows of either kind.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
NumberedIds number_integer_ids(const std::filesystem::path& path, IntegerRows<WidePair> rows) {
  std::vector<NodePair> arcs;
  std::vector<int64_t> ids = rank_by_table(path, rows.rows, arcs);
  return with_ids(std::move(arcs), std::move(ids));
}

int32_t WordNumbering::number(std::string_view word) {
  if (const auto found = numbers_.find(word); found != numbers_.end()) {
    return found->second;
  }
  if (size() == std::numeric_limits<NodeId>::max()) {
    fail("more than {} different words", std::numeric_limits<NodeId>::max());
  }
  const auto added = numbers_.emplace(std::string(word), static_cast<int32_t>(size())).first;
  words_.push_back(&added->first);
  return added->second;
}

int32_t WordNumbering::find(std::string_view word) const {
  const auto found = numbers_.find(word);
  return found == numbers_.end() ? -1 : found->second;
}

std::vector<std::string> WordNumbering::take_words() && {
  std::vector<std::string> result(words_.size());
  while (!numbers_.empty()) {
    auto node = numbers_.extract(numbers_.begin());
    result[node.mapped()] = std::move(node.key());
  }
  words_.clear();
  return result;
}

}  // namespace disenlink::detail
