// disenlink data convert: any format in, our own form out.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/folder_target.h"
#include "cli/graph_source.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "core/json_text.h"
#include "disenlink/read.h"

namespace disenlink::cli {
namespace {

class DataConvert : public Verb {
 public:
  DataConvert()
      : Verb("convert", "Write a graph as edges.csv, features.npz|npy, labels.csv, nodes.csv") {
    source_.add_options(options(), true);
    out_.add_options(options(), true);
  }

  int run() override {
    out_.require("disenlink data convert NAME|PATH FOLDER");
    const Graph graph = source_.load();
    write_graph(graph, out_.path(), out_.force());
    if (json_) {
      print(detail::json_text({{"folder", out_.path()},
                               {"nodes", graph.num_nodes()},
                               {"rows", graph.arcs().size()},
                               {"features", graph.features().num_columns()},
                               {"labels", graph.labels().size()}}));
    } else {
      print(fmt::format(
          "{}: {} nodes, {} link rows, {} features{}\n", out_.path(), grouped(graph.num_nodes()),
          grouped(static_cast<int64_t>(graph.arcs().size())),
          grouped(graph.features().num_columns()), graph.labels().empty() ? "" : ", labels"));
    }
    return kDone;
  }

 private:
  GraphSource source_;
  FolderTarget out_;
};

}  // namespace

std::unique_ptr<Verb> make_data_convert() { return std::make_unique<DataConvert>(); }

}  // namespace disenlink::cli
