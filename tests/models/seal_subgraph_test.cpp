// SEAL's subgraphs and labels against values worked out by hand.
#include "models/baselines/seal_subgraph.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <set>

#include "models/small_graphs.h"

namespace disenlink {
namespace {

using detail::distance_label;
using detail::extract_subgraphs;
using detail::SubgraphBatch;
using detail::SubgraphOptions;
using testing::complete_graph;
using ::testing::ElementsAre;
using testing::random_graph;
using testing::some_pairs;

constexpr SubgraphOptions kTwoHops = {.hops = 2, .nodes_per_hop = 0};

// The links of a subgraph by numbers of the whole graph, loops left out, both directions.
std::set<NodePair> links_of(const SubgraphBatch& batch) {
  std::set<NodePair> links;
  for (int64_t row = 0; row < batch.num_rows(); ++row) {
    for (int64_t i = batch.neighbors.offsets[row]; i < batch.neighbors.offsets[row + 1]; ++i) {
      if (batch.neighbors.others[i] != row) {
        links.insert({batch.nodes[row], batch.nodes[batch.neighbors.others[i]]});
      }
    }
  }
  return links;
}

int32_t label_of(const SubgraphBatch& batch, NodeId node) {
  const auto at = std::ranges::find(batch.nodes, node) - batch.nodes.begin();
  return at < batch.num_rows() ? batch.labels[at] : -1;
}

TEST(SealSubgraph, LabelsOfTheTable) {
  const std::vector<std::array<int32_t, 3>> table = {{1, 1, 2},  {1, 2, 3}, {1, 3, 4}, {2, 2, 5},
                                                     {1, 4, 6},  {2, 3, 7}, {2, 4, 9}, {3, 3, 10},
                                                     {3, 4, 13}, {4, 4, 17}};
  for (const auto& [dx, dy, label] : table) {
    EXPECT_EQ(distance_label(dx, dy), label) << dx << " " << dy;
    EXPECT_EQ(distance_label(dy, dx), label) << dy << " " << dx;
  }
  EXPECT_EQ(distance_label(1000, 1000), 999);
}

TEST(SealSubgraph, LabelsOfAGraphWorkedOutByHand) {
  const MessageGraph graph(7, {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {3, 4}, {4, 1}, {2, 5}, {0, 6}});
  const std::vector<NodePair> pair = {{0, 1}};
  const SubgraphBatch batch = extract_subgraphs(graph, pair, kTwoHops);
  ASSERT_EQ(batch.num_rows(), 7);
  EXPECT_EQ(batch.nodes[0], 0);
  EXPECT_EQ(batch.nodes[1], 1);
  std::vector<int32_t> labels;
  labels.reserve(7);
  for (NodeId node = 0; node < 7; ++node) {
    labels.push_back(label_of(batch, node));
  }
  EXPECT_THAT(labels, ElementsAre(1, 1, 2, 3, 3, 5, 0));
}

TEST(SealSubgraph, OneHopLeavesOutWhatIsTwoStepsAway) {
  const MessageGraph graph(7, {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {3, 4}, {4, 1}, {2, 5}, {0, 6}});
  const std::vector<NodePair> pair = {{0, 1}};
  const SubgraphBatch batch = extract_subgraphs(graph, pair, {.hops = 1, .nodes_per_hop = 0});
  EXPECT_EQ(batch.num_rows(), 6);
  EXPECT_EQ(label_of(batch, 5), -1);
}

// Both ways of finding links, walking a list and looking up in a hub's, against all pairs.
TEST(SealSubgraph, HasAllLinksAmongItsNodesButTheTarget) {
  const MessageGraph graph = random_graph(300, 1500, 3);
  int64_t seen = 0;
  std::vector<NodePair> pairs = some_pairs(300, 60, 4);
  pairs.insert(pairs.end(), graph.arcs().begin(), graph.arcs().begin() + 60);
  for (const NodePair pair : pairs) {
    if (pair.source == pair.target) {
      continue;
    }
    const std::vector<NodePair> one = {pair};
    const SubgraphBatch batch = extract_subgraphs(graph, one, {.hops = 2, .nodes_per_hop = 30});
    std::set<NodePair> expected;
    for (const NodeId a : batch.nodes) {
      for (const NodeId b : batch.nodes) {
        if (graph.contains({a, b}) && unordered({a, b}) != unordered(pair)) {
          expected.insert({a, b});
        }
      }
    }
    EXPECT_EQ(links_of(batch), expected);
    EXPECT_EQ(batch.neighbors.others.size(), expected.size() + batch.nodes.size());
    seen += graph.contains(pair) ? 1 : 0;
  }
  EXPECT_GE(seen, 50);  // targets that had to be left out
}

TEST(SealSubgraph, KeepsAtMostTheNodesAskedFor) {
  const MessageGraph graph = random_graph(500, 6000, 5);
  const std::vector<NodePair> hubs = {{0, 1}};
  ASSERT_GT(graph.degree(0), 100);
  const SubgraphBatch capped = extract_subgraphs(graph, hubs, {.hops = 2, .nodes_per_hop = 20});
  EXPECT_EQ(capped.num_rows(), 2 + 20 + 20);
  EXPECT_EQ(std::set(capped.nodes.begin(), capped.nodes.end()).size(), capped.nodes.size());
  for (int64_t row = 2; row < 22; ++row) {
    EXPECT_TRUE(graph.contains({0, capped.nodes[row]}) || graph.contains({1, capped.nodes[row]}));
  }
  const SubgraphBatch whole = extract_subgraphs(graph, hubs, {.hops = 1, .nodes_per_hop = 0});
  EXPECT_GT(whole.num_rows(), graph.degree(0));
}

TEST(SealSubgraph, IsTheSameEachTimeInBothDirectionsAndInAnyBatch) {
  const MessageGraph graph = random_graph(500, 6000, 5);
  const SubgraphOptions options = {.hops = 2, .nodes_per_hop = 20};
  const std::vector<NodePair> pairs = {{7, 3}, {0, 1}, {3, 7}};
  const SubgraphBatch batch = extract_subgraphs(graph, pairs, options);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const SubgraphBatch alone = extract_subgraphs(graph, std::span(pairs).subspan(i, 1), options);
    const std::vector<NodeId> nodes(batch.nodes.begin() + batch.offsets[i],
                                    batch.nodes.begin() + batch.offsets[i + 1]);
    const std::vector<int32_t> labels(batch.labels.begin() + batch.offsets[i],
                                      batch.labels.begin() + batch.offsets[i + 1]);
    EXPECT_EQ(nodes, alone.nodes);
    EXPECT_EQ(labels, alone.labels);
  }
  const auto rows = [&](size_t graph_number) {
    return std::span(batch.nodes).subspan(batch.offsets[graph_number], 42);
  };
  EXPECT_TRUE(std::ranges::equal(rows(0), rows(2)));
  EXPECT_FALSE(std::ranges::equal(rows(0), rows(1)));
}

TEST(SealSubgraph, ANodeSharesAllNeighboursWithItself) {
  const MessageGraph graph(4, {{0, 1}, {0, 2}, {2, 3}});
  const std::vector<NodePair> pair = {{0, 0}};
  const SubgraphBatch batch = extract_subgraphs(graph, pair, {});
  EXPECT_THAT(batch.nodes, ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(batch.labels, ElementsAre(1, 1, 2, 2));
  EXPECT_THAT(batch.neighbors.offsets, ElementsAre(0, 3, 6, 9, 12));
}

TEST(SealSubgraph, LabelsAreBoundedByTheLargestOfTheLinks) {
  EXPECT_EQ(detail::sample_bounds(MessageGraph(3, {}), {}).largest_label, 10);
  EXPECT_EQ(detail::sample_bounds(complete_graph(4), {}).largest_label, 10);
  // A ring of twelve: without the link itself its ends are eleven steps apart.
  std::vector<NodePair> ring;
  ring.reserve(12);
  for (NodeId node = 0; node < 12; ++node) {
    ring.push_back({node, (node + 1) % 12});
  }
  const auto bounds = detail::sample_bounds(MessageGraph(12, ring), {.hops = 6});
  EXPECT_EQ(bounds.largest_label, distance_label(5, 6));
}

// A star of 12 leaves, whose links are stored several times, beside one of 21.
int64_t pooled_rows_of_stars(int small_links) {
  std::vector<NodePair> arcs;
  arcs.reserve(small_links + 21);
  for (int i = 0; i < small_links; ++i) {
    arcs.push_back({0, static_cast<NodeId>(1 + i % 12)});
  }
  for (NodeId leaf = 0; leaf < 21; ++leaf) {
    arcs.push_back({20, 21 + leaf});
  }
  return detail::sample_bounds(MessageGraph(42, std::move(arcs)), {}).pooled_rows;
}

TEST(SealSubgraph, SixtyPercentOfTheLinksHaveNoMoreThanThePooledRows) {
  EXPECT_EQ(pooled_rows_of_stars(32), 13);  // 32 of 53 subgraphs have 13 nodes
  EXPECT_EQ(pooled_rows_of_stars(31), 22);  // 31 of 52 are too few
  EXPECT_EQ(detail::sample_bounds(complete_graph(4), {}).pooled_rows, 10);
}

}  // namespace
}  // namespace disenlink
