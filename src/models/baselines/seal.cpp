// SEAL. Zhang and Chen, Link prediction based on graph neural networks. The network is DGCNN, of
// Zhang, Cui, Neumann and Chen, An end-to-end deep learning architecture for graph classification.
//
// A pair is classified by its enclosing subgraph (seal_subgraph.h): n nodes, labels up to L.
//
//   H0 = a column for each label, with --use-features also X    (n, L + 1 [+ F])
//   H[l + 1] = tanh(D^-1 ((A + I) H[l] w[l] + b[l]))         (n, hidden), three times, then (n, 1)
//   R = k rows of H1 | H2 | H3 | H4, highest H4 first        (k, 3 hidden + 1), zeros after row n
//   C = relu(R w + b)                                        (k, 16)
//   M = larger of rows 2i and 2i + 1 of C                    (k / 2, 16)
//   V = relu(five successive rows of M, times w, + b)        (k / 2 - 4, 32)
//   dense to 128, relu, dropout 0.5, dense to 2              logit = their difference
//
// The loss is the cross-entropy. k is the number of nodes that 60 % of the subgraphs do not exceed,
// at least 10.
//
// Differs from the paper: links and non-links weigh the same whatever their numbers, as in the
// other models here; the epoch is chosen by the AUC of validation; --nodes-per-hop limits hubs; an
// epoch sees a fresh sample of --pairs-per-epoch pairs; L and k come from at most 1,000 training
// links, and larger labels count as L. Subgraphs are made when they are needed and never stored.
// Differs from the authors' code: they published none for this method.
#include <fmt/format.h>
#include <torch/types.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/fail.h"
#include "disenlink/interrupt.h"
#include "models/baselines/learned.h"
#include "models/baselines/seal_network.h"
#include "models/baselines/settings.h"
#include "nn/parameter_set.h"

namespace disenlink::detail {
namespace {

constexpr double kDropout = 0.5;

struct SealOptions {
  SubgraphOptions subgraph;
  int64_t hidden = 32;
  int64_t batch = 50;
  int64_t pairs_per_epoch = 100'000;
  bool features = false;
};

// `count` of the numbers below `total` in random order (Floyd's sampling).
std::vector<int64_t> draw_subset(int64_t total, int64_t count, Random& random) {
  std::vector<bool> is_taken(total, false);
  std::vector<int64_t> subset;
  subset.reserve(count);
  for (int64_t last = total - count; last < total; ++last) {
    const auto drawn = static_cast<int64_t>(random.below(last + 1));
    const int64_t taken = is_taken[drawn] ? last : drawn;
    is_taken[taken] = true;
    subset.push_back(taken);
  }
  shuffle(std::span(subset), random);
  return subset;
}

// Some pairs of a step and how each counts in the loss.
struct StepPairs {
  std::vector<NodePair> pairs;
  std::vector<float> signs;
  std::vector<float> weights;
};

class Seal : public TrainableModel {
 public:
  explicit Seal(const SealOptions& options) : options_(options) {}

  void start(const MessageGraph& message_graph, const Features& features, Random& random) override {
    bind(message_graph, features);
    num_features_ = options_.features ? features.num_columns() : 0;
    network_ = Dgcnn<float>({.bounds = sample_bounds(message_graph, options_.subgraph),
                             .num_features = num_features_,
                             .hidden = options_.hidden});
    add_parameters(random);
    subset_.clear();
  }

  void encode(const MessageGraph& message_graph, const Features& features) override {
    if (parameters_.empty()) {
      fail("this model must be trained before it can score");
    }
    if (options_.features && features.num_columns() != num_features_) {
      fail("the model's weights do not fit a graph with {} features", features.num_columns());
    }
    bind(message_graph, features);
  }

  std::vector<Parameter> parameters() override { return parameters_.list(); }

  int64_t steps_per_epoch(int64_t num_pairs) const override {
    const int64_t seen = std::min(num_pairs, options_.pairs_per_epoch);
    return (seen + options_.batch - 1) / options_.batch;
  }

  StepReport compute_gradients(const TrainStep& step) override;
  void refresh() override {}  // score() reads the parameters themselves
  void score(std::span<const NodePair> pairs, std::span<float> logits) const override;

 private:
  void bind(const MessageGraph& message_graph, const Features& features) {
    if (options_.features && features.empty()) {
      fail("SEAL with --use-features needs node features, and this graph has none");
    }
    graph_ = &message_graph;
    features_ = &features;
  }

  void add_parameters(Random& random);
  StepPairs pairs_of(const TrainStep& step);
  SubgraphSource source() const {
    return {graph_, options_.features ? features_ : nullptr, options_.subgraph};
  }

