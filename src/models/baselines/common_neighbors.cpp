// Common Neighbours. Liben-Nowell and Kleinberg, The link prediction problem for social networks.
//
//   CN(u, v) = |N(u) n N(v)|, N = neighbours in the message graph, in either direction unless
//   --message-graph one-direction
//
// Differs from the paper: no. Differs from the authors' code: there is none.
#include "models/baselines/neighbor_overlap.h"
#include "models/registry.h"

namespace disenlink::detail {
namespace {

class CommonNeighbors : public LinkModel {
 public:
  explicit CommonNeighbors(bool one_direction) : one_direction_(one_direction) {}

  void encode(const MessageGraph& message_graph, const Features&) override {
    lists_ = std::make_unique<NeighborLists>(message_graph, one_direction_);
  }

  void score(std::span<const NodePair> pairs, std::span<float> logits) const override {
    score_common_neighbors(*lists_, pairs, logits, [](NodeId) { return 1.0; });
  }

 private:
  bool one_direction_;
  std::unique_ptr<NeighborLists> lists_;
};

}  // namespace

std::unique_ptr<ModelFactory> new_common_neighbors() {
  return new_factory<NeighborOverlapFactory<CommonNeighbors>>();
}

}  // namespace disenlink::detail
