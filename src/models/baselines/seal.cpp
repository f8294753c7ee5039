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
#include <torch/csrc/autograd/custom_function.h>
#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/fail.h"
#include "disenlink/interrupt.h"
#include "kernels/graph_kernels.h"
#include "kernels/parallel.h"
#include "models/baselines/learned.h"
#include "models/baselines/seal_subgraph.h"
#include "models/baselines/settings.h"
#include "nn/linear.h"
#include "nn/parameter_set.h"
#include "nn/torch_runtime.h"

namespace disenlink::detail {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr int64_t kRowChannels = 16;
constexpr int64_t kWindowRows = 5;
constexpr int64_t kWindowChannels = 32;
constexpr int64_t kDenseUnits = 128;
constexpr double kDropout = 0.5;

struct SealOptions {
  SubgraphOptions subgraph;
  int64_t hidden = 32;
  int64_t batch = 50;
  int64_t pairs_per_epoch = 100'000;
  bool features = false;
};

// What the network reads of some pairs; shared, since the backward pass reads it again.
struct SealInput : torch::CustomClassHolder {
  SealInput(SubgraphBatch batch, const Features* node_features, int64_t last_label)
      : subgraphs(std::move(batch)),
        features(node_features),
        largest_label(last_label),
        ones(torch::ones({subgraphs.neighbors.offsets.back()})),
        shares(torch::empty({subgraphs.num_rows(), 1})) {
    const auto& offsets = subgraphs.neighbors.offsets;
    for (int64_t row = 0; row < subgraphs.num_rows(); ++row) {
      shares.data_ptr<float>()[row] = 1.0F / static_cast<float>(offsets[row + 1] - offsets[row]);
    }
  }

  // Calls use(column, value) for what a row of H0 has beside zeros.
  template <typename Use>
  void for_each_value(int64_t row, Use&& use) const {
    use(std::min<int64_t>(subgraphs.labels[row], largest_label), 1.0F);
    if (features == nullptr) {
      return;
    }
    const int64_t first = largest_label + 1;
    const NodeId node = subgraphs.nodes[row];
    if (features->is_sparse()) {
      const SparseRow values = features->sparse_row(node);
      for (size_t i = 0; i < values.columns.size(); ++i) {
        use(first + values.columns[i], values.values[i]);
      }
    } else {
      const auto values = features->dense_row(node);
      for (size_t i = 0; i < values.size(); ++i) {
        use(first + static_cast<int64_t>(i), values[i]);
      }
    }
  }

  SubgraphBatch subgraphs;
  const Features* features;  // null = labels only
  int64_t largest_label;
  Tensor ones;    // (edges)
  Tensor shares;  // (rows, 1) the diagonal of D^-1
};

using SharedInput = c10::intrusive_ptr<SealInput>;

void keep_input(AutogradContext* context, const SharedInput& input) {
  context->saved_data["input"] = c10::IValue::make_capsule(input);
}

SharedInput input_of(AutogradContext* context) {
  return c10::static_intrusive_pointer_cast<SealInput>(context->saved_data["input"].toCapsule());
}

void add_scaled(float* to, const float* from, float scale, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    to[i] += scale * from[i];
  }
}

// H0 w; H0 itself is never made.
struct FirstProduct : torch::autograd::Function<FirstProduct> {
  static Tensor forward(AutogradContext* context, const Tensor& w, const SharedInput& input) {
    keep_input(context, input);
    context->saved_data["rows_of_w"] = w.size(0);
    const int64_t width = w.size(1);
    Tensor out = torch::zeros({input->subgraphs.num_rows(), width});
    const float* const weights = w.data_ptr<float>();
    float* const values = out.data_ptr<float>();
    for (int64_t row = 0; row < out.size(0); ++row) {
      input->for_each_value(row, [&](int64_t column, float value) {
        add_scaled(values + row * width, weights + column * width, value, width);
      });
    }
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const Tensor slope = gradients[0].contiguous();
    const int64_t width = slope.size(1);
    Tensor by_w = torch::zeros({context->saved_data["rows_of_w"].toInt(), width});
    const float* const slopes = slope.data_ptr<float>();
    float* const values = by_w.data_ptr<float>();
    const SharedInput input = input_of(context);
    for (int64_t row = 0; row < slope.size(0); ++row) {
      input->for_each_value(row, [&](int64_t column, float value) {
        add_scaled(values + column * width, slopes + row * width, value, width);
      });
    }
    return {by_w, Tensor()};
  }
};

