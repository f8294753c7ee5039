// One interface for every method of link prediction, and the table of them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "disenlink/features.h"
#include "disenlink/graph.h"
#include "disenlink/random.h"

namespace disenlink {

class LinkModel {
 public:
  virtual ~LinkModel() = default;

  // Looks at the links it may use and at the node attributes; score() refers to these. Both must
  // outlive the model or the next encode().
  virtual void encode(const Adjacency& message_graph, const Features& features) = 0;

  // One logit a pair: higher = more likely a link. logits.size() == pairs.size().
  virtual void score(std::span<const NodePair> pairs, std::span<float> logits) const = 0;

  // Every pair of some heads with some tails, row by row: logits is (heads, tails). Models that can
  // do better than pair by pair override it.
  virtual void score_block(NodeId first_head, NodeId last_head, NodeId first_tail, NodeId last_tail,
                           std::span<float> logits) const;
};

// One array of a model, by its name in the checkpoint.
struct Parameter {
  std::string name;
  std::vector<int64_t> shape;
  std::span<float> values;
  std::span<float> gradients;  // filled by compute_gradients()
};

struct StepReport {
  double loss = 0;
  int64_t clipped = 0;  // exponents that met the model's bound
};

// A model that the one training loop can train. It has no loop, optimiser or sampling of its own.
class TrainableModel : public LinkModel {
 public:
  // Takes the graph and draws the initial parameters. Both inputs must outlive the model.
  virtual void start(const Adjacency& message_graph, const Features& features, Random& random) = 0;

  virtual std::vector<Parameter> parameters() = 0;

  // Loss of the training pairs and its gradients at the current parameters.
  virtual StepReport compute_gradients(std::span<const NodePair> positives,
                                       std::span<const NodePair> negatives) = 0;

  // Brings what score() reads up to date after the parameters have changed.
  virtual void refresh() = 0;
};

// Options of a model by name, as on the command line: {{"factors", "8"}, {"loss", "mse"}}.
using ModelOptions = std::map<std::string, std::string>;

struct ModelInfo {
  std::string_view name;  // what users type
  std::string_view title;
  std::string_view source;  // where the method comes from
  std::string_view summary;
  // Throws UsageError for an unknown option or a value outside its range.
  std::unique_ptr<LinkModel> (*make)(const ModelOptions&);
};

std::span<const ModelInfo> models();

// Throws UsageError with the known names where there is none of that name.
const ModelInfo& find_model(std::string_view name);

}  // namespace disenlink
