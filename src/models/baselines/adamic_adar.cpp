// Adamic-Adar. Adamic and Adar, Friends and neighbors on the web.
//
//   AA(u, v) = sum over w in N(u) n N(v) of 1 / ln deg(w), N = neighbours in the message graph, in
//   either direction unless --message-graph one-direction; deg counts both in any case
//
// A common neighbour has degree 2 at least unless u = v; a neighbour of degree 1 then counts as 0.
// Differs from the paper: no. Differs from the authors' code: there is none.
#include <cmath>
#include <vector>

#include "models/baselines/neighbor_overlap.h"
#include "models/registry.h"

namespace disenlink::detail {
namespace {

class AdamicAdar : public LinkModel {
 public:
  explicit AdamicAdar(bool one_direction) : one_direction_(one_direction) {}

  void encode(const MessageGraph& message_graph, const Features&) override {
    lists_ = std::make_unique<NeighborLists>(message_graph, one_direction_);
    weights_.assign(message_graph.num_nodes(), 0.0);
    for (int64_t node = 0; node < message_graph.num_nodes(); ++node) {
      const int64_t degree = message_graph.degree(static_cast<NodeId>(node));
      if (degree > 1) {
        weights_[node] = 1 / std::log(static_cast<double>(degree));
      }
    }
  }

  void score(std::span<const NodePair> pairs, std::span<float> logits) const override {
    score_common_neighbors(*lists_, pairs, logits, [&](NodeId node) { return weights_[node]; });
  }

 private:
  bool one_direction_;
  std::unique_ptr<NeighborLists> lists_;
  std::vector<double> weights_;  // (num_nodes)
};

}  // namespace

std::unique_ptr<ModelFactory> new_adamic_adar() {
  return new_factory<NeighborOverlapFactory<AdamicAdar>>();
}

}  // namespace disenlink::detail