// (A + I) x
Tensor sum_neighbors(const SealInput& input, const Tensor& x) {
  Tensor out = torch::empty_like(x);
  graph_kernels<float>().aggregate(input.subgraphs.neighbors, {1, x.size(1)}, false,
                                   input.ones.data_ptr<float>(), x.data_ptr<float>(),
                                   out.data_ptr<float>());
  return out;
}

// tanh(D^-1 ((A + I) x + b)) in place of four results that would all be kept.
struct Convolve : torch::autograd::Function<Convolve> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& b,
                        const SharedInput& input) {
    Tensor out = sum_neighbors(*input, x.contiguous()).add_(b).mul_(input->shares).tanh_();
    keep_input(context, input);
    context->save_for_backward({out});
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const SharedInput input = input_of(context);
    const Tensor out = context->get_saved_variables()[0];
    const Tensor slope = at::tanh_backward(gradients[0], out).mul_(input->shares).contiguous();
    return {sum_neighbors(*input, slope), slope.sum(0), Tensor()};
  }
};

// Rows of x, zeros for row -1. rows: (count) without repeats.
struct PickRows : torch::autograd::Function<PickRows> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& rows) {
    context->save_for_backward({rows});
    context->saved_data["rows_of_x"] = x.size(0);
    Tensor out = torch::zeros({rows.size(0), x.size(1)});
    for_each_row(rows, [&, from = x.data_ptr<float>(), to = out.data_ptr<float>(),
                        width = x.size(1)](int64_t place, int64_t row) {
      std::copy_n(from + row * width, width, to + place * width);
    });
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const Tensor slope = gradients[0].contiguous();
    Tensor by_x = torch::zeros({context->saved_data["rows_of_x"].toInt(), slope.size(1)});
    for_each_row(context->get_saved_variables()[0],
                 [&, from = slope.data_ptr<float>(), to = by_x.data_ptr<float>(),
                  width = slope.size(1)](int64_t place, int64_t row) {
                   std::copy_n(from + place * width, width, to + row * width);
                 });
    return {by_x, Tensor()};
  }

 private:
  template <typename Use>
  static void for_each_row(const Tensor& rows, Use&& use) {
    const int64_t* const values = rows.data_ptr<int64_t>();
    for (int64_t place = 0; place < rows.size(0); ++place) {
      if (values[place] >= 0) {
        use(place, values[place]);
      }
    }
  }
};

// The rows that sort pooling keeps of each graph, (graphs * count), -1 where a graph has no more.
// Equal keys stay in the order of the rows; what is not a number comes last.
Tensor highest_rows(const SubgraphBatch& batch, const Tensor& keys, int64_t count) {
  const auto key = [values = keys.data_ptr<float>()](int64_t row) {
    return std::isnan(values[row]) ? -std::numeric_limits<float>::infinity() : values[row];
  };
  Tensor result = torch::full({batch.num_graphs() * count}, -1, torch::kLong);
  std::vector<int64_t> rows;
  for (int64_t graph = 0; graph < batch.num_graphs(); ++graph) {
    rows.resize(batch.offsets[graph + 1] - batch.offsets[graph]);
    std::iota(rows.begin(), rows.end(), batch.offsets[graph]);
    const int64_t taken = std::min(count, static_cast<int64_t>(rows.size()));
    std::partial_sort(rows.begin(), rows.begin() + taken, rows.end(), [&](int64_t a, int64_t b) {
      return key(a) > key(b) || (key(a) == key(b) && a < b);
    });
    std::copy_n(rows.begin(), taken, result.data_ptr<int64_t>() + graph * count);
  }
  return result;
}

class Dgcnn {
 public:
  Dgcnn() = default;
  Dgcnn(ParameterSet& parameters, const SubgraphBounds& bounds, int64_t num_features,
        int64_t hidden, Random& random)
      : bounds_(bounds) {
    const int64_t windows = bounds.pooled_rows / 2 - kWindowRows + 1;
    graph_ = {add(parameters, "graph1", bounds.largest_label + 1 + num_features, hidden),
              add(parameters, "graph2", hidden, hidden), add(parameters, "graph3", hidden, hidden),
              add(parameters, "graph4", hidden, 1)};
    rows_ = add(parameters, "rows", 3 * hidden + 1, kRowChannels);
    windows_ = add(parameters, "windows", kWindowRows * kRowChannels, kWindowChannels);
    dense_ = add(parameters, "dense", windows * kWindowChannels, kDenseUnits);
    out_ = add(parameters, "out", kDenseUnits, 2);
    for (const Layer& layer : {graph_[0], graph_[1], graph_[2], graph_[3], dense_, out_}) {
      fill_glorot(layer.w, random);
    }
    fill_linear(rows_.w, rows_.b, random);
    fill_linear(windows_.w, windows_.b, random);
  }

