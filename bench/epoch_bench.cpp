// Time of a training epoch of DisenLink: against the same model in eager libtorch operations, from
// one thread to two, and stage by stage against what the machine allows.
//
//   epoch_bench [--json FILE] [--only NAME] [--eager yes|no] [--threads N]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/fail.h"
#include "core/resources.h"
#include "disenlink/threads.h"
#include "eager_disenlink.h"
#include "kernels/simd_level.h"
#include "program.h"
#include "shapes.h"
#include "stages.h"
#include "train/fresh_negatives.h"

namespace disenlink::bench {
namespace {

constexpr double kLearningRate = 1e-3;
constexpr int kRounds = 3;
constexpr int kOwnEpochsPerRound = 8;
constexpr int kEagerEpochsPerRound = 1;
constexpr double kMostDifference = 1e-3;  // of the losses, relative

struct Settings {
  std::filesystem::path json;
  bool eager = true;
  std::string only;
};

// What a user's training does in one epoch, validation aside.
class OwnEpochs {
 public:
  OwnEpochs(const Graph& graph, const detail::NetworkOptions& options)
      : network_(graph.adjacency(), graph.features(), options, timed_kernels()) {
    Random random(1, "parameters");
    network_.initialise(true, random);
    network_.reserve_training();
    for (auto* array : arrays(network_.parameters())) {
      means_.emplace_back(array->size());
      squares_.emplace_back(array->size());
    }
  }

  double step(std::span<const NodePair> positives, std::span<const NodePair> negatives) {
    network_.forward();
    const double loss = network_.backward(positives, negatives).loss;
    ++epoch_;
    const auto values = arrays(network_.parameters());
    const auto gradients = arrays(network_.gradients());
    for (size_t i = 0; i < values.size(); ++i) {
      timed_kernels().adam(values[i]->data(), means_[i].data(), squares_[i].data(),
                           gradients[i]->data(), static_cast<int64_t>(values[i]->size()), epoch_,
                           kLearningRate, 0);
    }
    return loss;
  }

  const detail::NetworkParameters<float>& parameters() { return network_.parameters(); }

 private:
  static std::vector<detail::Buffer<float>*> arrays(detail::NetworkParameters<float>& parameters) {
    return {&parameters.w1, &parameters.b1, &parameters.w2, &parameters.b2};
  }

