// Common Neighbours. Liben-Nowell and Kleinberg, The link prediction problem for social networks.
//
//   CN(u, v) = |N(u) n N(v)|, N = neighbours in the message graph
//
// Differs from the paper: no. Differs from the authors' code: there is none.
#include "models/baselines/neighbor_overlap.h"
#include "models/factory.h"
#include "models/registry.h"

namespace disenlink::detail {
namespace {

class CommonNeighbors : public LinkModel {
 public:
  void encode(const MessageGraph& message_graph, const Features&) override {
    graph_ = &message_graph;
  }

  void score(std::span<const NodePair> pairs, std::span<float> logits) const override {
    score_common_neighbors(*graph_, pairs, logits, [](NodeId) { return 1.0; });
  }

 private:
  const Adjacency* graph_ = nullptr;
};

class CommonNeighborsFactory : public ModelFactory {
 public:
  bool learns() const override { return false; }
  std::unique_ptr<LinkModel> make() const override { return std::make_unique<CommonNeighbors>(); }
};

}  // namespace

std::unique_ptr<ModelFactory> new_common_neighbors() {
  return new_factory<CommonNeighborsFactory>();
}

}  // namespace disenlink::detail
