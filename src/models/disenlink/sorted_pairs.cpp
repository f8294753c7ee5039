#include "models/disenlink/sorted_pairs.h"

#include <limits>

#include "core/fail.h"

namespace disenlink::detail {
namespace {

// offsets[n] .. offsets[n + 1]: places of key n, once every key has been counted into n + 1.
void sum_up(std::vector<int64_t>& offsets) {
  for (size_t i = 1; i < offsets.size(); ++i) {
    offsets[i] += offsets[i - 1];
  }
}

}  // namespace

void SortedPairs::assign(int64_t num_nodes, std::span<const NodePair> positives,
                         std::span<const NodePair> negatives, const EdgeIndex* own_edges) {
  const size_t count = positives.size() + negatives.size();
  if (count > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    fail("{} training pairs, at most {} are supported; use fewer negatives per positive", count,
         std::numeric_limits<int32_t>::max());
  }
  heads_.resize(count);
  tails_.resize(count);
  is_link_.resize(count);
  edges_.resize(own_edges == nullptr ? 0 : count);
  tail_order_.resize(count);
  head_offsets_.assign(num_nodes + 1, 0);
  tail_offsets_.assign(num_nodes + 1, 0);
  for (const auto pairs : {positives, negatives}) {
    for (const NodePair pair : pairs) {
      ++head_offsets_[pair.source + 1];
      ++tail_offsets_[pair.target + 1];
    }
  }
  sum_up(head_offsets_);
  sum_up(tail_offsets_);
  next_.assign(head_offsets_.begin(), head_offsets_.end() - 1);
  for (const bool linked : {true, false}) {
    for (const NodePair pair : linked ? positives : negatives) {
      const int64_t place = next_[pair.source]++;
      heads_[place] = pair.source;
      tails_[place] = pair.target;
      is_link_[place] = linked ? 1 : 0;
      if (own_edges != nullptr) {
        edges_[place] = linked ? static_cast<int32_t>(own_edges->find(pair)) : -1;
      }
    }
  }
  next_.assign(tail_offsets_.begin(), tail_offsets_.end() - 1);
  for (size_t place = 0; place < count; ++place) {
    tail_order_[next_[tails_[place]]++] = static_cast<int32_t>(place);
  }
}

PairBatch SortedPairs::batch() const {
  return {.num_pairs = size(),
          .heads = heads_.data(),
          .tails = tails_.data(),
          .head_offsets = head_offsets_.data(),
          .tail_offsets = tail_offsets_.data(),
          .tail_order = tail_order_.data(),
          .is_link = is_link_.data(),
          .edges = edges_.empty() ? nullptr : edges_.data(),
          .link_weight = 1,
          .other_weight = 1,
          .squared_error = false};
}

}  // namespace disenlink::detail