  detail::Network<float> network_;
  std::vector<std::vector<float>> means_, squares_;
  int64_t epoch_ = 0;
};

struct Measured {
  double own_one_thread = 1e9;
  double own = 1e9;
  double eager = 1e9;
  double loss_difference = 0;
  std::vector<double> stages;  // fastest of each
};

template <typename Body>
void keep_fastest(double& kept, int epochs, Body&& body) {
  const detail::Stopwatch watch;
  for (int i = 0; i < epochs; ++i) {
    body();
  }
  kept = std::min(kept, watch.seconds() / epochs);
}

// Of single epochs, as the rates of the machine are of single passes: both have their best moments.
void keep_fastest_stages(std::vector<double>& kept) {
  const std::vector<double> seconds = take_stage_seconds();
  kept.resize(seconds.size(), 1e9);
  for (size_t i = 0; i < seconds.size(); ++i) {
    kept[i] = std::min(kept[i], seconds[i]);
  }
}

std::vector<NodePair> negatives_of(const Graph& graph, std::span<const NodePair> positives) {
  EdgeSplit split;
  split.train.positives.assign(positives.begin(), positives.end());
  detail::FreshNegatives fresh(split, graph.adjacency(), 5, 1);
  const auto negatives = fresh.draw(1);
  return {negatives.begin(), negatives.end()};
}

Measured measure(const Shape& shape, const Graph& graph, bool with_eager) {
  detail::NetworkOptions options = network_options(shape);
  options.form.leave_one_out = false;  // as the eager model
  const std::vector<NodePair> positives = graph.adjacency().pairs();
  const std::vector<NodePair> negatives = negatives_of(graph, positives);
  OwnEpochs own(graph, options);
  std::optional<EagerDisenLink> eager;
  Measured measured;
  if (with_eager) {
    eager.emplace(graph.adjacency(), graph.features(), options, own.parameters(), kLearningRate);
    const double expected = eager->step(positives, negatives);
    measured.loss_difference =
        std::abs(own.step(positives, negatives) - expected) / std::abs(expected);
  }
  own.step(positives, negatives);
  take_stage_seconds();
  const int threads = num_threads();
  for (int round = 0; round < kRounds; ++round) {
    if (eager) {
      keep_fastest(measured.eager, kEagerEpochsPerRound,
                   [&] { eager->step(positives, negatives); });
    }
    keep_fastest(measured.own, kOwnEpochsPerRound, [&] {
      own.step(positives, negatives);
      keep_fastest_stages(measured.stages);
    });
    set_num_threads(1);
    keep_fastest(measured.own_one_thread, kOwnEpochsPerRound,
                 [&] { own.step(positives, negatives); });
    take_stage_seconds();
    set_num_threads(threads);
  }
  return measured;
}

void print_shape(const Shape& shape, const Measured& measured, const std::vector<double>& bounds) {
  fmt::print("\n{}: {} nodes, {} links, K {}, d {}, hidden {}\n", shape.name, shape.nodes,
             shape.links, shape.factors, shape.width, shape.hidden);
  fmt::print("  epoch {:.1f} ms, one thread {:.1f} ms: {:.2f}x from {} threads\n",
             measured.own * 1e3, measured.own_one_thread * 1e3,
             measured.own_one_thread / measured.own, num_threads());
  if (measured.eager < 1e9) {
    fmt::print("  eager libtorch {:.0f} ms: {:.1f}x; losses differ by {:.1e}\n",
               measured.eager * 1e3, measured.eager / measured.own, measured.loss_difference);
  }
  fmt::print("  {:<18}{:>9}{:>9}{:>9}\n", "stage", "ms", "bound", "ratio");
  for (size_t i = 0; i < bounds.size(); ++i) {
    fmt::print("  {:<18}{:>9.2f}{:>9.2f}{:>8.2f}x\n", stage_names()[i], measured.stages[i] * 1e3,
               bounds[i] * 1e3, measured.stages[i] / bounds[i]);
  }
}

nlohmann::json to_json(const Shape& shape, const Measured& measured,
                       const std::vector<double>& bounds) {
  nlohmann::json record = {{"name", shape.name},
                           {"threads", num_threads()},
                           {"epoch_seconds", measured.own},
                           {"epoch_seconds_one_thread", measured.own_one_thread}};
  if (measured.eager < 1e9) {
    record["eager_seconds"] = measured.eager;
    record["times_faster"] = measured.eager / measured.own;
  }
  for (size_t i = 0; i < bounds.size(); ++i) {
    record["stages"].push_back({{"name", stage_names()[i]},
                                {"seconds", measured.stages[i]},
                                {"bound_seconds", bounds[i]}});
  }
  return record;
}

void run(const Settings& settings) {
  nlohmann::json records = nlohmann::json::array();
  fmt::print("DisenLink, one epoch, {} threads, {}\n", num_threads(), detail::simd_target());
  for (const Shape& shape : shapes()) {
    if (!settings.only.empty() && settings.only != shape.name) {
      continue;
    }
    const Graph graph = make_graph(shape);
    const Measured measured = measure(shape, graph, settings.eager);
    const int64_t edges = graph.adjacency().num_pairs();
    const std::vector<double> bounds = stage_bounds(shape, edges, 6 * edges);
    print_shape(shape, measured, bounds);
    records.push_back(to_json(shape, measured, bounds));
    if (measured.loss_difference > kMostDifference) {
      detail::fail("{}: the losses of the two models differ by {:.1e}", shape.name,
                   measured.loss_difference);
    }
  }
  write_record(settings.json, records);
}

Settings parse(int count, char** arguments) {
  Settings settings;
  parse_arguments(count, arguments,
                  {{"--json", [&](const std::string& text) { settings.json = text; }},
                   {"--only", [&](const std::string& text) { settings.only = text; }},
                   {"--eager", [&](const std::string& text) { settings.eager = text != "no"; }}});
  return settings;
}

}  // namespace
}  // namespace disenlink::bench

int main(int count, char** arguments) {
  return disenlink::bench::run_program(
      [&] { disenlink::bench::run(disenlink::bench::parse(count, arguments)); });
}
