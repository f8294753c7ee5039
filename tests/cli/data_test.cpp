// disenlink data show, generate and convert.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "test_files.h"

namespace disenlink::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

fs::path fixture(const std::string& name) {
  return fs::path(DISENLINK_SOURCE_DIR) / "tests" / "data" / "fixtures" / name;
}

json show(const std::vector<std::string>& graph, const RunOptions& options = {}) {
  std::vector<std::string> arguments = {"data", "show", "--json", "--quiet"};
  arguments.insert(arguments.end(), graph.begin(), graph.end());
  return json::parse(output_of(arguments, options));
}

RunOptions with_data() { return {.environment = {{"DISENLINK_DATA", data_folder().string()}}}; }

TEST(DataShow, CountsTheExample) {
  const json facts = show({"example"});
  EXPECT_EQ(facts.at("nodes"), 1500);
  EXPECT_EQ(facts.at("undirected_unique_edges"), 10000);
  EXPECT_NEAR(facts.at("linked_cosine").get<double>(), 0.2, 0.07);
  EXPECT_THAT(output_of({"data", "show", "example"}),
              AllOf(HasSubstr("10,000"), HasSubstr("components"), HasSubstr("fingerprint")));
}

TEST(DataShow, CountsAFileGivenByPath) {
  const TemporaryFolder folder;
  folder.write("friends.csv", "anna,ben\nben,carl\nanna,ben\ncarl,carl\n");
  const json facts = show({"friends.csv"}, {.folder = folder.path()});
  EXPECT_EQ(facts.at("name"), "friends");
  EXPECT_EQ(facts.at("nodes"), 3);
  EXPECT_EQ(facts.at("raw_edge_rows"), 4);
  EXPECT_EQ(facts.at("undirected_unique_edges"), 2);
  EXPECT_EQ(facts.at("self_loops"), 1);
}

TEST(DataShow, TakesEveryFormat) {
  const TemporaryFolder folder;
  folder.write("gcn/out1_graph_edges.txt", "node_id\tnode_id\n0\t1\n2\t0\n");
  folder.write("gcn/out1_node_feature_label.txt",
               "node_id\tfeature\tlabel\n1\t0,1\t0\n0\t1,0\t1\n2\t0,1\t1\n");
  folder.write("wiki/musae_wiki_edges.csv", "id1,id2\n0,1\n1,2\n");
  folder.write("wiki/musae_wiki_features.json", R"({"0": [1], "1": [2, 3], "2": []})");
  EXPECT_EQ(show({(folder.path() / "gcn").string()}).at("nodes"), 3);
  EXPECT_EQ(show({(folder.path() / "wiki").string()}).at("nodes"), 3);
  EXPECT_EQ(show({fixture("graph_stored.npz").string()}).at("nodes"), 4);
  EXPECT_EQ(show({fixture("dense.zip").string()}).at("nodes"), 4);
  EXPECT_EQ(show({fixture("facebook.mat").string()}).at("nodes"), 4);
  EXPECT_EQ(show({fixture("planetoid-python2").string()}).at("nodes"), 7);
}

TEST(DataShow, TakesSeparateFiles) {
  const TemporaryFolder folder;
  folder.write("e.tsv", "anna\tben\nben\tcarl\n");
  folder.write("n.csv", "id,age,town,team\nanna,31,Oslo,red\nben,,Rome,blue\ncarl,4,Oslo,red\n");
  const json facts = show({"--edges", "e.tsv", "--nodes", "n.csv", "--label-column", "team"},
                          {.folder = folder.path()});
  EXPECT_EQ(facts.at("nodes"), 3);
  EXPECT_EQ(facts.at("classes"), 2);
  EXPECT_GE(facts.at("features").get<int>(), 3);
}

TEST(DataShow, WarnsOfTheFaultyCornellFiles) {
  DISENLINK_REQUIRE_DATA();
  EXPECT_THAT(output_of({"data", "show", "cornell-faulty"}, with_data()), HasSubstr("Texas"));
  EXPECT_THAT(show({"cornell-faulty"}, with_data()).at("oddities").dump(), HasSubstr("Texas"));
}

