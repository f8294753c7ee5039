// One interface for every method of link prediction, and the table of them.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "disenlink/features.h"
#include "disenlink/graph.h"

namespace disenlink {

class LinkModel {
 public:
  virtual ~LinkModel() = default;

  // Looks at the links it may use and at the node attributes; score() refers to these. Both must
  // outlive the model or the next encode().
  virtual void encode(const Adjacency& message_graph, const Features& features) = 0;

  // One logit a pair: higher = more likely a link. logits.size() == pairs.size().
  virtual void score(std::span<const NodePair> pairs, std::span<float> logits) const = 0;
};

struct ModelInfo {
  std::string_view name;  // what users type
  std::string_view title;
  std::string_view source;  // where the method comes from
  std::string_view summary;
  std::unique_ptr<LinkModel> (*make)();
};

std::span<const ModelInfo> models();

// Throws UsageError with the known names where there is none of that name.
const ModelInfo& find_model(std::string_view name);

}  // namespace disenlink
