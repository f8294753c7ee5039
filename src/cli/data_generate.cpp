// disenlink data generate: a heterophilic graph with planted factors.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/folder_target.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "core/json_text.h"
#include "disenlink/generate.h"
#include "disenlink/read.h"
#include "disenlink/statistics.h"

namespace disenlink::cli {
namespace {

class DataGenerate : public Verb {
 public:
  DataGenerate() : Verb("generate", "Make a heterophilic graph with planted latent factors") {
    auto& table = options();
    out_.add_options(table, true);
    table.add({.name = "nodes", .help = "Nodes", .target = &made_.nodes});
    table.add({.name = "links", .help = "Links, all distinct", .target = &made_.links});
    table.add({.name = "factors", .help = "Causes a link can have", .target = &made_.factors});
    table.add({.name = "dimensions",
               .help = "Dimensions of a node's position on a factor",
               .target = &made_.dimensions});
    table.add({.name = "nearest",
               .help = "A link goes to one of so many nearest nodes on its factor",
               .target = &made_.nearest});
    table.add({.name = "noise",
               .help = "Standard deviation of the noise on every attribute",
               .target = &made_.noise});
    table.add({.name = "seed", .help = "Seed", .target = &seed_, .least = 0});
  }

  int run() override {
    out_.require("disenlink data generate FOLDER");
    made_.seed = static_cast<uint64_t>(seed_);
    const Graph graph = generate_graph(made_);
    write_graph(graph, out_.path(), out_.force());
    const GraphStatistics facts = measure(graph);
    if (json_) {
      nlohmann::ordered_json result = {{"folder", out_.path()},
                                       {"nodes", facts.nodes},
                                       {"links", facts.undirected_unique_edges},
                                       {"factors", made_.factors},
                                       {"features", facts.features},
                                       {"fingerprint", graph.fingerprint()}};
      if (facts.linked_cosine) {
        result["linked_cosine"] = *facts.linked_cosine;
      }
      print(detail::json_text(result));
      return kDone;
    }
    print(fmt::format("{}: {} nodes, {} links of {} factors, {} features, seed {}\n", out_.path(),
                      grouped(facts.nodes), grouped(facts.undirected_unique_edges), made_.factors,
                      facts.features, seed_));
    if (facts.linked_cosine) {
      print(fmt::format("cosine similarity of linked nodes: {:.2f}\n", *facts.linked_cosine));
    }
    print("edge_factors.csv tells which factor caused each link\n");
    return kDone;
  }

 private:
  GenerateOptions made_;
  FolderTarget out_;
  int64_t seed_ = static_cast<int64_t>(GenerateOptions{}.seed);
};

}  // namespace

std::unique_ptr<Verb> make_data_generate() { return std::make_unique<DataGenerate>(); }

}  // namespace disenlink::cli
