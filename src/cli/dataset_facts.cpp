#include "cli/dataset_facts.h"

#include <fmt/format.h>

#include "cli/statistics_json.h"
#include "cli/table.h"
#include "disenlink/interrupt.h"

namespace disenlink::cli {

using nlohmann::ordered_json;

namespace {

// The paper counts rows, distinct pairs or both directions, depending on the dataset.
bool edges_agree(int64_t paper, const GraphStatistics& facts) {
  return paper == facts.raw_edge_rows || paper == facts.undirected_unique_edges ||
         paper == facts.raw_edge_rows - facts.self_loops;
}

}  // namespace

GraphStatistics measure_dataset(const Dataset& dataset, const std::filesystem::path& folder) {
  check_interrupt();
  if (dataset.samples.empty()) {
    return measure(load_dataset(dataset.name, folder));
  }
  std::vector<GraphStatistics> samples;
  for (const std::string_view sample : dataset.samples) {
    samples.push_back(measure(load_dataset(sample, folder)));
  }
  return sum_of(samples);
}

std::string comparison(const PaperStatistics& paper, const GraphStatistics& facts) {
  std::string differences;
  const auto compare = [&](std::string_view what, int64_t printed, int64_t measured, bool agrees) {
    if (!agrees) {
      differences += fmt::format("{}{}: paper {}, measured {}", differences.empty() ? "" : "; ",
                                 what, grouped(printed), grouped(measured));
    }
  };
  compare("nodes", paper.nodes, facts.nodes, paper.nodes == facts.nodes);
  compare("edges", paper.edges, facts.undirected_unique_edges, edges_agree(paper.edges, facts));
  compare("features", paper.features, facts.features, paper.features == facts.features);
  if (facts.classes) {
    compare("classes", paper.classes, *facts.classes, paper.classes == *facts.classes);
  } else {
    differences += differences.empty() ? "no labels here" : "; no labels here";
  }
  return differences.empty() ? "exact" : differences;
}

ordered_json to_json(const Dataset& dataset) {
  ordered_json json = {
      {"name", dataset.name},     {"dataset", dataset.title.empty() ? dataset.name : dataset.title},
      {"group", dataset.group},   {"files", dataset.location},
      {"format", dataset.format}, {"source", dataset.source}};
  if (!dataset.samples.empty()) {
    json["samples"] = dataset.samples;
  }
  return json;
}

ordered_json to_json(const Dataset& dataset, const GraphStatistics& facts) {
  ordered_json json = to_json(dataset);
  json.update(statistics_json(facts));
  const auto& paper = dataset.paper;
  const auto paper_value = [&](auto member) {
    return paper ? ordered_json((*paper).*member) : ordered_json(nullptr);
  };
  json["paper_nodes"] = paper_value(&PaperStatistics::nodes);
  json["paper_edges"] = paper_value(&PaperStatistics::edges);
  json["paper_features"] = paper_value(&PaperStatistics::features);
  json["paper_classes"] = paper_value(&PaperStatistics::classes);
  json["paper_edge_homophily"] = paper_value(&PaperStatistics::edge_homophily);
  json["match"] = paper ? ordered_json(comparison(*paper, facts)) : ordered_json(nullptr);
  return json;
}

}  // namespace disenlink::cli