TEST(DataShow, NamesThatAreNoUtf8DoNotStopIt) {
  const TemporaryFolder folder;
  folder.write("caf\xe9.csv", "a,b\nb,c\n");
  EXPECT_EQ(show({"caf\xe9.csv"}, {.folder = folder.path()}).at("nodes"), 3);
}

TEST(DataGenerate, WritesAGraphThatCanBeRead) {
  const TemporaryFolder folder;
  const RunOptions here = {.folder = folder.path()};
  const json made = json::parse(output_of({"data", "generate", "made", "--nodes", "200", "--links",
                                           "900", "--factors", "2", "--seed", "7", "--json"},
                                          here));
  EXPECT_EQ(made.at("nodes"), 200);
  EXPECT_EQ(made.at("links"), 900);
  EXPECT_THAT(names_in(folder.path()), ElementsAre("made"));
  const json facts = show({"made"}, here);
  EXPECT_EQ(facts.at("fingerprint"), made.at("fingerprint"));
  EXPECT_EQ(facts.at("undirected_unique_edges"), 900);
  EXPECT_TRUE(fs::exists(folder.path() / "made" / "edge_factors.csv"));
}

TEST(DataGenerate, TheSameSeedGivesTheSameFilesForAnyThreads) {
  const TemporaryFolder folder;
  const RunOptions here = {.folder = folder.path()};
  for (const char* threads : {"1", "2"}) {
    output_of(
        {"data", "generate", threads, "--nodes", "300", "--links", "900", "--threads", threads},
        here);
  }
  for (const std::string& name : names_in(folder.path() / "1")) {
    EXPECT_EQ(slurp(folder.path() / "1" / name), slurp(folder.path() / "2" / name)) << name;
  }
}

TEST(DataGenerate, ReplacesAFolderOnlyWhenTold) {
  const TemporaryFolder folder;
  folder.write("made/precious.txt", "x");
  const RunOptions here = {.folder = folder.path()};
  const std::vector<std::string> arguments = {"data", "generate", "made", "--nodes",
                                              "100",  "--links",  "200"};
  EXPECT_THAT(failure_of(arguments, 1, here), HasSubstr("made: already holds files"));
  EXPECT_THAT(names_in(folder.path() / "made"), ElementsAre("precious.txt"));
  std::vector<std::string> forced = arguments;
  forced.emplace_back("--force");
  EXPECT_THAT(failure_of(forced, 1, here), HasSubstr("made: holds 'precious.txt'"));
  EXPECT_THAT(names_in(folder.path() / "made"), ElementsAre("precious.txt"));
  fs::rename(folder.path() / "made/precious.txt", folder.path() / "made/labels.csv");
  output_of(forced, here);
  EXPECT_NE(slurp(folder.path() / "made/labels.csv"), "x");
  EXPECT_THAT(names_in(folder.path()), ElementsAre("made"));
}

void expect_round_trip(const std::string& graph, const RunOptions& base = {}) {
  const TemporaryFolder folder;
  RunOptions here = base;
  here.folder = folder.path();
  output_of({"data", "convert", graph, "converted", "--quiet"}, here);
  json before = show({graph}, here);
  json after = show({"converted"}, here);
  for (json* facts : {&before, &after}) {
    for (const char* key : {"name", "notes", "oddities"}) {
      facts->erase(key);
    }
  }
  EXPECT_EQ(before, after) << graph;
}

TEST(DataConvert, ReadsBackTheSameGraph) {
  expect_round_trip("example");
  expect_round_trip(fixture("graph_columns.npz").string());
  expect_round_trip(fixture("facebook_packed.mat").string());
  expect_round_trip(fixture("planetoid-protocol4").string());
}

TEST(DataConvert, KeepsStringNames) {
  const TemporaryFolder folder;
  expect_round_trip(
      folder.write("named.csv", "source,target\n\"Oslo, N\",Rome\nRome,Paris\n").string());
}

TEST(DataConvert, ReadsBackRealData) {
  DISENLINK_REQUIRE_DATA();
  expect_round_trip("texas", with_data());
  expect_round_trip("cora", with_data());
}

}  // namespace
}  // namespace disenlink::testing