  // One a pair. dropout: (pairs, dense units) in training, undefined in scoring.
  Tensor logits(const SharedInput& input, const Tensor& dropout) const {
    Tensor dense = torch::relu(dense_layer(read_rows(pool(input)), dense_.w, dense_.b));
    if (dropout.defined()) {
      dense = dense * dropout;
    }
    const Tensor out = dense_layer(dense, out_.w, out_.b);
    return out.select(1, 1) - out.select(1, 0);
  }

  const SubgraphBounds& bounds() const { return bounds_; }
  const tensor_list& weights() const { return weights_; }

 private:
  struct Layer {
    Tensor w, b;
  };

  Layer add(ParameterSet& parameters, const std::string& name, int64_t from, int64_t to) {
    Layer layer{parameters.add("w_" + name, {from, to}), parameters.add("b_" + name, {to})};
    weights_.insert(weights_.end(), {layer.w, layer.b});
    return layer;
  }

  // Graph convolutions and sort pooling: (pairs * k, 3 hidden + 1).
  Tensor pool(const SharedInput& input) const {
    tensor_list h;
    for (const Layer& layer : graph_) {
      const Tensor product =
          h.empty() ? FirstProduct::apply(layer.w, input) : dense_layer(h.back(), layer.w);
      h.push_back(Convolve::apply(product, layer.b, input));
    }
    const Tensor rows = highest_rows(input->subgraphs, h.back(), bounds_.pooled_rows);
    for (Tensor& part : h) {
      part = PickRows::apply(part, rows);
    }
    return torch::cat(h, 1);
  }

  // The convolutions along the sorted rows: (pairs, windows * channels).
  Tensor read_rows(const Tensor& rows) const {
    const int64_t half = bounds_.pooled_rows / 2;
    const Tensor read = torch::relu(dense_layer(rows, rows_.w, rows_.b))
                            .view({-1, bounds_.pooled_rows, kRowChannels})
                            .slice(1, 0, 2 * half)
                            .reshape({-1, half, 2, kRowChannels});
    const Tensor larger = torch::maximum(read.select(2, 0), read.select(2, 1));
    // Rows lie one behind the other, so a window is a stretch of memory.
    const Tensor windows = larger.flatten(1).unfold(1, kWindowRows * kRowChannels, kRowChannels);
    return torch::relu(dense_layer(windows.flatten(0, 1), windows_.w, windows_.b))
        .view({larger.size(0), -1});
  }

  SubgraphBounds bounds_;
  std::array<Layer, 4> graph_;
  Layer rows_, windows_, dense_, out_;
  tensor_list weights_;
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
struct WeighedPairs {
  std::vector<NodePair> pairs;
  std::vector<float> signs;  // of the logit in the loss: -1 for links
  std::vector<float> weights;
};

Tensor tensor_of(const std::vector<float>& values, int64_t begin, int64_t end) {
  return torch::tensor(torch::ArrayRef<float>(values.data() + begin, end - begin));
}

class Seal : public TrainableModel {
 public:
  explicit Seal(const SealOptions& options) : options_(options) {}

