// Time of a training epoch of the learned baselines, against the same models in eager libtorch
// operations.
//
//   baseline_bench [--json FILE] [--only MODEL] [--shape NAME] [--threads N]
#include <fmt/format.h>

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
constexpr double kMostDifference = 1e-3;  // of the vectors, relative to the largest value

struct Settings {
  std::filesystem::path json;
  std::string only;
  std::string shape;
};

// What training does in one epoch, validation aside.
class OwnEpochs {
 public:
  explicit OwnEpochs(TrainableModel& model) : model_(model), parameters_(model.parameters()) {
    for (const Parameter& parameter : parameters_) {
      means_.emplace_back(parameter.values.size());
      squares_.emplace_back(parameter.values.size());
    }
  }

  void step(std::span<const NodePair> positives, std::span<const NodePair> negatives) {
    model_.compute_gradients({positives, negatives, ++epoch_});
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if (!parameters_[i].gradients.empty()) {
        detail::factor_kernels<float>().adam(parameters_[i].values.data(), means_[i].data(),
                                             squares_[i].data(), parameters_[i].gradients.data(),
                                             static_cast<int64_t>(parameters_[i].values.size()),
                                             epoch_, 0.005, 0);
      }
    }
    model_.refresh();
  }

 private:
  TrainableModel& model_;
  std::vector<Parameter> parameters_;
  std::vector<std::vector<float>> means_, squares_;
  int64_t epoch_ = 0;
};

double difference(const TrainableModel& model, EagerBaseline& eager) {
  const torch::NoGradGuard no_gradient;
  const NodeVectors own = model.vectors().front();
  const torch::Tensor expected = eager.vectors();
  const torch::Tensor found =
      torch::from_blob(const_cast<float*>(own.values.data()), expected.sizes());
  return ((found - expected).abs().max() / expected.abs().max()).item<double>();
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
  const auto model = find_model(name).make({});
  auto& trainable = dynamic_cast<TrainableModel&>(*model);
  Random random(1);
  trainable.start(messages, graph.features(), random);
  trainable.refresh();
  const auto eager = EagerBaseline::make(name, messages, graph.features(), trainable);
  const double apart = difference(trainable, *eager);
  if (!(apart < kMostDifference)) {
    detail::fail("{} on {}: the vectors of the two models differ by {:.1e}", name, shape.name,
                 apart);
  }
  OwnEpochs own(trainable);
  own.step(positives, negatives);
  double own_seconds = 1e9;
  double eager_seconds = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    eager_seconds = std::min(eager_seconds, seconds_of([&] { eager->step(positives, negatives); }));
    own_seconds = std::min(own_seconds, seconds_of([&] { own.step(positives, negatives); }));
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
         {"vgae", "gpr-gnn", "fagcn", "linkx", "gat", "disengcn", "factorgnn"}) {
      if (settings.only.empty() || settings.only == name) {
        records.push_back(measure(name, shape, graph));
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
