// disenlink analyze: how well the factors are told apart.
#include "disenlink/analyze.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/table.h"
#include "cli/trained_verb.h"
#include "cli/verbs.h"
#include "core/json_text.h"
#include "report/heatmap.h"

namespace disenlink::cli {
namespace {

using nlohmann::ordered_json;

double ratio(const FactorAnalysis& analysis) {
  return analysis.between > 0 ? analysis.within / analysis.between : 0;
}

ordered_json json_of(const FactorAnalysis& analysis) {
  ordered_json json = {{"factors", analysis.factors},
                       {"width", analysis.width},
                       {"correlation_within", analysis.within},
                       {"correlation_between", analysis.between},
                       {"block_number", ratio(analysis)},
                       {"links", analysis.links},
                       {"dead_factors", analysis.dead_factors},
                       {"distance_correlation", analysis.distance_correlation}};
  if (analysis.recovery) {
    json["planted"] = {{"nmi", analysis.recovery->nmi},
                       {"accuracy", analysis.recovery->accuracy},
                       {"links", analysis.recovery->links}};
  }
  return json;
}

std::string text_of(const FactorAnalysis& analysis) {
  std::string text = fmt::format(
      "absolute correlation of the {} columns of h: {:.3f} within a factor, {:.3f} between "
      "factors, "
      "block number {:.2f}\n\n",
      analysis.factors * analysis.width, analysis.within, analysis.between, ratio(analysis));
  std::vector<std::string> headers = {"<factor", "links", "share"};
  for (int64_t factor = 0; factor < analysis.factors; ++factor) {
    headers.push_back(fmt::format("dcor {}", factor));
  }
  int64_t total = 0;
  for (const int64_t links : analysis.links) {
    total += links;
  }
  Table table(headers);
  for (int64_t factor = 0; factor < analysis.factors; ++factor) {
    std::vector<std::string> row = {
        std::to_string(factor), grouped(analysis.links[factor]),
        fmt::format("{:.1f} %", 100.0 * static_cast<double>(analysis.links[factor]) /
                                    static_cast<double>(std::max<int64_t>(1, total)))};
    for (int64_t other = 0; other < analysis.factors; ++other) {
      row.push_back(
          fmt::format("{:.2f}", analysis.distance_correlation[factor * analysis.factors + other]));
    }
    table.add(row);
  }
  text += table.text();
  text += analysis.dead_factors == 0
              ? "\nno factor is dead\n"
              : fmt::format("\n{} factors are dead: next to no link is explained by them\n",
                            analysis.dead_factors);
  if (analysis.recovery) {
    text += fmt::format(
        "planted factors: normalised mutual information {:.3f}, {:.1f} % of {} links right under "
        "the "
        "best naming\n",
        analysis.recovery->nmi, 100 * analysis.recovery->accuracy,
        grouped(analysis.recovery->links));
  }
  return text;
}

class Analyze : public TrainedVerb {
 public:
  Analyze() : TrainedVerb("analyze", "Measure how well the factors are told apart") {
    options().add({.name = "heatmap",
                   .help = "Draw the correlation of the columns: a .png or .svg file",
                   .target = &heatmap_,
                   .value_name = "FILE"});
  }

  int run() override {
    const ModelFolder trained = load();
    const FactorAnalysis analysis = analyze(trained.model(), trained.graph());
    if (!heatmap_.empty()) {
      detail::write_heatmap(
          {.values = analysis.correlation,
           .side = analysis.factors * analysis.width,
           .block = analysis.width,
           .title = fmt::format("{}: absolute correlation of h, block number {:.2f}",
                                trained.graph().name(), ratio(analysis))},
          heatmap_);
    }
    print(json_ ? detail::json_text(json_of(analysis)) : text_of(analysis));
    return kDone;
  }

 private:
  std::string heatmap_;
};

}  // namespace

std::unique_ptr<Verb> make_analyze() { return std::make_unique<Analyze>(); }

}  // namespace disenlink::cli