  void start(const MessageGraph& message_graph, const Features& features, Random& random) override {
    bind(message_graph, features);
    num_features_ = options_.features ? features.num_columns() : 0;
    parameters_ = {};
    network_ = Dgcnn(parameters_, sample_bounds(message_graph, options_.subgraph), num_features_,
                     options_.hidden, random);
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
  // What a thread finds out of some of a step's pairs.
  struct Part {
    double loss = 0;
    tensor_list gradients;  // by the weights of the network
  };

  void bind(const MessageGraph& message_graph, const Features& features) {
    if (options_.features && features.empty()) {
      fail("SEAL with --use-features needs node features, and this graph has none");
    }
    graph_ = &message_graph;
    features_ = &features;
  }

  SharedInput input_of_pairs(std::span<const NodePair> pairs) const {
    return c10::make_intrusive<SealInput>(extract_subgraphs(*graph_, pairs, options_.subgraph),
                                          options_.features ? features_ : nullptr,
                                          network_.bounds().largest_label);
  }

  WeighedPairs pairs_of(const TrainStep& step);
  // Called on several threads; how many libtorch uses and whether it keeps gradients are settings
  // of each thread.
  Part learn(const WeighedPairs& pairs, const Tensor& dropout, int64_t begin, int64_t end) const;
  void score_part(std::span<const NodePair> pairs, float* logits) const;

  SealOptions options_;
  const MessageGraph* graph_ = nullptr;
  const Features* features_ = nullptr;
  int64_t num_features_ = 0;  // that the network reads
  ParameterSet parameters_;
  Dgcnn network_;
  // The pairs of one epoch: positives, then negatives, by number.
  std::vector<int64_t> subset_;
  std::string subset_purpose_;
  uint64_t subset_seed_ = 0;
};

// Averaged over the batches of an epoch, the loss is that of the other models: the mean over the
// links plus the mean over the non-links.
WeighedPairs Seal::pairs_of(const TrainStep& step) {
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
  WeighedPairs result;
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

Seal::Part Seal::learn(const WeighedPairs& pairs, const Tensor& dropout, int64_t begin,
                       int64_t end) const {
  const SerialTorch serial;
  const SharedInput input = input_of_pairs(std::span(pairs.pairs).subspan(begin, end - begin));
  const Tensor logits = network_.logits(input, dropout.slice(0, begin, end));
  const Tensor losses = torch::softplus(logits * tensor_of(pairs.signs, begin, end));
  const Tensor loss = (losses * tensor_of(pairs.weights, begin, end)).sum();
  return {loss.item<double>(), torch::autograd::grad({loss}, network_.weights())};
}

// Subgraphs are small, so threads take different pairs instead of sharing the work on each array.
StepReport Seal::compute_gradients(const TrainStep& step) {
  constexpr int64_t kPairsPerPart = 13;  // a quarter of the usual batch
  const SerialTorch serial;
  const WeighedPairs pairs = pairs_of(step);
  const auto count = static_cast<int64_t>(pairs.pairs.size());
  const Tensor dropout = dropout_mask({count, kDenseUnits}, kDropout, step, "dropout");
  std::vector<Part> parts((count + kPairsPerPart - 1) / kPairsPerPart);
  parallel_blocks(count, kPairsPerPart, [&](int64_t begin, int64_t end) {
    parts[begin / kPairsPerPart] = learn(pairs, dropout, begin, end);
  });
  parameters_.clear_gradients();
  StepReport report;
  for (const Part& part : parts) {
    report.loss += part.loss;
    for (size_t i = 0; i < part.gradients.size(); ++i) {
      network_.weights()[i].grad().add_(part.gradients[i]);
    }
  }
  return report;
}

void Seal::score(std::span<const NodePair> pairs, std::span<float> logits) const {
  constexpr size_t kPairsBetweenChecks = 2048;
  constexpr int64_t kPairsPerPart = 32;
  const SerialTorch serial;
  for (size_t first = 0; first < pairs.size(); first += kPairsBetweenChecks) {
    check_interrupt();
    const size_t count = std::min(kPairsBetweenChecks, pairs.size() - first);
    parallel_blocks(static_cast<int64_t>(count), kPairsPerPart, [&](int64_t begin, int64_t end) {
      score_part(pairs.subspan(first + begin, end - begin), logits.data() + first + begin);
    });
  }
}

void Seal::score_part(std::span<const NodePair> pairs, float* logits) const {
  const SerialTorch serial;
  const torch::NoGradGuard no_gradients;
  const Tensor part = network_.logits(input_of_pairs(pairs), {}).contiguous();
  std::copy_n(part.data_ptr<float>(), pairs.size(), logits);
}

class SealFactory : public BaselineFactory {
 public:
  SealFactory() : BaselineFactory("seal") {}

  void add_options(OptionTable& table) override;

  TrainOptions train_defaults() const override {
    TrainOptions options = BaselineFactory::train_defaults();
    options.learning_rate = 1e-4;
    options.epochs = 50;
    options.patience = 50;
    return options;
  }

  // No published runs of SEAL are known, so there is nothing to set by dataset.
  ModelOptions preset_options(std::string_view preset,
                              std::string_view /*dataset*/) const override {
    return preset == "published" ? ModelOptions{{"fresh-negatives", "false"}} : ModelOptions{};
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
