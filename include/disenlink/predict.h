// Links that are not there yet: exact top lists, in blocks, never all pairs at once.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "disenlink/model.h"

namespace disenlink {

struct ScoredPair {
  NodePair pair;
  float logit;
};

struct TopOptions {
  int64_t count = 10;
  // Pairs below are left out.
  float least_logit = -std::numeric_limits<float>::infinity();
  // Links that are known and therefore not recommended.
  const Adjacency* known = nullptr;
};

// The best partners of one node, best first; ties by the smaller id.
std::vector<ScoredPair> top_partners(const LinkModel& model, int64_t num_nodes, NodeId node,
                                     const TopOptions& options);

// The best unordered pairs of the whole graph, best first; ties by the smaller ids. Memory grows
// with nodes and, for each thread, count, not with pairs.
std::vector<ScoredPair> top_links(const LinkModel& model, int64_t num_nodes,
                                  const TopOptions& options);

// The best partners of every node: result[n] as top_partners gives them.
std::vector<std::vector<ScoredPair>> top_partners_of_all(const LinkModel& model, int64_t num_nodes,
                                                         const TopOptions& options);

}  // namespace disenlink
