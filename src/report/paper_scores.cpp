#include "report/paper_scores.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/text.h"
#include "report/paper_auc.h"

namespace disenlink::detail {
namespace {

using Scores = std::map<std::pair<std::string, std::string>, PaperScore, std::less<>>;

Scores read_scores() {
  Scores scores;
  std::vector<std::string_view> lines;
  std::vector<std::string_view> fields;
  split_fields(kPaperAuc, '\n', lines);
  for (const std::string_view line : lines) {
    split_fields(line, ',', fields);
    if (fields.size() != 4) {
      continue;
    }
    const auto mean = parse_number<double>(fields[2]);
    const auto deviation = parse_number<double>(fields[3]);
    if (mean && deviation) {  // not so in the header
      scores[{std::string(fields[0]), std::string(fields[1])}] = {*mean, *deviation};
    }
  }
  return scores;
}

}  // namespace

std::optional<PaperScore> paper_score(std::string_view model, std::string_view dataset) {
  static const Scores scores = read_scores();
  // The paper does not say which of Chameleon's two forms it used.
  const std::string_view printed = dataset == "chameleon-128" ? "chameleon" : dataset;
  const auto found = scores.find({std::string(model), std::string(printed)});
  return found == scores.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace disenlink::detail
