// disenlink data list: the known datasets, and the paper's Table 1 beside what is measured.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

#include "cli/dataset_facts.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "core/json_text.h"
#include "disenlink/datasets.h"

namespace disenlink::cli {
namespace {

using nlohmann::ordered_json;

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
