#include "data/musae.h"

#include <gmock/gmock.h>

#include "data/musae_parts.h"
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

const std::string kEdges = "musae_XX_edges.csv";
const std::string kFeatures = "musae_XX_features.json";
const std::string kTarget = "musae_XX_target.csv";
const std::string kTwitchTarget =
    "id,days,mature,views,partner,new_id\n"
    "901,5,True,7,False,2\n902,5,False,7,True,0\n903,5,True,7,False,1\n";

class MusaeTest : public ::testing::Test {
 protected:
  MusaeTest() {
    folder_.write(kEdges, "from,to\n0,1\n2,0\n");
    folder_.write(kFeatures, R"({"2": [7, 3, 7], "0": [], "1": [9]})");
  }

  GraphParts read() { return read_musae(folder_.path(), {}); }
  std::string error_with(const std::string& name, const std::string& content) {
    folder_.write(name, content);
    return error_of([&] { read(); });
  }

  TemporaryFolder folder_;
};

TEST_F(MusaeTest, ReadsTwitchAndDropsEmptyColumns) {
  folder_.write(kTarget, kTwitchTarget);
  const GraphParts parts = read();
  EXPECT_TRUE(is_musae(folder_.path()));
  EXPECT_EQ(parts.name, "XX");
  EXPECT_EQ(parts.num_nodes, 3);
  EXPECT_THAT(parts.arcs, ElementsAre(NodePair{0, 1}, NodePair{2, 0}));
  EXPECT_THAT(parts.labels, ElementsAre(0, 1, 1));
  EXPECT_THAT(parts.features.offsets(), ElementsAre(0, 0, 1, 3));
  EXPECT_THAT(parts.features.columns(), ElementsAre(2, 0, 1));
  EXPECT_THAT(parts.features.column_names(), ElementsAre("3", "7", "9"));
  EXPECT_THAT(parts.notes, ElementsAre(HasSubstr("7 of 10 feature columns")));
}

TEST_F(MusaeTest, NodesAreAllThatAnyFileNames) {
  folder_.write(kFeatures, R"({"4": [0], "0": [1]})");
  folder_.write(kTarget, "id,name,ml_target\n5,someone,1\n0,else,0\n");
  const GraphParts parts = read();
  EXPECT_EQ(parts.num_nodes, 6);
  EXPECT_THAT(parts.labels, ElementsAre(0, -1, -1, -1, -1, 1));
  EXPECT_THAT(parts.features.offsets(), ElementsAre(0, 1, 1, 1, 1, 2, 2));
  EXPECT_THAT(parts.features.column_names(), IsEmpty());
  EXPECT_THAT(parts.notes, ElementsAre(HasSubstr("4 of 6 nodes are not in the features file"),
                                       HasSubstr("4 of 6 nodes are not in the target file")));
}

TEST_F(MusaeTest, LabelsAreAbsentWithoutTarget) { EXPECT_THAT(read().labels, IsEmpty()); }

TEST_F(MusaeTest, FirstOfRepeatedTargetRowsIsKept) {
  folder_.write(kTarget, kTwitchTarget + "904,5,True,7,False,0\n");
  const GraphParts parts = read();
  EXPECT_THAT(parts.labels, ElementsAre(0, 1, 1));
  EXPECT_THAT(parts.notes.back(), HasSubstr("1 rows repeat a node; the first of each is kept"));
}

TEST(Musae, TrafficBecomesQuantileClasses) {
  // Quantiles of 0 .. 10 are 2, 4, 6, 8 and 10; the largest value has reached all five.
  EXPECT_THAT(quantile_classes({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}),
              ElementsAre(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5));
  // Between values: of 0, 1, 2 they are 0.4, 0.8, 1.2, 1.6 and 2.
  EXPECT_THAT(quantile_classes({2, 0, 1}), ElementsAre(5, 0, 2));
  // Ties at a quantile all reach it.
  EXPECT_THAT(quantile_classes({1, 1, 1, 1}), ElementsAre(5, 5, 5, 5));
}

TEST_F(MusaeTest, TargetFaultsNameTheLine) {
  EXPECT_THAT(error_with(kTarget, "id,page_type\n0,tv\n"),
              HasSubstr("musae_XX_target.csv:1: header 'id,page_type', expected the columns"));
  EXPECT_THAT(error_with(kTarget, "id,target\n0,5\n1\n"), HasSubstr(":3: 1 columns, expected 2"));
  EXPECT_THAT(error_with(kTarget, "id,target\n-1,5\n"), HasSubstr(":2: node is '-1'"));
  EXPECT_THAT(error_with(kTarget, "id,target\n0,-5\n"), HasSubstr(":2: found '-5', expected"));
  EXPECT_THAT(error_with(kTarget, "id,target\n0,inf\n"), HasSubstr(":2: found 'inf', expected"));
  EXPECT_THAT(error_with(kTarget, "new_id,mature\n0,maybe\n"), HasSubstr("expected True or False"));
  EXPECT_THAT(error_with(kTarget, "id,ml_target\n0,1.5\n"), HasSubstr("expected a class number"));
}

