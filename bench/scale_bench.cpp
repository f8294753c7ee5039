// How far one machine goes: an epoch on a graph of a million nodes, and exact top-10 partners of
// every node of a graph with the shape of Twitch-DE.
//
//   scale_bench [--nodes N] [--links N] [--json FILE] [--threads N]
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/resources.h"
#include "disenlink/predict.h"
#include "disenlink/split.h"
#include "disenlink/threads.h"
#include "disenlink/train.h"
#include "kernels/factor_kernels.h"
#include "machine_peaks.h"
#include "models/disenlink/model.h"
#include "program.h"
#include "shapes.h"

namespace disenlink::bench {
namespace {

constexpr int64_t kFeaturesPerNode = 64;
constexpr int64_t kColumns = 10'000;

struct Settings {
  int64_t nodes = 1'000'000;
  int64_t links = 10'000'000;
  std::filesystem::path json;
};

// One epoch of the training loop, validation and all.
nlohmann::json measure_epoch(const Settings& settings) {
  const Shape shape{
      "large", settings.nodes, settings.links, kColumns, kFeaturesPerNode * settings.nodes, 4, 16,
      64};
  const Graph graph = make_graph(shape);
  SplitOptions split_options;
  split_options.valid_share = 0.001;
  split_options.test_share = 0.001;
  const EdgeSplit split = split_edges(graph, split_options);
  const MessageGraph message_graph = split.message_graph();
  const auto model =
      find_model("disenlink").make({{"factors", "4"}, {"embed", "16"}, {"hidden", "64"}});
  TrainOptions options;
  options.epochs = 2;
  double seconds = 0;
  TrainHooks hooks;
  hooks.on_epoch = [&](const EpochReport& report) { seconds = report.seconds; };
  train(dynamic_cast<TrainableModel&>(*model), graph, split, message_graph, options, hooks, {});
  const double gigabytes = static_cast<double>(detail::peak_memory_bytes()) / (1 << 30);
  fmt::print(
      "{} nodes, {} links, {} features a node, K 4, d 16, hidden 64, 5 negatives a link:\n"
      "  one epoch {:.1f} s, peak memory {:.2f} GB\n\n",
      settings.nodes, graph.adjacency().num_pairs(), kFeaturesPerNode, seconds, gigabytes);
  return {{"nodes", settings.nodes},
          {"links", settings.links},
          {"seconds", seconds},
          {"gigabytes", gigabytes}};
}

// Every ordered pair is scored by two products of `width` for each factor.
nlohmann::json measure_top() {
  const Shape shape{"Twitch-DE", 9498, 153138, 2514, 193132, 5, 32, 256};
  const Graph graph = make_graph(shape);
  const auto model =
      find_model("disenlink").make({{"factors", "5"}, {"embed", "32"}, {"hidden", "256"}});
  Random random(1, "parameters");
  auto& trainable = dynamic_cast<TrainableModel&>(*model);
  const MessageGraph messages(graph.num_nodes(), graph.adjacency().pairs());
  trainable.start(messages, graph.features(), random);
  trainable.refresh();
  TopOptions top;
  top.count = 10;
  top.known = &graph.adjacency();
  const detail::Stopwatch watch;
  const auto found = top_partners_of_all(trainable, shape.nodes, top);
  const double seconds = watch.seconds();
  const auto nodes = static_cast<double>(shape.nodes);
  const double pairs = nodes * nodes;
  const double operations = pairs * 4 * static_cast<double>(shape.factors * shape.width);
  const double share = operations / peak_flops() / seconds;
  fmt::print(
      "top-10 partners of {} nodes, K 5, d 32: {:.2f} s, {:.0f} million pairs a second,\n"
      "  {:.0f} % of the peak rate of multiplications\n",
      found.size(), seconds, pairs / seconds / 1e6, 100 * share);
  return {{"seconds", seconds}, {"pairs_per_second", pairs / seconds}, {"share_of_peak", share}};
}

void run(const Settings& settings) {
  fmt::print("{} threads\n", num_threads());
  nlohmann::json record;
  record["top"] = measure_top();
  record["epoch"] = measure_epoch(settings);
  write_record(settings.json, record);
}

Settings parse(int count, char** arguments) {
  Settings settings;
  parse_arguments(count, arguments,
                  {{"--nodes", [&](const std::string& text) { settings.nodes = positive(text); }},
                   {"--links", [&](const std::string& text) { settings.links = positive(text); }},
                   {"--json", [&](const std::string& text) { settings.json = text; }}});
  return settings;
}

}  // namespace
}  // namespace disenlink::bench

int main(int count, char** arguments) {
  return disenlink::bench::run_program(
      [&] { disenlink::bench::run(disenlink::bench::parse(count, arguments)); });
}
