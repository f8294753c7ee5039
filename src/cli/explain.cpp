// disenlink explain: why a pair gets its score.
#include "disenlink/explain.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/table.h"
#include "cli/trained_verb.h"
#include "cli/verbs.h"
#include "core/fail.h"
#include "core/json_text.h"

namespace disenlink::cli {
namespace {

using nlohmann::ordered_json;

std::string feature_name(const Graph& graph, int64_t feature) {
  const auto& names = graph.features().column_names();
  return names.empty() ? fmt::format("feature {}", feature) : names[feature];
}

ordered_json end_json(const EndExplanation& end, const Graph& graph) {
  ordered_json carriers = ordered_json::array();
  for (const Carrier& carrier : end.carriers) {
    carriers.push_back({{"node", graph.names().name(carrier.node)}, {"weight", carrier.weight}});
  }
  ordered_json features = ordered_json::array();
  for (const FeatureEffect& feature : end.features) {
    features.push_back(
        {{"feature", feature_name(graph, feature.feature)}, {"effect", feature.effect}});
  }
  return {{"node", graph.names().name(end.node)}, {"carriers", carriers}, {"features", features}};
}

std::string json_of(const Explanation& why, const Graph& graph, bool is_link) {
  return detail::json_text({{"source", graph.names().name(why.pair.source)},
                            {"target", graph.names().name(why.pair.target)},
                            {"is_link", is_link},
                            {"logit", why.logit},
                            {"probability", why.probability},
                            {"contributions", why.contributions},
                            {"importance", why.importance},
                            {"factor", why.selected},
                            {"ends", {end_json(why.source, graph), end_json(why.target, graph)}}});
}

std::string end_text(const EndExplanation& end, const Graph& graph) {
  std::string text = fmt::format("\n{}\n", graph.names().name(end.node));
  if (end.carriers.empty()) {
    text += "  no neighbour carries this factor\n";
  } else {
    text += "  neighbours that carry this factor:";
    for (const Carrier& carrier : end.carriers) {
      text +=
          fmt::format("  {} ({:.0f} %)", graph.names().name(carrier.node), 100 * carrier.weight);
    }
    text += "\n";
  }
  text += "  features that bring the two together (+) or apart (-):\n";
  for (const FeatureEffect& feature : end.features) {
    text += fmt::format("    {:+.3f}  {}\n", feature.effect, feature_name(graph, feature.feature));
  }
  return text;
}

std::string text_of(const Explanation& why, const Graph& graph, bool is_link) {
  std::string text = fmt::format(
      "{} and {} ({}): probability {:.3f}, logit {:.3f}\n"
      "factor {} explains the pair: it has {:.0f} % of the importance\n\n",
      graph.names().name(why.pair.source), graph.names().name(why.pair.target),
      is_link ? "linked" : "not linked", why.probability, why.logit, why.selected,
      100 * why.importance[why.selected]);
  Table table({"<factor", "importance", "contribution to the logit"});
  for (size_t factor = 0; factor < why.contributions.size(); ++factor) {
    table.add({std::to_string(factor), fmt::format("{:.3f}", why.importance[factor]),
               fmt::format("{:+.4f}", why.contributions[factor])});
  }
  table.add({"sum", "1.000", fmt::format("{:+.4f}", why.logit)});
  return text + table.text() + end_text(why.source, graph) + end_text(why.target, graph);
}

class Explain : public TrainedVerb {
 public:
  Explain() : TrainedVerb("explain", "Say why a pair of nodes gets its score") {
    options().add({.name = "source",
                   .help = "One node",
                   .target = &source_,
                   .value_name = "ID",
                   .positional = true});
    options().add({.name = "target",
                   .help = "The other node",
                   .target = &target_,
                   .value_name = "ID",
                   .positional = true});
    options().add({.name = "most",
                   .help = "Neighbours and features to name",
                   .target = &most_,
                   .least = 1,
                   .most = 1e6});
  }

  int run() override {
    if (source_.empty() || target_.empty()) {
      detail::fail_usage("two nodes are needed: disenlink explain FOLDER U V");
    }
    const ModelFolder trained = load();
    const Graph& graph = trained.graph();
    const NodePair pair{static_cast<NodeId>(graph.names().require(source_)),
                        static_cast<NodeId>(graph.names().require(target_))};
    const Explanation why = explain(trained.model(), pair, most_);
    const bool is_link = graph.adjacency().contains(pair);
    print(json_ ? json_of(why, graph, is_link) : text_of(why, graph, is_link));
    return kDone;
  }

 private:
  std::string source_;
  std::string target_;
  int64_t most_ = 5;
};

}  // namespace

std::unique_ptr<Verb> make_explain() { return std::make_unique<Explain>(); }

}  // namespace disenlink::cli
