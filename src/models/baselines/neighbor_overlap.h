// Scores that sum a weight over the common neighbours of a pair.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "disenlink/model.h"
#include "kernels/parallel.h"
#include "models/factory.h"

namespace disenlink::detail {

// The neighbours that count: all of them, or only those that a node's own rows lead to. The graph
// must outlive this.
class NeighborLists {
 public:
  NeighborLists() = default;
  NeighborLists(const MessageGraph& graph, bool one_direction);

  std::span<const NodeId> neighbors(NodeId node) const {
    return {nodes_.data() + offsets_[node],
            static_cast<size_t>(offsets_[node + 1] - offsets_[node])};
  }

 private:
  std::span<const int64_t> offsets_;  // (nodes + 1)
  std::span<const NodeId> nodes_;     // ascending, each once, for every node
  std::vector<int64_t> own_offsets_;
  std::vector<NodeId> own_nodes_;
};

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
void score_common_neighbors(const NeighborLists& lists, std::span<const NodePair> pairs,
                            std::span<float> logits, Weight&& weight) {
  constexpr int64_t kPairsPerBlock = 1024;
  parallel_blocks(
      static_cast<int64_t>(pairs.size()), kPairsPerBlock, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          double sum = 0;
          for_each_common(lists.neighbors(pairs[i].source), lists.neighbors(pairs[i].target),
                          [&](NodeId node) { sum += weight(node); });
          logits[i] = static_cast<float>(sum);
        }
      });
}

// Model: a LinkModel made from "only along the rows as they are stored".
template <class Model>
class NeighborOverlapFactory : public ModelFactory {
 public:
  bool learns() const override { return false; }

  void add_options(OptionTable& table) override {
    table.add({.name = "message-graph",
               .help = "Neighbours are those linked in either direction, or as stored",
               .target = &message_graph_,
               .allowed = {"symmetric", "one-direction"}});
  }

  std::unique_ptr<LinkModel> make() const override {
    return std::make_unique<Model>(message_graph_ == "one-direction");
  }

 private:
  std::string message_graph_ = "symmetric";
};

}  // namespace disenlink::detail
