#include "data/planetoid.h"

#include <gmock/gmock.h>

#include "data/real_data.h"
#include "mutate.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;
using testing::data_folder;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::slurp;
using testing::TemporaryFolder;

fs::path fixtures() { return fs::path(DISENLINK_SOURCE_DIR) / "tests" / "data" / "fixtures"; }

void copy_fixture(const TemporaryFolder& folder, const std::string& name) {
  for (const auto& file : fs::directory_iterator(fixtures() / name)) {
    folder.write(file.path().filename().string(), slurp(file.path()));
  }
}

class PlanetoidForms : public ::testing::TestWithParam<const char*> {};

TEST_P(PlanetoidForms, ReadsTheSameGraph) {
  ASSERT_TRUE(is_planetoid(fixtures() / GetParam()));
  const GraphParts parts = read_planetoid(fixtures() / GetParam(), {});
  EXPECT_EQ(parts.name, "tiny");
  EXPECT_EQ(parts.num_nodes, 7);
  using P = NodePair;
  EXPECT_THAT(parts.arcs, ElementsAre(P{0, 1}, P{0, 1}, P{0, 2}, P{2, 0}, P{1, 0}, P{1, 0}, P{3, 3},
                                      P{3, 6}, P{6, 3}, P{6, 4}, P{4, 6}));
  EXPECT_THAT(parts.labels, ElementsAre(1, 0, 1, 0, 1, 0, 1));
  EXPECT_EQ(parts.features.num_columns(), 3);
  EXPECT_THAT(parts.features.offsets(), ElementsAre(0, 1, 3, 3, 6, 7, 7, 8));
  EXPECT_THAT(parts.features.columns(), ElementsAre(0, 1, 2, 0, 1, 2, 0, 2));
  EXPECT_THAT(parts.features.values(), ElementsAre(1, 1, 0.5, 1, 1, 1, 4, 6));
  EXPECT_THAT(parts.notes, ElementsAre(HasSubstr("1 nodes have no row in allx or tx")));
}

INSTANTIATE_TEST_SUITE_P(Planetoid, PlanetoidForms,
                         ::testing::Values("planetoid-python2", "planetoid-protocol2",
                                           "planetoid-protocol4"));

class PlanetoidTest : public ::testing::Test {
 protected:
  PlanetoidTest() { copy_fixture(folder_, "planetoid-python2"); }

  GraphParts read() { return read_planetoid(folder_.path(), {}); }
  // Reads after one file got other content.
  std::string error_with(const std::string& name, const std::string& content) {
    const std::string before = slurp(folder_.path() / name);
    folder_.write(name, content);
    std::string message = error_of([&] { read(); });
    folder_.write(name, before);
    return message;
  }
  std::string original(const std::string& name) { return slurp(folder_.path() / name); }

  TemporaryFolder folder_;
};

TEST_F(PlanetoidTest, TestIndexMustFitTheRows) {
  const std::string name = "ind.tiny.test.index";
  EXPECT_THAT(error_with(name, "6\n"), HasSubstr("has 1 node numbers, expected 2"));
  EXPECT_THAT(error_with(name, "6\n6\n"), HasSubstr("names node 6 twice, as entry 1 and entry 2"));
  EXPECT_THAT(error_with(name, "6\n3\n"), HasSubstr("ind.tiny.test.index:2: found '3', expected"));
  EXPECT_THAT(error_with(name, "6\n2147483646\n"), HasSubstr(":2: found '2147483646'"));
  EXPECT_THAT(error_with(name, "6\nx\n"), HasSubstr(":2: found 'x'"));
  EXPECT_THAT(error_with(name, "5\n4\n"), HasSubstr("expected a node number from 0 to 5"));
}

