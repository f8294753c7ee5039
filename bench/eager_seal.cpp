// SEAL as one would write it with libtorch: subgraphs of a batch joined into one graph, messages by
// index_select and index_add, sort pooling on rows padded to the largest subgraph. Formulas and
// shapes are in src/models/baselines/seal.cpp.
#include <algorithm>

#include "eager_baselines.h"
#include "models/baselines/seal_layers.h"

namespace disenlink::bench {
namespace {

using detail::DgcnnShape;
using detail::SubgraphBatch;
using torch::Tensor;

Tensor numbers(const auto& items) {
  return torch::tensor(std::vector<int64_t>(items.begin(), items.end()));
}

class EagerSeal : public EagerBaseline {
 public:
  void learn(std::span<const NodePair> positives, std::span<const NodePair> negatives) override {
    std::vector<NodePair> pairs(positives.begin(), positives.end());
    pairs.insert(pairs.end(), negatives.begin(), negatives.end());
    const auto total = static_cast<int64_t>(pairs.size());
    const int64_t seen = std::min(total, kSealPairsPerEpoch);
    for (int64_t first = 0; first < seen; first += kBatch) {
      std::vector<NodePair> some;
      std::vector<float> signs;
      for (int64_t i = first; i < std::min(seen, first + kBatch); ++i) {
        const int64_t number = i * total / seen;
        some.push_back(pairs[number]);
        signs.push_back(number < static_cast<int64_t>(positives.size()) ? -1.0F : 1.0F);
      }
      descend(torch::softplus(torch::tensor(signs) * classify(some, true)).mean());
    }
  }

  Tensor score(std::span<const NodePair> pairs) override { return classify(pairs, false); }

 private:
  static constexpr int64_t kBatch = 50;

  std::pair<Tensor, Tensor> encode() override { return {}; }  // it has no vectors of nodes

  Tensor classify(std::span<const NodePair> pairs, bool is_training) const {
    const SubgraphBatch batch = detail::extract_subgraphs(graph(), pairs, {});
    const Tensor rows = torch::relu(layer(pooled(batch), "rows"));
    const int64_t halved = rows.size(1) / 2;
    const Tensor larger = rows.narrow(1, 0, 2 * halved)
                              .reshape({rows.size(0), halved, 2, DgcnnShape::kRowChannels})
                              .amax(2);
    const Tensor windows = larger.unfold(1, DgcnnShape::kWindowRows, 1)
                               .transpose(2, 3)
                               .reshape({rows.size(0), -1, DgcnnShape::kWindowWidth});
    const Tensor read = torch::relu(layer(windows, "windows")).flatten(1);
    const Tensor dense = torch::dropout(torch::relu(layer(read, "dense")), 0.5, is_training);
    const Tensor out = layer(dense, "out");
    return out.select(1, 1) - out.select(1, 0);
  }

  Tensor layer(const Tensor& x, const std::string& name) const {
    return torch::matmul(x, at("w_" + name)) + at("b_" + name);
  }

  // (graphs, pooled rows, row width), zeros where a graph has no more rows.
  Tensor pooled(const SubgraphBatch& batch) const {
    const Tensor h = convolve(batch);
    const Tensor offsets = numbers(batch.offsets);
    const Tensor sizes = offsets.slice(0, 1) - offsets.slice(0, 0, -1);
    const Tensor graphs = torch::repeat_interleave(sizes);
    const Tensor places =
        torch::arange(batch.num_rows()) - offsets.slice(0, 0, -1).index_select(0, graphs);
    const int64_t kept = pooled_rows();
    const int64_t widest = std::max(sizes.max().item<int64_t>(), kept);
    const Tensor padded =
        torch::zeros({batch.num_graphs(), widest, h.size(1)}).index_put({graphs, places}, h);
    const Tensor keys = torch::full({batch.num_graphs(), widest}, -2.0F)
                            .index_put({graphs, places}, h.select(1, h.size(1) - 1).detach());
    const Tensor order = std::get<1>(torch::sort(keys, /*stable=*/true, 1, /*descending=*/true));
    return padded.gather(1, order.narrow(1, 0, kept).unsqueeze(2).expand({-1, -1, h.size(1)}));
  }

  // The dense layer reads pooled rows / 2 - 4 windows.
  int64_t pooled_rows() const {
    const int64_t windows = at("w_dense").size(0) / DgcnnShape::kWindowChannels;
    return 2 * (windows + DgcnnShape::kWindowRows - 1);
  }

  // H1 | H2 | H3 | H4
  Tensor convolve(const SubgraphBatch& batch) const {
    const Tensor offsets = numbers(batch.neighbors.offsets);
    const Tensor degrees = offsets.slice(0, 1) - offsets.slice(0, 0, -1);
    const Tensor receivers = torch::repeat_interleave(degrees);
    const Tensor senders = numbers(batch.neighbors.others);
    const Tensor labels = numbers(batch.labels).clamp_max(at("w_graph1").size(0) - 1);
    std::vector<Tensor> layers;
    Tensor product = at("w_graph1").index_select(0, labels);
    for (const std::string name : {"graph1", "graph2", "graph3", "graph4"}) {
      if (!layers.empty()) {
        product = torch::mm(layers.back(), at("w_" + name));
      }
      const Tensor sums =
          torch::zeros_like(product).index_add(0, receivers, product.index_select(0, senders));
      layers.push_back(torch::tanh((sums + at("b_" + name)) / degrees.unsqueeze(1)));
    }
    return torch::cat(layers, 1);
  }
};

}  // namespace

std::unique_ptr<EagerBaseline> make_eager_seal() { return std::make_unique<EagerSeal>(); }

}  // namespace disenlink::bench
