// Common Neighbours. Liben-Nowell and Kleinberg, The link prediction problem for social networks.
//
//   CN(u, v) = |N(u) n N(v)|, N = neighbours in the message graph
//
// Differs from the paper: no. Differs from the authors' code: there is none.
#include "core/options.h"
#include "models/baselines/neighbor_overlap.h"
#include "models/registry.h"

namespace disenlink::detail {
namespace {

class CommonNeighbors : public LinkModel {
 public:
  void encode(const Adjacency& message_graph, const Features&) override { graph_ = &message_graph; }

  void score(std::span<const NodePair> pairs, std::span<float> logits) const override {
    score_common_neighbors(*graph_, pairs, logits, [](NodeId) { return 1.0; });
  }

 private:
  const Adjacency* graph_ = nullptr;
};

}  // namespace

std::unique_ptr<LinkModel> make_common_neighbors(const ModelOptions& options) {
  OptionTable none;
  none.set_all(options);
  return std::make_unique<CommonNeighbors>();
}

}  // namespace disenlink::detail
