// disenlink data audit: what a split gives away.
#include <nlohmann/json.hpp>

#include "cli/audit_report.h"
#include "cli/graph_source.h"
#include "cli/split_source.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "core/fail.h"
#include "core/json_text.h"
#include "report/record.h"

namespace disenlink::cli {
namespace {

class DataAudit : public Verb {
 public:
  DataAudit() : Verb("audit", "Count what a split gives away; exit code 1 when it leaks") {
    options().add({.name = "split",
                   .help = "Folder of split files, own or foreign; without it a split is made",
                   .target = &folder_,
                   .value_name = "FOLDER",
                   .positional = true});
    source_.add_options(options(), false);
    split_.add_options(options());
  }

  int run() override {
    if (folder_.empty() && !source_.given()) {
      detail::fail_usage(
          "nothing to audit: give a folder of split files, or --dataset and --protocol");
    }
    const SplitAudit audit = make_audit();
    print(json_ ? detail::json_text(detail::to_json(audit)) : audit_text(audit));
    return audit.leaks() ? kFailed : kDone;
  }

 private:
  SplitAudit make_audit() const {
    if (!source_.given()) {
      return audit_split(read_split(folder_));
    }
    const Graph graph = source_.load();
    const EdgeSplit split = folder_.empty()
                                ? split_edges(graph, split_.options(split_.first_seed()))
                                : read_split(folder_, graph);
    return audit_split(split, &graph.adjacency());
  }

  std::string folder_;
  GraphSource source_;
  SplitSource split_;
};

}  // namespace

std::unique_ptr<Verb> make_data_audit() { return std::make_unique<DataAudit>(); }

}  // namespace disenlink::cli
