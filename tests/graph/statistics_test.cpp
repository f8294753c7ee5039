#include "disenlink/statistics.h"

#include <gmock/gmock.h>

#include "disenlink/threads.h"
#include "test_files.h"

namespace disenlink {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// 0 - 1 - 2 with 0 -> 1 twice and back, a loop at 2, the pair 3 - 4 and the lonely 5.
GraphParts mixed_parts() {
  GraphParts parts;
  parts.name = "mixed";
  parts.num_nodes = 6;
  parts.arcs = {{0, 1}, {0, 1}, {1, 0}, {1, 2}, {2, 2}, {3, 4}};
  parts.labels = {0, 0, 7, -1, 7, 7};
  parts.features = Features::sparse(3, {0, 1, 3, 3, 4, 5, 6}, {0, 0, 1, 2, 2, 2},
                                    {1.0F, 3.0F, 4.0F, 2.0F, 5.0F, 5.0F});
  return parts;
}

TEST(Statistics, CountsRowsPairsAndLoops) {
  const GraphStatistics statistics = measure(Graph(mixed_parts()));
  EXPECT_EQ(statistics.nodes, 6);
  EXPECT_EQ(statistics.raw_edge_rows, 6);
  EXPECT_EQ(statistics.distinct_directed_edges, 5);
  EXPECT_EQ(statistics.undirected_unique_edges, 3);
  EXPECT_EQ(statistics.self_loops, 1);
  EXPECT_DOUBLE_EQ(statistics.reciprocated_fraction, 3.0 / 5);
}

TEST(Statistics, MeasuresDegreesAndComponents) {
  const GraphStatistics statistics = measure(Graph(mixed_parts()));
  EXPECT_EQ(statistics.isolated_nodes, 1);
  EXPECT_EQ(statistics.max_degree, 2);
  EXPECT_EQ(statistics.mean_degree, 1);
  EXPECT_EQ(statistics.median_degree, 1);
  EXPECT_EQ(statistics.components, 3);
  EXPECT_EQ(statistics.largest_component, 3);
}

TEST(Statistics, MeasuresFeaturesAndLabels) {
  const GraphStatistics statistics = measure(Graph(mixed_parts()));
  EXPECT_EQ(statistics.features, 3);
  EXPECT_EQ(statistics.feature_nnz, 6);
  EXPECT_EQ(statistics.zero_feature_rows, 1);
  // 0 - 1 has cosine 3/5, 3 - 4 has 1, and 1 - 2 is left out because 2 has no features.
  EXPECT_NEAR(statistics.linked_cosine.value(), 0.8, 1e-12);
  EXPECT_EQ(statistics.classes, 2);
  EXPECT_EQ(statistics.unlabelled, 1);
  EXPECT_DOUBLE_EQ(statistics.edge_homophily.value(), 0.5);
}

TEST(Statistics, DenseAndSparseFeaturesGiveTheSame) {
  const GraphStatistics sparse = measure(Graph(mixed_parts()));
  GraphParts parts = mixed_parts();
  parts.features = Features::dense(6, 3, {1, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0, 2, 0, 0, 5, 0, 0, 5});
  const GraphStatistics dense = measure(Graph(std::move(parts)));
  EXPECT_EQ(dense.feature_nnz, sparse.feature_nnz);
  EXPECT_EQ(dense.zero_feature_rows, sparse.zero_feature_rows);
  EXPECT_NEAR(dense.linked_cosine.value(), sparse.linked_cosine.value(), 1e-12);
}

TEST(Statistics, LeavesOutWhatThereIsNot) {
  GraphParts parts = mixed_parts();
  parts.features = {};
  parts.labels = {};
  const Graph graph(std::move(parts));
  const GraphStatistics statistics = measure(graph);
  EXPECT_EQ(statistics.features, 0);
  EXPECT_EQ(statistics.duplicate_nodes, 0);
  EXPECT_FALSE(statistics.linked_cosine.has_value());
  EXPECT_FALSE(statistics.classes.has_value());
  EXPECT_FALSE(statistics.unlabelled.has_value());
  EXPECT_FALSE(statistics.edge_homophily.has_value());
  EXPECT_THAT(oddities(graph, statistics), Contains(HasSubstr("There are no features")));
  EXPECT_THAT(oddities(graph, statistics), Contains(HasSubstr("There are no labels")));
}

// Leaves 1 to 4 at node 0; all but leaf 4 have equal features.
Graph star(std::vector<float> features) {
  GraphParts parts;
  parts.name = "star";
  parts.num_nodes = 5;
  parts.arcs = {{0, 1}, {0, 2}, {3, 0}, {0, 4}};
  parts.labels = {0, 1, 1, 1, 1};
  parts.features = Features::dense(5, 2, std::move(features));
  return Graph(std::move(parts));
}

TEST(Statistics, DuplicatesAgreeInFeaturesAndNeighbours) {
  EXPECT_EQ(measure(star({1, 2, 1, 2, 1, 2, 1, 2, 2, 1})).duplicate_nodes, 3);
  EXPECT_EQ(measure(star({1, 2, 1, 2, 1, 2, 1, 3, 2, 1})).duplicate_nodes, 2);
  EXPECT_EQ(measure(star({1, 2, 1, 2, 1, 4, 1, 3, 2, 1})).duplicate_nodes, 0);
}

TEST(Statistics, DoesNotDependOnThreads) {
  GraphParts parts;
  parts.name = "ring";
  parts.num_nodes = 3000;
  std::vector<float> values;
  for (NodeId node = 0; node < 3000; ++node) {
    parts.arcs.push_back({node, (node + 1) % 3000});
    values.push_back(1.0F + 0.1F * static_cast<float>(node % 17));
    values.push_back(1.0F - 0.3F * static_cast<float>(node % 5));
  }
  parts.features = Features::dense(3000, 2, std::move(values));
  const Graph graph(std::move(parts));
  const int threads = num_threads();
  set_num_threads(1);
  const auto alone = measure(graph).linked_cosine;
  set_num_threads(3);
  EXPECT_EQ(measure(graph).linked_cosine, alone);
  set_num_threads(threads);
}

TEST(Oddities, TellsEveryKindWithItsNumbers) {
  const Graph graph(mixed_parts());
  const auto sentences = oddities(graph, measure(graph));
  EXPECT_THAT(sentences, Contains(HasSubstr("1 of 6 link rows repeat an earlier row")));
  EXPECT_THAT(sentences, Contains(HasSubstr("1 of 6 link rows link a node to itself")));
  EXPECT_THAT(sentences, Contains(HasSubstr("60.0 % of the link rows are stored in both")));
  EXPECT_THAT(sentences, Contains(HasSubstr("1 of 6 nodes have no link to another node")));
  EXPECT_THAT(sentences, Contains(AllOf(HasSubstr("falls into 3 components"),
                                        HasSubstr("the largest holds 3 of 6 nodes"))));
  EXPECT_THAT(sentences, Contains(HasSubstr("1 of 6 nodes have no non-zero feature")));
  EXPECT_THAT(sentences, Contains(HasSubstr("1 of 6 nodes have no label")));
}

TEST(Oddities, TellsWhatARowSplitLeaks) {
  GraphParts parts;
  parts.name = "both ways";
  parts.num_nodes = 3;
  parts.arcs = {{0, 1}, {1, 0}, {1, 2}, {2, 1}};
  const Graph graph(std::move(parts));
  EXPECT_THAT(oddities(graph, measure(graph)),
              Contains(AllOf(HasSubstr("Every link is stored in both directions (4 rows for 2"),
                             HasSubstr("leaks"))));
}

TEST(Oddities, TellsOfDuplicatesConstantColumnsAndScales) {
  const Graph copies = star({1, 2, 1, 2, 1, 2, 1, 2, 1, 2});
  const auto sentences = oddities(copies, measure(copies));
  EXPECT_THAT(sentences, Contains(HasSubstr("4 of 5 nodes have the same features and the same")));
  EXPECT_THAT(sentences, Contains(HasSubstr("2 of 2 feature columns have the same value")));
  EXPECT_THAT(sentences, Not(Contains(HasSubstr("scale"))));
  const Graph scales = star({1, 2000, 1, 5, -1, 9, 1, 6, 1, 5});
  EXPECT_THAT(oddities(scales, measure(scales)),
              Contains(HasSubstr("column 1 goes from 5 to 2000, column 0 only from -1 to 1")));
}

TEST(Oddities, NamesTheHub) {
  GraphParts parts;
  parts.name = "wheel";
  parts.num_nodes = 31;
  for (NodeId leaf = 1; leaf <= 30; ++leaf) {
    parts.arcs.push_back({leaf, 0});
  }
  const Graph graph(std::move(parts));
  EXPECT_THAT(oddities(graph, measure(graph)),
              Contains(HasSubstr("Node '0' takes part in 30 of 30 links (100.0 %)")));
}

TEST(Oddities, KeepsQuietAboutAPlainGraph) {
  GraphParts parts;
  parts.name = "plain";
  parts.num_nodes = 3;
  parts.arcs = {{0, 1}, {1, 2}};
  parts.labels = {0, 1, 0};
  parts.features = Features::dense(3, 2, {1, 2, 3, 1, 2, 2});
  const Graph graph(std::move(parts));
  EXPECT_THAT(oddities(graph, measure(graph)), IsEmpty());
}

}  // namespace
}  // namespace disenlink
