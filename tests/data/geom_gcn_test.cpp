#include "data/geom_gcn.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include "data/real_data.h"
#include "mutate.h"

namespace disenlink::detail {
namespace {

using testing::data_folder;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TemporaryFolder;

const std::string kEdges = "out1_graph_edges.txt";
const std::string kNodes = "out1_node_feature_label.txt";
const std::string kHeader = "node_id\tfeature\tlabel\n";

class GeomGcnTest : public ::testing::Test {
 protected:
  GeomGcnTest() { folder_.write(kEdges, "node_id\tnode_id\n0\t1\n2\t2\n1\t0\n"); }

  GraphParts read(const std::string& rows) {
    folder_.write(kNodes, kHeader + rows);
    return read_geom_gcn(folder_.path(), {});
  }
  std::string error(const std::string& rows) {
    return error_of([&] { read(rows); });
  }

  TemporaryFolder folder_;
};

TEST_F(GeomGcnTest, ReadsVectorsInAnyRowOrder) {
  const GraphParts parts = read("2\t0,0,0,0,0,1\t1\n0\t0,1,0,0,0,0\t4\n\n1\t0,0,0,0,0,0\t-1\n");
  EXPECT_TRUE(is_geom_gcn(folder_.path()));
  EXPECT_EQ(parts.num_nodes, 3);
  EXPECT_THAT(parts.labels, ElementsAre(4, -1, 1));
  EXPECT_THAT(parts.arcs, ElementsAre(NodePair{0, 1}, NodePair{2, 2}, NodePair{1, 0}));
  EXPECT_EQ(parts.features.num_columns(), 6);
  ASSERT_TRUE(parts.features.is_sparse());
  EXPECT_THAT(parts.features.offsets(), ElementsAre(0, 1, 1, 2));
  EXPECT_THAT(parts.features.columns(), ElementsAre(1, 5));
  EXPECT_THAT(parts.notes, IsEmpty());
}

TEST_F(GeomGcnTest, ReadsVectorsOfOtherNumbersAndStaysDense) {
  const GraphParts parts = read("0\t0.5,-2\t0\n1\t1e1,3\t0\n2\t0,1\t0\n");
  ASSERT_FALSE(parts.features.is_sparse());
  EXPECT_THAT(parts.features.values(), ElementsAre(0.5, -2, 10, 3, 0, 1));
  EXPECT_THAT(parts.notes, IsEmpty());
}

TEST_F(GeomGcnTest, ReadsListsOfFeatureIds) {
  // The first row alone would look like a vector.
  const GraphParts parts = read("0\t0,1\t0\n1\t7,0,3,3\t0\n2\t\t0\n");
  EXPECT_EQ(parts.features.num_columns(), 8);
  EXPECT_THAT(parts.features.offsets(), ElementsAre(0, 2, 5, 5));
  EXPECT_THAT(parts.features.columns(), ElementsAre(0, 1, 0, 3, 7));
  EXPECT_THAT(parts.features.values(), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_THAT(parts.notes, IsEmpty());
}

TEST_F(GeomGcnTest, SaysHowAnAmbiguousFileWasTaken) {
  const GraphParts ids = read("0\t5,1\t0\n1\t7,0\t0\n2\t2,3\t0\n");
  EXPECT_EQ(ids.features.num_columns(), 8);
  EXPECT_THAT(ids.notes, ElementsAre(HasSubstr("taken as ids of the features that are 1")));
  const GraphParts counts = read("0\t5,0,0\t0\n1\t0,0,2\t0\n2\t2,3,1\t0\n");
  EXPECT_EQ(counts.features.num_columns(), 3);
  EXPECT_THAT(counts.notes, ElementsAre(HasSubstr("taken as values, one a column")));
}

TEST_F(GeomGcnTest, RowsMustBeWellFormed) {
  EXPECT_THAT(error("0\t0,1,0\t0\n1\t0,1\t0\n2\t0,0,1\t0\n"),
              HasSubstr("out1_node_feature_label.txt:3: 2 features, expected 3 as on line 2"));
  EXPECT_THAT(error("0\t0.5,1\t0\n1\t0\t0\n"), HasSubstr(":3: 1 features, expected 2"));
  EXPECT_THAT(error("0\t0,nan\t0\n"), HasSubstr(":2: feature 2 is 'nan', expected a finite"));
  EXPECT_THAT(error("0\t0,inf\t0\n"), HasSubstr("feature 2 is 'inf'"));
  EXPECT_THAT(error("0\t0,1e39\t0\n"), HasSubstr("feature 2 is '1e39'"));
  EXPECT_THAT(error("0\t0,,1\t0\n"), HasSubstr("feature 2 is ''"));
  EXPECT_THAT(error("0\t0,1\n"), HasSubstr(":2: 2 columns between tabs, expected 3"));
  EXPECT_THAT(error("zero\t0,1\t0\n"), HasSubstr(":2: node id is 'zero'"));
  EXPECT_THAT(error("0\t0,1\tred\n"), HasSubstr(":2: label is 'red'"));
  EXPECT_THAT(error(""), HasSubstr("has no rows after the header"));
}

TEST_F(GeomGcnTest, IdsMustBeCompleteAndDistinct) {
  EXPECT_THAT(error("0\t0\t0\n1\t1\t0\n0\t0\t0\n"),
              HasSubstr(":4: node id 0 again, first given on line 2"));
  EXPECT_THAT(error("0\t0\t0\n3\t1\t0\n1\t0\t0\n"),
              HasSubstr(":3: node id 3, expected 0 to 2 for 3 rows; id 2 is missing"));
  EXPECT_THAT(error("-1\t0\t0\n"), HasSubstr(":2: node id -1, expected 0 to 0"));
  // Node 2 of the edge file does not exist.
  EXPECT_THAT(error("0\t0\t0\n1\t1\t0\n"), HasSubstr(kEdges + ":3: "));
}

TEST_F(GeomGcnTest, ReadsPackedFiles) {
  std::filesystem::remove(folder_.path() / kEdges);
  const auto pack = [&](const std::string& name, const std::string& content) {
    gzFile file = gzopen((folder_.path() / name).c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
  };
  pack(kEdges + ".gz", "node_id\tnode_id\n1\t0\n");
  EXPECT_FALSE(is_geom_gcn(folder_.path()));
  pack(kNodes + ".gz", kHeader + "0\t0,1\t0\n1\t1,0\t1\n");
  EXPECT_TRUE(is_geom_gcn(folder_.path()));
  EXPECT_THAT(read_geom_gcn(folder_.path(), {}).arcs, ElementsAre(NodePair{1, 0}));
}

TEST_F(GeomGcnTest, SurvivesMutations) {
  const auto read_again = [&] { const Graph graph(read_geom_gcn(folder_.path(), {})); };
  const std::string vectors = kHeader + "0\t0,1,0,1\t0\n1\t1,0,0,0\t1\n2\t0,0,0.5,0\t2\n";
  const std::string lists = kHeader + "0\t10,3\t0\n1\t0,4,12\t1\n2\t\t2\n";
  expect_survives_mutations(folder_, kNodes, vectors, 2000, read_again);
  expect_survives_mutations(folder_, kNodes, lists, 2000, read_again);
}

TEST(GeomGcn, ReadsTheRealDatasets) {
  DISENLINK_REQUIRE_DATA();
  for (const char* name : {"texas", "wisconsin"}) {
    const Graph graph(read_geom_gcn(data_folder() / name, {}));
    EXPECT_EQ(graph.name(), name);
    EXPECT_THAT(graph.notes(), IsEmpty());
    testing::expect_matches_index(graph, name);
  }
  // Without a node file these are not complete.
  EXPECT_FALSE(is_geom_gcn(data_folder() / "chameleon"));
}

}  // namespace
}  // namespace disenlink::detail