  SealOptions options_;
  const MessageGraph* graph_ = nullptr;
  const Features* features_ = nullptr;
  int64_t num_features_ = 0;  // that the network reads
  ParameterSet parameters_;
  DgcnnArrays<float> values_{};     // of the parameters
  DgcnnArrays<float> gradients_{};  // by them
  Dgcnn<float> network_;
  // The pairs of one epoch: positives, then negatives, by number.
  std::vector<int64_t> subset_;
  std::string subset_purpose_;
  uint64_t subset_seed_ = 0;
};

// Glorot for what the graph convolutions and the dense layers multiply with, libtorch's default for
// the convolutions along rows.
void Seal::add_parameters(Random& random) {
  parameters_ = {};
  std::array<torch::Tensor, kNumLayers> w;
  std::array<torch::Tensor, kNumLayers> b;
  for (size_t i = 0; const LayerShape& layer : network_.shape().layers()) {
    w[i] = parameters_.add(fmt::format("w_{}", layer.name), {layer.from, layer.to});
    b[i] = parameters_.add(fmt::format("b_{}", layer.name), {layer.to});
    values_[i] = {w[i].data_ptr<float>(), b[i].data_ptr<float>()};
    gradients_[i] = {w[i].grad().data_ptr<float>(), b[i].grad().data_ptr<float>()};
    ++i;
  }
  for (const size_t i : {kGraph1, kGraph2, kGraph3, kGraph4, kDense, kOut}) {
    fill_glorot(w[i], random);
  }
  for (const size_t i : {kRows, kWindows}) {
    fill_linear(w[i], b[i], random);
  }
}

// Averaged over the batches of an epoch, the loss is that of the other models: the mean over the
// links plus the mean over the non-links.
StepPairs Seal::pairs_of(const TrainStep& step) {
  const auto links = static_cast<int64_t>(step.positives.size());
  const auto others = static_cast<int64_t>(step.negatives.size());
  const int64_t total = links + others;
  const int64_t count = std::min(total, options_.pairs_per_epoch);
  const std::string purpose = fmt::format("subset of {} pairs in epoch {}", total, step.epoch);
  if (subset_.empty() || purpose != subset_purpose_ || step.seed != subset_seed_) {
    Random random(step.seed, purpose);
    subset_ = draw_subset(total, count, random);
    subset_purpose_ = purpose;
    subset_seed_ = step.seed;
  }
  const int64_t first = step.index * options_.batch;
  const int64_t last = std::min(count, first + options_.batch);
  StepPairs result;
  for (int64_t i = first; i < last; ++i) {
    const int64_t number = subset_[i];
    const bool is_link = number < links;
    result.pairs.push_back(is_link ? step.positives[number] : step.negatives[number - links]);
    result.signs.push_back(is_link ? -1.0F : 1.0F);
    result.weights.push_back(static_cast<float>(
        static_cast<double>(total) /
        (static_cast<double>(is_link ? links : others) * static_cast<double>(last - first))));
  }
  return result;
}

StepReport Seal::compute_gradients(const TrainStep& step) {
  const StepPairs pairs = pairs_of(step);
  const torch::Tensor dropout =
      dropout_mask({static_cast<int64_t>(pairs.pairs.size()), DgcnnShape::kDenseUnits}, kDropout,
                   step, "dropout");
  const double loss = network_.learn(source(),
                                     {.pairs = pairs.pairs,
                                      .signs = pairs.signs,
                                      .weights = pairs.weights,
                                      .dropout = dropout.data_ptr<float>()},
                                     read_only(values_), gradients_);
  return {.loss = loss};
}

void Seal::score(std::span<const NodePair> pairs, std::span<float> logits) const {
  constexpr size_t kPairsBetweenChecks = 2048;
  for (size_t first = 0; first < pairs.size(); first += kPairsBetweenChecks) {
    check_interrupt();
    const size_t count = std::min(kPairsBetweenChecks, pairs.size() - first);
    network_.score(source(), pairs.subspan(first, count), read_only(values_),
                   logits.subspan(first, count));
  }
}

class SealFactory : public BaselineFactory {
 public:
  SealFactory() : BaselineFactory("seal") {}

  void add_options(OptionTable& table) override;

  TrainOptions train_defaults() const override {
    TrainOptions options = BaselineFactory::train_defaults();
    options.learning_rate = 1e-4;
    options.epochs = 50;
    options.patience = 10;  // measured: docs/models.md
    return options;
  }

  // No published runs of SEAL are known, so there is nothing to set by dataset.
  ModelOptions preset_options(std::string_view preset,
                              std::string_view /*dataset*/) const override {
    return preset == "default" ? ModelOptions{} : ModelOptions{{"fresh-negatives", "false"}};
  }

  std::unique_ptr<LinkModel> make() const override { return std::make_unique<Seal>(options_); }

 private:
  SealOptions options_;
};

void SealFactory::add_options(OptionTable& table) {
  table.add({.name = "hops",
             .help = "Reach of a pair's subgraph",
             .target = &options_.subgraph.hops,
             .least = 1,
             .most = 100});
  table.add({.name = "nodes-per-hop",
             .help = "Nodes that a hop adds to a subgraph at most, drawn at random; 0 = all",
             .target = &options_.subgraph.nodes_per_hop,
             .least = 0,
             .most = 1e9});
  table.add({.name = "hidden",
             .help = "Units of the graph convolutions",
             .target = &options_.hidden,
             .least = 1,
             .most = 65536});
  table.add({.name = "batch",
             .help = "Pairs that a step learns from",
             .target = &options_.batch,
             .least = 1,
             .most = 1e6});
  table.add({.name = "pairs-per-epoch",
             .help = "Pairs that an epoch learns from at most, drawn anew for each",
             .target = &options_.pairs_per_epoch,
             .least = 1,
             .most = 1e12});
  table.add({.name = "use-features",
             .help = "Give the network the nodes' features beside their labels",
             .target = &options_.features});
}

}  // namespace

std::unique_ptr<ModelFactory> new_seal() { return new_factory<SealFactory>(); }

}  // namespace disenlink::detail
