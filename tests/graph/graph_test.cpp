#include "disenlink/graph.h"

#include <gmock/gmock.h>

#include "test_files.h"

namespace disenlink {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

GraphParts small_parts() {
  GraphParts parts;
  parts.name = "small";
  parts.num_nodes = 4;
  parts.arcs = {{1, 0}, {0, 1}, {2, 2}, {0, 2}, {0, 2}};
  return parts;
}

TEST(Graph, KeepsArcsAndCleansPairs) {
  const Graph graph(small_parts());
  EXPECT_EQ(graph.arcs().size(), 5);
  EXPECT_EQ(graph.adjacency().num_pairs(), 2);
  EXPECT_THAT(graph.adjacency().neighbors(0), ElementsAre(1, 2));
  EXPECT_EQ(graph.adjacency().degree(3), 0);
  EXPECT_TRUE(graph.adjacency().contains({2, 0}));
  EXPECT_FALSE(graph.adjacency().contains({2, 2}));
  EXPECT_THAT(graph.adjacency().pairs(), ElementsAre(NodePair{0, 1}, NodePair{0, 2}));
}

TEST(Graph, FingerprintSeesDirectionAndSize) {
  const std::string original = Graph(small_parts()).fingerprint();
  GraphParts reversed = small_parts();
  std::swap(reversed.arcs[3].source, reversed.arcs[3].target);
  GraphParts larger = small_parts();
  larger.num_nodes = 5;
  EXPECT_NE(Graph(std::move(reversed)).fingerprint(), original);
  EXPECT_NE(Graph(std::move(larger)).fingerprint(), original);
  EXPECT_EQ(Graph(small_parts()).fingerprint(), original);
}

TEST(Graph, RejectsPartsThatDisagree) {
  GraphParts parts = small_parts();
  parts.arcs.push_back({0, 4});
  EXPECT_THAT(error_of([&] { Graph graph(parts); }),
              HasSubstr("link row 6 names node 4, expected 0 to 3"));
  parts = small_parts();
  parts.arcs.clear();
  EXPECT_THAT(error_of([&] { Graph graph(parts); }), HasSubstr("has no links"));
  parts = small_parts();
  parts.features = Features::dense(3, 1, {1, 2, 3});
  EXPECT_THAT(error_of([&] { Graph graph(parts); }),
              HasSubstr("features have 3 rows, expected one for each of the 4 nodes"));
}

TEST(Features, SparseRowsAreTidied) {
  const Features features = Features::sparse(5, {0, 3, 3, 5}, {4, 1, 4, 0, 2}, {1, 2, 3, 0, 5});
  EXPECT_EQ(features.num_nonzeros(), 3);
  EXPECT_THAT(features.sparse_row(0).columns, ElementsAre(1, 4));
  EXPECT_THAT(features.sparse_row(0).values, ElementsAre(2, 3));
  EXPECT_THAT(features.sparse_row(2).columns, ElementsAre(2));
  EXPECT_THAT(error_of([] {
                Features::sparse(2, {0, 1}, {2}, {1});
              }),
              HasSubstr("row 0 names column 2, expected 0 to 1"));
}

TEST(Features, DenseTableBecomesSparseOnlyWhenMostlyZero) {
  EXPECT_TRUE(Features::from_dense_table(2, 2, {0, 0, 0, 1}).is_sparse());
  EXPECT_FALSE(Features::from_dense_table(2, 2, {0, 0, 1, 1}).is_sparse());
}

TEST(NodeNames, FindsAndSuggests) {
  const NodeNames names = NodeNames::from_list({"berlin", "paris", "rome"});
  EXPECT_EQ(names.find("paris"), 1);
  EXPECT_EQ(names.find("oslo"), std::nullopt);
  EXPECT_THAT(error_of([&] { names.require("pariss"); }), HasSubstr("(did you mean 'paris'?)"));
  EXPECT_THAT(error_of([] {
                NodeNames::from_list({"a", "b", "a"});
              }),
              HasSubstr("'a' is given twice, as node 1 and node 3"));
  EXPECT_THAT(error_of([] { NodeNames::numbered(3).require("3"); }),
              HasSubstr("nodes are numbered 0 to 2"));
}

}  // namespace
}  // namespace disenlink
