// Time of a training epoch of the learned baselines, against the same models in eager libtorch
// operations.
//
//   baseline_bench [--json FILE] [--only MODEL] [--shape NAME] [--threads N]
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/fail.h"
#include "core/resources.h"
#include "disenlink/threads.h"
#include "eager_baselines.h"
#include "kernels/factor_kernels.h"
#include "program.h"
#include "shapes.h"
#include "train/fresh_negatives.h"

namespace disenlink::bench {
namespace {

constexpr int kRounds = 3;
constexpr size_t kPairsCompared = 500;
constexpr double kMostDifference = 1e-3;  // of their scores, relative to the largest

struct Settings {
  std::filesystem::path json;
  std::string only;
  std::string shape;
};

// What training does in one epoch, and the pass that validation needs.
class OwnEpochs {
 public:
  explicit OwnEpochs(TrainableModel& model) : model_(model), parameters_(model.parameters()) {
    for (const Parameter& parameter : parameters_) {
      means_.emplace_back(parameter.values.size());
      squares_.emplace_back(parameter.values.size());
    }
    updates_.resize(parameters_.size(), 0);
  }

  void learn(std::span<const NodePair> positives, std::span<const NodePair> negatives) {
    TrainStep step{positives, negatives, ++epoch_};
    const int64_t steps =
        model_.steps_per_epoch(static_cast<int64_t>(positives.size() + negatives.size()));
    for (step.index = 0; step.index < steps; ++step.index) {
      model_.compute_gradients(step);
      update(model_.group_of_step(step.index));
    }
    model_.refresh();
  }

 private:
  void update(int64_t group) {
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if (parameters_[i].group == group && !parameters_[i].gradients.empty()) {
        detail::factor_kernels<float>().adam(parameters_[i].values.data(), means_[i].data(),
                                             squares_[i].data(), parameters_[i].gradients.data(),
                                             static_cast<int64_t>(parameters_[i].values.size()),
                                             ++updates_[i], 0.005 * model_.rate_of_group(group), 0);
      }
    }
  }

  TrainableModel& model_;
  std::vector<Parameter> parameters_;
  std::vector<std::vector<float>> means_, squares_;
  std::vector<int64_t> updates_;
  int64_t epoch_ = 0;
};

// Of the scores of some pairs, relative to the largest.
double difference(const TrainableModel& model, EagerBaseline& eager,
                  std::span<const NodePair> pairs) {
  const torch::NoGradGuard no_gradient;
  std::vector<float> own(pairs.size());
  model.score(pairs, own);
  const torch::Tensor expected = eager.score(pairs);
  const torch::Tensor found = torch::tensor(own);
  return ((found - expected).abs().max() / expected.abs().max()).item<double>();
}

// The eager form of DisenGCN keeps three arrays (edges, width) of each round for its gradient: more
// than most machines have where links are many.
bool fits_memory(const std::string& name, const Shape& shape) {
  constexpr double kBytesPerEdge = 5 * 6 * 3 * 224 * sizeof(float);
  const double available =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return name != "disengcn" || 2.0 * static_cast<double>(shape.links) * kBytesPerEdge < available;
}

ModelOptions options_of(const std::string& name) {
  return name == "seal" ? ModelOptions{{"pairs-per-epoch", std::to_string(kSealPairsPerEpoch)}}
                        : ModelOptions{};
}

template <typename Body>
double seconds_of(Body&& body) {
  const detail::Stopwatch watch;
  body();
  return watch.seconds();
}

nlohmann::json measure(const std::string& name, const Shape& shape, const Graph& graph) {
  const std::vector<NodePair> positives = graph.adjacency().pairs();
  const MessageGraph messages(graph.num_nodes(), positives);
  EdgeSplit split;
  split.train.positives = positives;
  detail::FreshNegatives fresh(split, messages, 5, 1);
  const auto negatives = fresh.draw(1);
  const auto model = find_model(name).make(options_of(name));
  auto& trainable = dynamic_cast<TrainableModel&>(*model);
  Random random(1);
  trainable.start(messages, graph.features(), random);
  trainable.refresh();
  const auto eager = EagerBaseline::make(name, messages, graph.features(), trainable);
  const double apart = difference(trainable, *eager, std::span(positives).first(kPairsCompared));
  if (!(apart < kMostDifference)) {
    detail::fail("{} on {}: the scores of the two models differ by {:.1e}", name, shape.name,
                 apart);
  }
  OwnEpochs own(trainable);
  own.learn(positives, negatives);
  double own_seconds = 1e9;
  double eager_seconds = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    eager_seconds =
        std::min(eager_seconds, seconds_of([&] { eager->learn(positives, negatives); }));
    own_seconds = std::min(own_seconds, seconds_of([&] { own.learn(positives, negatives); }));
  }
  fmt::print("{:<16}{:<12}{:>10.1f}{:>10.1f}{:>9.1f}x{:>12.1e}\n", shape.name, name,
             own_seconds * 1e3, eager_seconds * 1e3, eager_seconds / own_seconds, apart);
  std::fflush(stdout);  // the next line may take a minute
  return {{"shape", shape.name},
          {"model", name},
          {"threads", num_threads()},
          {"epoch_seconds", own_seconds},
          {"eager_seconds", eager_seconds},
          {"times_faster", eager_seconds / own_seconds}};
}

void run(const Settings& settings) {
  fmt::print("{:<16}{:<12}{:>10}{:>10}{:>10}{:>12}\n", "shape", "model", "epoch ms", "eager ms",
             "faster", "difference");
  nlohmann::json records = nlohmann::json::array();
  for (const Shape& shape : shapes()) {
    if (!settings.shape.empty() && settings.shape != shape.name) {
      continue;
    }
    const Graph graph = make_graph(shape);
    for (const std::string name :
         {"seal", "vgae", "argva", "gpr-gnn", "fagcn", "linkx", "gat", "disengcn", "factorgnn"}) {
      if (!settings.only.empty() && settings.only != name) {
        continue;
      }
      if (fits_memory(name, shape)) {
        records.push_back(measure(name, shape, graph));
      } else {
        fmt::print("{:<16}{:<12}the eager form does not fit this machine's memory\n", shape.name,
                   name);
      }
    }
  }
  write_record(settings.json, records);
}

Settings parse(int count, char** arguments) {
  Settings settings;
  parse_arguments(count, arguments,
                  {{"--json", [&](const std::string& text) { settings.json = text; }},
                   {"--only", [&](const std::string& text) { settings.only = text; }},
                   {"--shape", [&](const std::string& text) { settings.shape = text; }}});
  return settings;
}

}  // namespace
}  // namespace disenlink::bench

int main(int count, char** arguments) {
  return disenlink::bench::run_program(
      [&] { disenlink::bench::run(disenlink::bench::parse(count, arguments)); });
}
