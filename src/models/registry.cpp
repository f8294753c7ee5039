#include "models/registry.h"

#include <fmt/ranges.h>

#include <vector>

#include "core/fail.h"
#include "models/factory.h"

namespace disenlink {
namespace {

// Filled before main() by add_models(), whatever the order of the files.
std::vector<ModelInfo>& table() {
  static std::vector<ModelInfo> models = {
      {"disenlink", "DisenLink", "Zhou, Guo, Aggarwal, Zhang and Wang 2022",
       "Each link is explained by the factor on which its ends agree", detail::new_disenlink},
      {"cn", "CN", "Liben-Nowell and Kleinberg 2007", "Common neighbours",
       detail::new_common_neighbors},
      {"aa", "AA", "Adamic and Adar 2003", "Common neighbours, rare ones count more",
       detail::new_adamic_adar},
  };
  return models;
}

}  // namespace

bool detail::add_models(std::span<const ModelInfo> more) {
  table().insert(table().end(), more.begin(), more.end());
  return true;
}

std::unique_ptr<LinkModel> ModelInfo::make(const ModelOptions& options) const {
  const auto chosen = factory();
  detail::OptionTable known;
  chosen->add_options(known);
  known.set_all(options);
  return chosen->make();
}

void LinkModel::score_block(NodeId first_head, NodeId last_head, NodeId first_tail,
                            NodeId last_tail, std::span<float> logits) const {
  std::vector<NodePair> pairs;
  pairs.reserve(logits.size());
  for (NodeId head = first_head; head < last_head; ++head) {
    for (NodeId tail = first_tail; tail < last_tail; ++tail) {
      pairs.push_back({head, tail});
    }
  }
  score(pairs, logits);
}

std::span<const ModelInfo> models() { return table(); }

const ModelInfo& find_model(std::string_view name) {
  std::vector<std::string_view> known;
  for (const ModelInfo& model : table()) {
    if (model.name == name) {
      return model;
    }
    known.push_back(model.name);
  }
  detail::fail_usage("unknown model '{}', expected one of: {}", name, fmt::join(known, ", "));
}

}  // namespace disenlink
