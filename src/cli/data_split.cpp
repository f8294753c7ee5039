// disenlink data split: links into training, validation and test files.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/audit_report.h"
#include "cli/graph_source.h"
#include "cli/split_source.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "core/fail.h"
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
      detail::fail_usage("no folder to write given: disenlink data split NAME|PATH FOLDER");
    }
    const Graph graph = source_.load();
    const EdgeSplit split = split_edges(graph, split_.options(split_.first_seed()));
    write_split(split, graph.names(), out_, force_);
    const SplitAudit audit = audit_split(split, &graph.adjacency());
    if (json_) {
      print(detail::json_text({{"folder", out_},
                               {"protocol", protocol_name(split.protocol)},
                               {"seed", split.seed},
                               {"audit", detail::to_json(audit)}}));
    } else {
      print(fmt::format("{}: {} split of {}, seed {}\n\n", out_, protocol_name(split.protocol),
                        graph.name(), split.seed));
      print(audit_text(audit));
    }
    return kDone;
  }

 private:
  GraphSource source_;
  SplitSource split_;
  std::string out_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_data_split() { return std::make_unique<DataSplit>(); }

}  // namespace disenlink::cli
