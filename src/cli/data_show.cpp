// disenlink data show: what is in a graph, and what is odd about it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/graph_source.h"
#include "cli/statistics_json.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "core/json_text.h"
#include "disenlink/statistics.h"

namespace disenlink::cli {
namespace {

std::string share(int64_t part, int64_t whole) {
  return whole == 0 ? ""
                    : fmt::format(" ({:.1f} %)",
                                  100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string feature_text(const Graph& graph, const GraphStatistics& facts) {
  if (facts.features == 0) {
    return "none";
  }
  return fmt::format("{}, {}, {} non-zero{}", grouped(facts.features),
                     graph.features().is_sparse() ? "sparse" : "dense", grouped(facts.feature_nnz),
                     share(facts.feature_nnz, facts.features * facts.nodes));
}

std::string facts_text(const Graph& graph, const GraphStatistics& facts) {
  Table table({"<" + graph.name(), "<"});
  table.add({"nodes", grouped(facts.nodes)});
  table.add({"link rows", grouped(facts.raw_edge_rows)});
  table.add({"links (distinct unordered pairs)", grouped(facts.undirected_unique_edges)});
  table.add({"repeated rows", grouped(facts.raw_edge_rows - facts.distinct_directed_edges)});
  table.add({"self loops", grouped(facts.self_loops)});
  table.add(
      {"rows with their reverse", fmt::format("{:.1f} %", 100 * facts.reciprocated_fraction)});
  table.add({"degree: mean, median, largest",
             fmt::format("{:.1f}, {}, {}", facts.mean_degree, facts.median_degree,
                         grouped(facts.max_degree))});
  table.add(
      {"isolated nodes", grouped(facts.isolated_nodes) + share(facts.isolated_nodes, facts.nodes)});
  table.add({"components", fmt::format("{}, largest {} nodes{}", grouped(facts.components),
                                       grouped(facts.largest_component),
                                       share(facts.largest_component, facts.nodes))});
  table.add({"features", feature_text(graph, facts)});
  if (facts.linked_cosine) {
    table.add({"cosine similarity of linked nodes", fmt::format("{:.3f}", *facts.linked_cosine)});
  }
  if (facts.classes) {
    table.add({"classes", fmt::format("{}, {} nodes unlabelled", *facts.classes,
                                      grouped(facts.unlabelled.value_or(0)))});
  }
  if (facts.edge_homophily) {
    table.add(
        {"homophily (links within a class)", fmt::format("{:.1f} %", 100 * *facts.edge_homophily)});
  }
  table.add({"fingerprint", graph.fingerprint()});
  return table.text();
}

class DataShow : public Verb {
 public:
  DataShow() : Verb("show", "Count what is in a graph and say what is odd about it") {
    source_.add_options(options(), true);
  }

  int run() override {
    const Graph graph = source_.load();
    const GraphStatistics facts = measure(graph);
    const std::vector<std::string> odd = oddities(graph, facts);
    if (json_) {
      nlohmann::ordered_json json = {{"name", graph.name()}, {"fingerprint", graph.fingerprint()}};
      json.update(statistics_json(facts));
      json["notes"] = graph.notes();
      json["oddities"] = odd;
      print(detail::json_text(json));
      return kDone;
    }
    print(facts_text(graph, facts));
    if (!odd.empty()) {
      print("\nworth knowing\n");
    }
    for (const std::string& sentence : odd) {
      print(fmt::format("- {}\n", sentence));
    }
    return kDone;
  }

 private:
  GraphSource source_;
};

}  // namespace

std::unique_ptr<Verb> make_data_show() { return std::make_unique<DataShow>(); }

}  // namespace disenlink::cli
