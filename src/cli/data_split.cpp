// disenlink data split: links into training, validation and test files.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/audit_report.h"
#include "cli/folder_target.h"
#include "cli/graph_source.h"
#include "cli/split_source.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "core/json_text.h"
#include "disenlink/split.h"
#include "report/record.h"

namespace disenlink::cli {
namespace {

class DataSplit : public Verb {
 public:
  DataSplit() : Verb("split", "Divide the links into training, validation and test files") {
    source_.add_options(options(), true);
    split_.add_options(options());
    out_.add_options(options(), true);
  }

  int run() override {
    out_.require("disenlink data split NAME|PATH FOLDER");
    const Graph graph = source_.load();
    const EdgeSplit split = split_edges(graph, split_.options(split_.first_seed()));
    write_split(split, graph.names(), out_.path(), out_.force());
    const SplitAudit audit = audit_split(split, &graph.adjacency());
    if (json_) {
      print(detail::json_text({{"folder", out_.path()},
                               {"protocol", protocol_name(split.protocol)},
                               {"seed", split.seed},
                               {"audit", detail::to_json(audit)}}));
    } else {
      print(fmt::format("{}: {} split of {}, seed {}\n\n", out_.path(),
                        protocol_name(split.protocol), graph.name(), split.seed));
      print(audit_text(audit));
    }
    return kDone;
  }

 private:
  GraphSource source_;
  SplitSource split_;
  FolderTarget out_;
};

}  // namespace

std::unique_ptr<Verb> make_data_split() { return std::make_unique<DataSplit>(); }

}  // namespace disenlink::cli
