#include <gmock/gmock.h>

#include "disenlink/generate.h"
#include "disenlink/read.h"
#include "test_files.h"

namespace disenlink {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::slurp;
using testing::TemporaryFolder;

void expect_equal(const Graph& a, const Graph& b) {
  ASSERT_EQ(a.num_nodes(), b.num_nodes());
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
  EXPECT_TRUE(std::ranges::equal(a.arcs(), b.arcs()));
  EXPECT_TRUE(std::ranges::equal(a.labels(), b.labels()));
  EXPECT_TRUE(std::ranges::equal(a.planted_factors(), b.planted_factors()));
  for (int64_t node = 0; node < a.num_nodes(); ++node) {
    EXPECT_EQ(a.names().name(node), b.names().name(node));
  }
  EXPECT_EQ(a.features().num_columns(), b.features().num_columns());
  EXPECT_EQ(a.features().is_sparse(), b.features().is_sparse());
  EXPECT_TRUE(std::ranges::equal(a.features().offsets(), b.features().offsets()));
  EXPECT_TRUE(std::ranges::equal(a.features().columns(), b.features().columns()));
  EXPECT_TRUE(std::ranges::equal(a.features().values(), b.features().values()));
  EXPECT_EQ(a.features().column_names(), b.features().column_names());
}

void expect_round_trip(const Graph& graph) {
  const TemporaryFolder folder;
  write_graph(graph, folder.path() / "written");
  expect_equal(graph, read_graph(folder.path() / "written"));
}

GraphParts named_parts() {
  GraphParts parts;
  parts.name = "named";
  parts.num_nodes = 9;
  parts.names = NodeNames::from_list({"plain", "New York", "a,b", "say \"hi\"", " padded ", "#tag",
                                      "semi;colon", "tab\there", "source"});
  parts.arcs = {{8, 1}, {1, 2}, {2, 1}, {2, 1}, {3, 4}, {4, 4}, {5, 0}, {6, 7}};
  parts.labels = {0, 1, -1, 2, 0, 1, 2, 0, 1};
  parts.planted_factors = {0, 1, 2, 3, 0, 1, 2, 3};
  parts.features = Features::sparse(3, {0, 1, 2, 2, 3, 3, 3, 3, 3, 4}, {0, 2, 1, 0},
                                    {1.5F, -2.0F, 0.1F, 1e-30F});
  parts.features.set_column_names({"age", "height, in m", "\"odd\" one"});
  return parts;
}

TEST(WriteGraph, EverythingComesBack) { expect_round_trip(Graph(named_parts())); }

TEST(WriteGraph, DenseFeaturesAndNumberedNodesComeBack) {
  expect_round_trip(generate_graph({.nodes = 50, .links = 100}));
}

TEST(WriteGraph, LonelyNodesComeBack) {
  GraphParts parts;
  parts.name = "lonely";
  parts.num_nodes = 6;
  parts.arcs = {{4, 1}, {1, 4}};
  expect_round_trip(Graph(std::move(parts)));
}

TEST(WriteGraph, WritesTheDocumentedFiles) {
  const TemporaryFolder folder;
  GraphParts parts;
  parts.name = "small";
  parts.num_nodes = 3;
  parts.names = NodeNames::from_list({"x", "y,z", "w"});
  parts.arcs = {{1, 0}, {2, 2}};
  parts.labels = {1, -1, 0};
  parts.planted_factors = {4, 0};
  write_graph(Graph(std::move(parts)), folder.path() / "out");
  EXPECT_EQ(slurp(folder.path() / "out/edges.csv"), "\"y,z\",x\nw,w\n");
  EXPECT_EQ(slurp(folder.path() / "out/nodes.csv"), "id\nx\n\"y,z\"\nw\n");
  EXPECT_EQ(slurp(folder.path() / "out/labels.csv"), "1\n-1\n0\n");
  EXPECT_EQ(slurp(folder.path() / "out/edge_factors.csv"),
            "source,target,factor\n\"y,z\",x,4\nw,w,0\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out/feature_names.csv"));
}

TEST(WriteGraph, NumberedNodesNeedNoNodeTable) {
  const TemporaryFolder folder;
  write_graph(generate_graph({.nodes = 30, .links = 40}), folder.path() / "out");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out/nodes.csv"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out/features.npy"));
}

TEST(WriteGraph, ReplacesOnlyWhenAllowed) {
  const TemporaryFolder folder;
  folder.write("out/keep.txt", "mine");
  const Graph graph = generate_graph({.nodes = 30, .links = 40});
  EXPECT_THAT(error_of([&] { write_graph(graph, folder.path() / "out"); }),
              HasSubstr("already holds files"));
  EXPECT_THAT(error_of([&] { write_graph(graph, folder.path() / "out", true); }),
              HasSubstr("out: holds 'keep.txt'"));
  EXPECT_EQ(slurp(folder.path() / "out/keep.txt"), "mine");
  std::filesystem::rename(folder.path() / "out/keep.txt", folder.path() / "out/edges.csv");
  write_graph(graph, folder.path() / "out", true);
  expect_equal(graph, read_graph(folder.path() / "out"));
}

TEST(WriteGraph, NamesThatCannotBeWrittenLeaveNothingBehind) {
  const TemporaryFolder folder;
  GraphParts parts = named_parts();
  parts.names = NodeNames::from_list({"a", "b\nc", "d", "e", "f", "g", "h", "i", "j"});
  const Graph graph(std::move(parts));
  EXPECT_THAT(error_of([&] { write_graph(graph, folder.path() / "out"); }),
              HasSubstr("node name 'b\\x0ac' holds a line break"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace disenlink
