// disenlink predict: scores of given pairs, and links that are missing.
#include "disenlink/predict.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/new_nodes.h"
#include "cli/table.h"
#include "cli/trained_verb.h"
#include "cli/verbs.h"
#include "core/fail.h"
#include "core/finite.h"
#include "core/json_text.h"
#include "core/output_file.h"
#include "data/csv_field.h"
#include "data/edge_list.h"
#include "models/disenlink/model.h"

namespace disenlink::cli {
namespace {

struct Row {
  NodePair pair;
  float logit;
  std::optional<int64_t> factor;  // that explains the pair, where the model has factors
};

double probability(float logit) { return 1 / (1 + std::exp(-static_cast<double>(logit))); }

std::string csv_of(const std::vector<Row>& rows, const NodeNames& names) {
  std::string text = "source,target,logit,probability,factor\n";
  for (const Row& row : rows) {
    text += fmt::format("{},{},{},{:.6g},{}\n",
                        detail::csv_field(names.name(row.pair.source), "node name"),
                        detail::csv_field(names.name(row.pair.target), "node name"), row.logit,
                        probability(row.logit), row.factor ? std::to_string(*row.factor) : "");
  }
  return text;
}

std::string json_of(const std::vector<Row>& rows, const NodeNames& names) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    list.push_back({{"source", names.name(row.pair.source)},
                    {"target", names.name(row.pair.target)},
                    {"logit", row.logit},
                    {"probability", probability(row.logit)}});
    if (row.factor) {
      list.back()["factor"] = *row.factor;
    }
  }
  return detail::json_text(list);
}

class Predict : public TrainedVerb {
 public:
  Predict() : TrainedVerb("predict", "Score pairs, or recommend links that are missing") {
    auto& table = options();
    table.add({.name = "pairs",
               .help = "Score these pairs: two node ids a line",
               .target = &pairs_,
               .value_name = "FILE"});
    table.add({.name = "node", .help = "Recommend links of this node", .target = &node_});
    table.add({.name = "top",
               .help = "So many links: of --node or of each new node (10, if not given), or of the "
                       "whole graph",
               .target = &top_,
               .least = 1,
               .most = 1e9});
    table.add({.name = "min-probability",
               .help = "Leave out less likely links",
               .target = &least_,
               .least = 0,
               .most = 1});
    table.add({.name = "new-nodes",
               .help = "Table of nodes that were not in training, with the same columns",
               .target = &new_nodes_,
               .value_name = "FILE"});
    table.add({.name = "new-edges",
               .help = "Links of the new nodes, if any are known",
               .target = &new_edges_,
               .value_name = "FILE"});
    table.add({.name = "out",
               .help = "Write here instead of to standard output",
               .target = &out_,
               .value_name = "FILE"});
  }

  int run() override {
    ModelFolder trained = load();
    if (options().is_typed("node") && node_.empty()) {
      detail::fail_usage("--node: '' given, expected the id of a node");
    }
    if (pairs_.empty() && node_.empty() && top_ == 0 && new_nodes_.empty()) {
      detail::fail_usage(
          "nothing asked: give --pairs FILE, --node ID, --top N for the whole graph, or "
          "--new-nodes FILE");
    }
    if (!pairs_.empty() && (!node_.empty() || top_ > 0)) {
      detail::fail_usage("--pairs scores what its file names; --node and --top do not go with it");
    }
    const ExtendedGraph graph = extend(trained, new_nodes_, new_edges_);
    std::vector<Row> rows = predict(trained.model(), graph);
    const std::string text = json_ ? json_of(rows, graph.names) : csv_of(rows, graph.names);
    if (out_.empty()) {
      print(text);
    } else {
      detail::write_whole_file(out_, text);
    }
    return kDone;
  }

 private:
  float least_logit() const { return static_cast<float>(std::log(least_ / (1 - least_))); }

  std::vector<Row> predict(const LinkModel& model, const ExtendedGraph& graph) const {
    std::vector<ScoredPair> found;
    TopOptions wanted;
    wanted.count = top_ == 0 ? 10 : top_;
    wanted.known = &graph.known;
    wanted.least_logit = least_logit();
    if (!pairs_.empty()) {
      found = score_pairs(model, graph);
    } else if (!node_.empty()) {
      const auto node = static_cast<NodeId>(graph.names.require(node_));
      found = top_partners(model, graph.names.size(), node, wanted);
    } else if (graph.first_new < graph.names.size()) {
      for (int64_t node = graph.first_new; node < graph.names.size(); ++node) {
        const auto best =
            top_partners(model, graph.names.size(), static_cast<NodeId>(node), wanted);
        found.insert(found.end(), best.begin(), best.end());
      }
    } else {
      found = top_links(model, graph.names.size(), wanted);
    }
    return with_factors(model, found);
  }

  std::vector<ScoredPair> score_pairs(const LinkModel& model, const ExtendedGraph& graph) const {
    const std::vector<NodePair> pairs = detail::read_edge_list(pairs_, graph.names, {});
    std::vector<float> logits(pairs.size());
    model.score(pairs, logits);
    detail::require_scores(logits);
    std::vector<ScoredPair> found;
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (!(logits[i] < least_logit())) {
        found.push_back({pairs[i], logits[i]});
      }
    }
    return found;
  }

  static std::vector<Row> with_factors(const LinkModel& model,
                                       const std::vector<ScoredPair>& found) {
    const auto* disenlink = dynamic_cast<const detail::DisenLinkModel*>(&model);
    std::vector<Row> rows;
    for (const ScoredPair& pair : found) {
      Row row{pair.pair, pair.logit, std::nullopt};
      if (disenlink != nullptr) {
        const auto importance = disenlink->network().pair_importance(pair.pair);
        row.factor = std::max_element(importance.begin(), importance.end()) - importance.begin();
      }
      rows.push_back(row);
    }
    return rows;
  }

  std::string pairs_;
  std::string node_;
  int64_t top_ = 0;
  double least_ = 0;
  std::string new_nodes_;
  std::string new_edges_;
  std::string out_;
};

}  // namespace

std::unique_ptr<Verb> make_predict() { return std::make_unique<Predict>(); }

}  // namespace disenlink::cli
