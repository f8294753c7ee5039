#include "graph/duplicate_nodes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/row_hash.h"
#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

using HashedNode = std::pair<uint64_t, NodeId>;

std::vector<HashedNode> sorted_by_hash(const Graph& graph) {
  std::vector<HashedNode> nodes(graph.num_nodes());
  parallel_blocks(graph.num_nodes(), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto node = static_cast<NodeId>(i);
      uint64_t hash = hash_row(graph.features(), node);
      for (const NodeId neighbor : graph.adjacency().neighbors(node)) {
        hash = mix(hash, static_cast<uint64_t>(neighbor));
      }
      nodes[i] = {hash, node};
    }
  });
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

bool equal_features(const Features& features, NodeId a, NodeId b) {
  if (features.is_sparse()) {
    return std::ranges::equal(features.sparse_row(a).columns, features.sparse_row(b).columns) &&
           std::ranges::equal(features.sparse_row(a).values, features.sparse_row(b).values);
  }
  return std::ranges::equal(features.dense_row(a), features.dense_row(b));
}

bool are_equal(const Graph& graph, NodeId a, NodeId b) {
  return std::ranges::equal(graph.adjacency().neighbors(a), graph.adjacency().neighbors(b)) &&
         equal_features(graph.features(), a, b);
}

}  // namespace

int64_t count_duplicate_nodes(const Graph& graph) {
  if (graph.features().empty()) {
    return 0;
  }
  struct Group {
    NodeId first;
    int64_t size;
  };
  int64_t duplicates = 0;
  std::vector<Group> groups;  // of one hash: more than one only where hashes collide
  const auto close_groups = [&] {
    for (const Group& group : groups) {
      duplicates += group.size > 1 ? group.size : 0;
    }
    groups.clear();
  };
  uint64_t hash_of_groups = 0;
  for (const auto& [hash, node] : sorted_by_hash(graph)) {
    if (hash != hash_of_groups) {
      close_groups();
      hash_of_groups = hash;
    }
    const auto same = std::ranges::find_if(
        groups, [&, id = node](const Group& group) { return are_equal(graph, group.first, id); });
    if (same != groups.end()) {
      ++same->size;
    } else {
      groups.push_back({node, 1});
    }
  }
  close_groups();
  return duplicates;
}

}  // namespace disenlink::detail
