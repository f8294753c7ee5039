#include "report/document.h"

#include "core/build_info.h"
#include "report/figures.h"
#include "report/findings.h"
#include "report/score_tables.h"

namespace disenlink::detail {

nlohmann::ordered_json report_document(const Results& results) {
  using nlohmann::ordered_json;
  const ordered_json metrics = {{{"key", "auc"}, {"title", "AUC"}},
                                {{"key", "ap"}, {"title", "AP"}},
                                {{"key", "mrr"}, {"title", "MRR"}},
                                {{"key", "hits10"}, {"title", "Hits@10"}},
                                {{"key", "hits100"}, {"title", "Hits@100"}}};
  return {{"title", "DisenLink and eleven baselines: link prediction, measured again"},
          {"version", DISENLINK_VERSION},
          {"findings", findings(results)},
          {"protocols", {"strict", "published"}},
          {"metrics", metrics},
          {"score_tables", score_tables(results)},
          {"missing", {{"text", "not run yet"}, {"cells", ordered_json::array()}}},
          {"tables", plain_tables(results)},
          {"figures", figures(results)}};
}

}  // namespace disenlink::detail