TEST_F(PlanetoidTest, FilesMustAgree) {
  EXPECT_THAT(error_with("ind.tiny.ally", original("ind.tiny.ty")),
              HasSubstr("ind.tiny.ally: has 2 rows, expected 4 as in ind.tiny.allx"));
  EXPECT_THAT(error_with("ind.tiny.y", original("ind.tiny.ally")),
              HasSubstr("ind.tiny.y: has 4 rows, expected 2 as in ind.tiny.x"));
  EXPECT_THAT(error_with("ind.tiny.graph", original("ind.tiny.ty")),
              HasSubstr("expected a dict of neighbour lists"));
  EXPECT_THAT(error_with("ind.tiny.tx", original("ind.tiny.ty")),
              HasSubstr("expected a scipy csr_matrix"));
  fs::remove(folder_.path() / "ind.tiny.tx");
  EXPECT_THAT(error_of([&] { read(); }), HasSubstr("has no file called ind.tiny.tx"));
}

TEST_F(PlanetoidTest, GraphMustHoldListsOfNodes) {
  const auto error_for = [&](const std::string& opcodes) {
    return error_with("ind.tiny.graph", "\x80\x02" + opcodes + ".");
  };
  EXPECT_THAT(error_for("}K\x01K\x02s"), HasSubstr("node 1 has the number 2, expected one list"));
  EXPECT_THAT(error_for("}(K\x01]K\x01]u"), HasSubstr("node 1 has two entries"));
  EXPECT_THAT(error_for("}K\x01]K\x07"
                        "as"),
              HasSubstr("at byte 5: found the number 7, expected a node number from 0 to 6"));
  EXPECT_THAT(error_for("}N]s"), HasSubstr("found None, expected a node number"));
  // One list of thirty neighbours for all nodes: memory must not grow with what it stands for.
  std::string repeated = "}(K";
  repeated += '\0';
  repeated += "](";
  for (int i = 0; i < 30; ++i) {
    repeated += "K\x01";
  }
  repeated += "eq\x05";
  for (const char node : {1, 2, 3, 4, 5, 6}) {
    repeated += std::string("K") + node + "h\x05";
  }
  EXPECT_THAT(error_for(repeated + "u"),
              HasSubstr("names more neighbours than the file has bytes"));
}

TEST_F(PlanetoidTest, SeveralDatasetsInOneFolderAreListed) {
  folder_.write("ind.other.graph", original("ind.tiny.graph"));
  EXPECT_THAT(error_of([&] { read(); }), HasSubstr("ind.other.graph, ind.tiny.graph"));
}

TEST_F(PlanetoidTest, TrainingPartMayBeAbsent) {
  fs::remove(folder_.path() / "ind.tiny.x");
  fs::remove(folder_.path() / "ind.tiny.y");
  EXPECT_EQ(read().num_nodes, 7);
}

void expect_survives(const char* form, std::initializer_list<const char*> parts, int count) {
  TemporaryFolder folder;
  copy_fixture(folder, form);
  // Not needed, and one reading is faster without.
  fs::remove(folder.path() / "ind.tiny.x");
  fs::remove(folder.path() / "ind.tiny.y");
  for (const char* part : parts) {
    const std::string name = std::string("ind.tiny.") + part;
    expect_survives_mutations(folder, name, slurp(folder.path() / name), count,
                              [&] { const Graph graph(read_planetoid(folder.path(), {})); });
  }
}

TEST(Planetoid, SurvivesMutations) {
  expect_survives("planetoid-python2", {"allx", "ally", "graph", "test.index"}, 500);
  expect_survives("planetoid-protocol2", {"tx", "graph"}, 300);
  expect_survives("planetoid-protocol4", {"tx", "graph"}, 300);
}

TEST(Planetoid, ReadsTheRealDatasets) {
  DISENLINK_REQUIRE_DATA();
  const Graph cora(read_planetoid(data_folder() / "cora", {}));
  testing::expect_matches_index(cora, "cora");
  testing::expect_matches_simple(cora, data_folder() / "cora" / "simple");
  EXPECT_THAT(cora.notes(), IsEmpty());
  const Graph citeseer(read_planetoid(data_folder() / "citeseer", {}));
  testing::expect_matches_index(citeseer, "citeseer");
  testing::expect_matches_simple(citeseer, data_folder() / "citeseer" / "simple");
  EXPECT_THAT(citeseer.notes(), ElementsAre(HasSubstr("15 nodes have no row")));
}

}  // namespace
}  // namespace disenlink::detail
