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
namespace detail {
class ModelFactory;
}

// Vectors of all nodes: (nodes, factors, width), row by row. One factor = no factors.
struct NodeVectors {
  std::string_view name;
  int64_t factors = 1;
  int64_t width = 0;
  std::span<const float> values;
};

class LinkModel {
 public:
  virtual ~LinkModel() = default;

  // Looks at the links it may use and at the node attributes; score() refers to these. Both must
  // outlive the model or the next encode().
  virtual void encode(const MessageGraph& message_graph, const Features& features) = 0;

  // One logit a pair: higher = more likely a link. logits.size() == pairs.size().
  virtual void score(std::span<const NodePair> pairs, std::span<float> logits) const = 0;

  // Every pair of some heads with some tails, row by row: logits is (heads, tails). Models that can
  // do better than pair by pair override it.
  virtual void score_block(NodeId first_head, NodeId last_head, NodeId first_tail, NodeId last_tail,
                           std::span<float> logits) const;

  // What the model knows of each node, by name; empty where it knows pairs only. The values belong
  // to the model.
  virtual std::vector<NodeVectors> vectors() const { return {}; }
};

// One array of a model, by its name in the checkpoint.
struct Parameter {
  std::string name;
  std::vector<int64_t> shape;
  std::span<float> values;
  // Filled by compute_gradients(); empty = not trained, only kept with the weights, such as the
  // running means of a batch normalisation.
  std::span<float> gradients;
  int64_t group = 0;  // the steps that update it, see TrainableModel::group_of_step()
};

// What one step of an epoch learns from.
struct TrainStep {
  std::span<const NodePair> positives;
  std::span<const NodePair> negatives;
  int64_t epoch = 1;  // from 1
  int64_t index = 0;  // of this step in its epoch, from 0
  uint64_t seed = 1;  // of the run; draw noise from Random(seed, purpose and epoch and index)
};

struct StepReport {
  double loss = 0;
  int64_t clipped = 0;  // exponents that met the model's bound
};

// A model that the one training loop can train. It has no loop, optimiser or sampling of its own.
// An epoch is one step for most models; one that learns in batches, or trains a second network
// beside itself, has more.
class TrainableModel : public LinkModel {
 public:
  // Takes the graph and draws the initial parameters. Both inputs must outlive the model.
  virtual void start(const MessageGraph& message_graph, const Features& features,
                     Random& random) = 0;

  virtual std::vector<Parameter> parameters() = 0;

  virtual int64_t steps_per_epoch(int64_t /*num_pairs*/) const { return 1; }

  // The group of parameters that a step updates; the loss of group 0 is the one reported.
  virtual int64_t group_of_step(int64_t /*index*/) const { return 0; }

  // Learning rate of a group as a multiple of the one of training.
  virtual double rate_of_group(int64_t /*group*/) const { return 1; }

  // Loss of the training pairs and its gradients at the current parameters. Until refresh(),
  // score() may go on reading what this computed.
  virtual StepReport compute_gradients(const TrainStep& step) = 0;

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
  std::unique_ptr<detail::ModelFactory> (*factory)();  // its options, for the command line

  // Throws UsageError for an unknown option or a value outside its range.
  std::unique_ptr<LinkModel> make(const ModelOptions& options) const;
};

std::span<const ModelInfo> models();

// Throws UsageError with the known names where there is none of that name.
const ModelInfo& find_model(std::string_view name);

}  // namespace disenlink
