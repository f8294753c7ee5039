// disenlink data convert: any format in, our own form out.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/graph_source.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "core/fail.h"
#include "core/json_text.h"
#include "disenlink/read.h"

namespace disenlink::cli {
namespace {

class DataConvert : public Verb {
 public:
  DataConvert()
      : Verb("convert", "Write a graph as edges.csv, features.npz|npy, labels.csv, nodes.csv") {
    source_.add_options(options(), true);
    options().add({.name = "out",
                   .help = "Folder to write",
                   .target = &out_,
                   .value_name = "FOLDER",
                   .positional = true});
    options().add({.name = "force",
                   .help = "Replace the folder if it holds files",
                   .target = &force_,
                   .recorded = false});
  }

  int run() override {
    if (out_.empty()) {
      detail::fail_usage("no folder to write given: disenlink data convert NAME|PATH FOLDER");
    }
    const Graph graph = source_.load();
    write_graph(graph, out_, force_);
    if (json_) {
      print(detail::json_text({{"folder", out_},
                               {"nodes", graph.num_nodes()},
                               {"rows", graph.arcs().size()},
                               {"features", graph.features().num_columns()},
                               {"labels", graph.labels().size()}}));
    } else {
      print(fmt::format(
          "{}: {} nodes, {} link rows, {} features{}\n", out_, grouped(graph.num_nodes()),
          grouped(static_cast<int64_t>(graph.arcs().size())),
          grouped(graph.features().num_columns()), graph.labels().empty() ? "" : ", labels"));
    }
    return kDone;
  }

 private:
  GraphSource source_;
  std::string out_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_data_convert() { return std::make_unique<DataConvert>(); }

}  // namespace disenlink::cli