TEST_F(MusaeTest, FeatureFaultsNameNodeOrByte) {
  const auto error_for = [&](const char* content) { return error_with(kFeatures, content); };
  EXPECT_THAT(error_for(R"({"0": [1], "0": [2]})"), HasSubstr("node '0' is given twice"));
  EXPECT_THAT(error_for(R"({"1": 5})"), HasSubstr("node '1': found 5, expected a list of feature"));
  EXPECT_THAT(error_for(R"({"1": {"2": [3]}})"), HasSubstr("node '1': found an object, expected"));
  EXPECT_THAT(error_for(R"({"1": [[2]]})"), HasSubstr("node '1': found a list, expected feature"));
  EXPECT_THAT(error_for(R"({"1": [-2]})"), HasSubstr("node '1': found -2, expected feature ids"));
  EXPECT_THAT(error_for(R"({"1": [99999999999]})"), HasSubstr("node '1': found 99999999999"));
  EXPECT_THAT(error_for(R"({"1": [1e400]})"), HasSubstr("at byte 11: not valid JSON"));
  EXPECT_THAT(error_for(R"({"1": [0.5]})"), HasSubstr("node '1': found 0.5, expected"));
  EXPECT_THAT(error_for(R"({"1": ["a"]})"), HasSubstr("node '1': found the text 'a', expected"));
  EXPECT_THAT(error_for(R"({"1": [null]})"), HasSubstr("node '1': found null, expected"));
  EXPECT_THAT(error_for(R"({"x": []})"), HasSubstr("key 'x' is not a node number"));
  EXPECT_THAT(error_for(R"({"-1": []})"), HasSubstr("key '-1' is not a node number"));
  EXPECT_THAT(error_for(R"([1])"), HasSubstr("found a list, expected an object of node numbers"));
  EXPECT_THAT(error_for(R"({"1": [2)"), HasSubstr("at byte 8: not valid JSON"));
  EXPECT_THAT(error_for(std::string(100000, '[').c_str()), HasSubstr("found a list"));
}

TEST_F(MusaeTest, FarAwayIdsAreDamage) {
  EXPECT_THAT(error_with(kFeatures, R"({"2147483646": [1]})"),
              HasSubstr("names node 2147483646, but the files hold only 5 node numbers"));
}

TEST_F(MusaeTest, FilesMustBeUnambiguous) {
  folder_.write("XX_features.json", "{}");
  EXPECT_THAT(error_of([&] { read(); }), HasSubstr("XX_features.json, musae_XX_features.json"));
  std::filesystem::remove(folder_.path() / kEdges);
  EXPECT_FALSE(is_musae(folder_.path()));
  EXPECT_THAT(error_of([&] { read(); }), HasSubstr("has no file called musae_*_edges.csv"));
}

TEST_F(MusaeTest, SurvivesMutations) {
  const auto read_again = [&] { const Graph graph(read()); };
  folder_.write(kTarget, kTwitchTarget);
  expect_survives_mutations(folder_, kTarget, kTwitchTarget, 2000, read_again);
  expect_survives_mutations(folder_, kTarget, "id,target\n0,5\n1,600\n2,7\n", 1000, read_again);
  expect_survives_mutations(folder_, kFeatures, R"({"2": [7, 3, 7], "0": [], "1": [9]})", 2000,
                            read_again);
  expect_survives_mutations(folder_, kEdges, "from,to\n0,1\n2,0\n", 1000, read_again);
}

class MusaeRealData : public ::testing::TestWithParam<const char*> {};

TEST_P(MusaeRealData, MatchesTheKeptNumbers) {
  DISENLINK_REQUIRE_DATA();
  const std::string name = GetParam();
  ASSERT_TRUE(is_musae(data_folder() / name));
  const Graph graph(read_musae(data_folder() / name, {}));
  EXPECT_EQ(graph.labels().empty(), name == "github");
  testing::expect_matches_index(graph, name);
  testing::expect_matches_simple(graph, data_folder() / name / "simple");
}

INSTANTIATE_TEST_SUITE_P(Musae, MusaeRealData,
                         ::testing::Values("twitch-de", "twitch-engb", "twitch-es", "twitch-fr",
                                           "twitch-ru", "twitch-tw", "crocodile", "github"));

TEST(Musae, FoldersWithoutEdgesAreNotMusae) {
  DISENLINK_REQUIRE_DATA();
  EXPECT_FALSE(is_musae(data_folder() / "chameleon"));
  EXPECT_FALSE(is_musae(data_folder() / "squirrel"));
}

}  // namespace
}  // namespace disenlink::detail
