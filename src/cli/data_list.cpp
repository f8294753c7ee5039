// disenlink data list: the known datasets, and the paper's Table 1 beside what is measured.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

#include "cli/statistics_json.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "core/json_text.h"
#include "disenlink/datasets.h"
#include "disenlink/interrupt.h"
#include "disenlink/statistics.h"

namespace disenlink::cli {
namespace {

using nlohmann::ordered_json;

// A dataset of several samples is their sum.
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

// The paper counts rows, distinct pairs or both directions, depending on the dataset.
bool edges_agree(int64_t paper, const GraphStatistics& facts) {
  return paper == facts.raw_edge_rows || paper == facts.undirected_unique_edges ||
         paper == facts.raw_edge_rows - facts.self_loops;
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

class DataList : public Verb {
 public:
  DataList() : Verb("list", "Show the known datasets") {
    options().add({.name = "stats",
                   .help = "Measure each and print the paper's Table 1 beside it",
                   .target = &stats_});
    options().add({.name = "data",
                   .help = "Folder of the datasets; else $DISENLINK_DATA, else ../shared/data",
                   .target = &folder_,
                   .value_name = "FOLDER"});
  }

  int run() override { return stats_ ? list_statistics() : list_names(); }

 private:
  bool is_present(const Dataset& dataset) const {
    return dataset.group == "generated" ||
           std::filesystem::exists(data_folder(folder_) / dataset.location);
  }

  // Samples are listed with what they are samples of.
  static bool is_sample(const Dataset& dataset) {
    return dataset.name.find('/') != std::string_view::npos;
  }

  int list_names() const {
    ordered_json json = ordered_json::array();
    Table table({"<name", "<title", "<group", "<format", "<here"});
    for (const Dataset& dataset : datasets()) {
      const bool present = is_present(dataset);
      json.push_back(to_json(dataset));
      json.back()["present"] = present;
      if (!is_sample(dataset)) {
        table.add({std::string(dataset.name), std::string(dataset.title),
                   std::string(dataset.group), std::string(dataset.format),
                   present ? "yes" : "no"});
      }
    }
    if (json_) {
      print(detail::json_text(json));
      return kDone;
    }
    print(table.text());
    print(fmt::format("\ndata folder: {}\narxiv-year is ten graphs, arxiv-year/year0 to /year9\n",
                      data_folder(folder_).string()));
    return kDone;
  }

  int list_statistics() const {
    ordered_json json = ordered_json::array();
    Table table({"<dataset", "nodes", "paper", "rows", "links", "paper edges", "features", "paper",
                 "classes", "paper", "homophily", "paper", "<remark"});
    for (const Dataset& dataset : datasets()) {
      if (!is_present(dataset)) {
        spdlog::warn("{} is not in {}", dataset.name, data_folder(folder_).string());
        continue;
      }
      const GraphStatistics facts = measure_dataset(dataset, folder_);
      json.push_back(to_json(dataset, facts));
      if (!is_sample(dataset)) {
        table.add(statistics_row(dataset, facts));
      }
    }
    print(json_ ? detail::json_text(json) : table.text());
    return kDone;
  }

  static std::vector<std::string> statistics_row(const Dataset& dataset,
                                                 const GraphStatistics& facts) {
    const auto& paper = dataset.paper;
    const auto printed = [&](auto member) {
      return paper ? grouped((*paper).*member) : std::string("-");
    };
    return {std::string(dataset.name),
            grouped(facts.nodes),
            printed(&PaperStatistics::nodes),
            grouped(facts.raw_edge_rows),
            grouped(facts.undirected_unique_edges),
            printed(&PaperStatistics::edges),
            grouped(facts.features),
            printed(&PaperStatistics::features),
            facts.classes ? std::to_string(*facts.classes) : "-",
            printed(&PaperStatistics::classes),
            facts.edge_homophily ? fmt::format("{:.2f}", *facts.edge_homophily) : "-",
            paper ? fmt::format("{:.2f}", paper->edge_homophily) : "-",
            paper ? comparison(*paper, facts) : ""};
  }

  bool stats_ = false;
  std::string folder_;
};

}  // namespace

std::unique_ptr<Verb> make_data_list() { return std::make_unique<DataList>(); }

}  // namespace disenlink::cli
