#include "cli/audit_report.h"

#include <fmt/format.h>

#include "cli/table.h"

namespace disenlink::cli {

std::string audit_text(const SplitAudit& audit) {
  Table table({"<part", "links", "negatives", "visible links", "negatives linked", "repeated links",
               "repeated negatives", "self links", "self negatives"});
  for (const PartAudit& part : audit.parts) {
    table.add({std::string(part.part), grouped(part.positives), grouped(part.negatives),
               grouped(part.visible_positives), grouped(part.negatives_that_are_links),
               grouped(part.duplicate_positives), grouped(part.duplicate_negatives),
               grouped(part.self_positives), grouped(part.self_negatives)});
  }
  std::string text = table.text() + "\n";
  for (const std::string& finding : audit.findings()) {
    text += fmt::format("- {}\n", finding);
  }
  text += audit.leaks() ? fmt::format(
                              "LEAKS: {:.1f} % of the test links can be looked up in the "
                              "training graph.\n",
                              100 * audit.leaked_share())
                        : "No leak.\n";
  return text;
}

std::string leak_text(const SplitAudit& audit) {
  return fmt::format("the split leaks: {:.1f} % of the test links can be looked up{}\n",
                     100 * audit.leaked_share(),
                     audit.parts[2].learnt_positives > 0 ? " or were learnt" : "");
}

}  // namespace disenlink::cli
