#include <gmock/gmock.h>

#include "disenlink/read.h"
#include "disenlink/statistics.h"
#include "mutate.h"
#include "test_files.h"

namespace disenlink {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::TemporaryFolder;

std::vector<NodePair> arcs_of(const Graph& graph) {
  return {graph.arcs().begin(), graph.arcs().end()};
}

TEST(Formats, EveryFormatIsDescribed) {
  std::vector<std::string_view> names;
  for (const FileFormat& format : file_formats()) {
    names.push_back(format.name);
    EXPECT_FALSE(format.description.empty());
  }
  EXPECT_THAT(names, ElementsAre("folder", "planetoid", "geom-gcn", "musae", "npz", "npy-zip",
                                 "facebook100", "edge-list"));
}

TEST(Formats, UnknownFormatListsTheKnown) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.txt", "0 1\n");
  const ReadOptions options{.format = "graphml"};
  EXPECT_THROW(read_graph(path, options), UsageError);
  EXPECT_THAT(error_of([&] { read_graph(path, options); }),
              AllOf(HasSubstr("unknown format 'graphml'"), HasSubstr("folder, planetoid")));
}

TEST(Formats, WhatIsNotRecognisedTellsWhatIsExpected) {
  const TemporaryFolder folder;
  folder.write("readme.md", "nothing here");
  EXPECT_THAT(error_of([&] { read_graph(folder.path()); }),
              AllOf(HasSubstr(folder.path().string()), HasSubstr("geom-gcn: "),
                    HasSubstr("out1_graph_edges.txt"), HasSubstr("facebook100: ")));
  const auto binary = folder.write("graph.csv", std::string_view("\x7f\0\0\1", 4));
  EXPECT_THAT(error_of([&] { read_graph(binary); }),
              AllOf(HasSubstr("graph.csv: holds zero bytes, as no text in UTF-8 does"),
                    HasSubstr("npz: "), Not(HasSubstr("planetoid"))));
  EXPECT_THAT(error_of([&] { read_graph(folder.path() / "absent"); }),
              HasSubstr("no such file or folder"));
}

TEST(Formats, AFormatThatDoesNotFitThePathIsNamed) {
  const TemporaryFolder folder;
  const auto path = folder.write("links.csv", "0,1\n");
  EXPECT_THAT(error_of([&] { read_graph(path, {.format = "folder"}); }),
              AllOf(HasSubstr("is a file"), HasSubstr("a folder with edges.csv")));
  EXPECT_THAT(error_of([&] { read_graph(folder.path(), {.format = "npz"}); }),
              AllOf(HasSubstr("is a folder without such a file"), HasSubstr("an .npz with")));
  EXPECT_THAT(error_of([&] { read_graph(folder.path(), {.format = "folder"}); }),
              HasSubstr("has no edges.csv"));
}

TEST(Formats, SuffixesDoNotMatter) {
  const TemporaryFolder folder;
  const Graph graph = read_graph(folder.write("links.npz", "0 1\n1 2\n"));
  EXPECT_EQ(graph.name(), "links");
  EXPECT_THAT(arcs_of(graph), ElementsAre(NodePair{0, 1}, NodePair{1, 2}));
}

TEST(SimpleFolder, ReadsAllItsParts) {
  const TemporaryFolder folder;
  folder.write("edges.tsv", "0\t1\n1\t0\n2\t2\n");
  folder.write("labels.csv", "0\n1\n-1\n0\n");
  folder.write("edge_factors.csv", "source,target,factor\n0,1,3\n1,0,0\n2,2,1\n");
  const Graph graph = read_graph(folder.path());
  EXPECT_EQ(graph.name(), folder.path().filename().string());
  EXPECT_EQ(graph.num_nodes(), 4);
  EXPECT_THAT(arcs_of(graph), ElementsAre(NodePair{0, 1}, NodePair{1, 0}, NodePair{2, 2}));
  EXPECT_THAT(graph.labels(), ElementsAre(0, 1, -1, 0));
  EXPECT_THAT(graph.planted_factors(), ElementsAre(3, 0, 1));
  EXPECT_THAT(graph.notes(), IsEmpty());
}

TEST(SimpleFolder, LooksIdsUpInTheNodeTable) {
  const TemporaryFolder folder;
  folder.write("edges.csv", "rome,oslo\noslo,paris\n");
  folder.write("nodes.csv", "id,size,label\noslo,1,a\nparis,2,b\nrome,3,a\nbonn,4,b\n");
  const Graph graph = read_graph(folder.path());
  EXPECT_EQ(graph.num_nodes(), 4);
  EXPECT_THAT(arcs_of(graph), ElementsAre(NodePair{2, 0}, NodePair{0, 1}));
  EXPECT_EQ(graph.names().name(3), "bonn");
  EXPECT_EQ(graph.features().num_columns(), 1);
  EXPECT_THAT(graph.labels(), ElementsAre(0, 1, 0, 1));
}

TEST(SimpleFolder, NotesWhichOfTwoFilesIsTaken) {
  const TemporaryFolder folder;
  folder.write("edges.csv", "0,1\n");
  folder.write("edges.txt", "0 2\n");
  const Graph graph = read_graph(folder.path());
  EXPECT_THAT(arcs_of(graph), ElementsAre(NodePair{0, 1}));
  EXPECT_THAT(graph.notes(), Contains(HasSubstr("edges.csv is taken, edges.txt is left aside")));
}

TEST(SimpleFolder, RejectsFactorsOfOtherLinks) {
  const TemporaryFolder folder;
  folder.write("edges.csv", "0,1\n1,2\n");
  const auto error = [&](std::string_view factors) {
    folder.write("edge_factors.csv", factors);
    return error_of([&] { read_graph(folder.path()); });
  };
  EXPECT_THAT(error("source,target,factor\n0,1,0\n2,1,0\n"),
              HasSubstr("edge_factors.csv:3: links '2' to '1', but link 2 of the edges is '1'"));
  EXPECT_THAT(error("source,target,factor\n0,1,0\n"),
              HasSubstr("has 1 rows, expected one for each"));
  EXPECT_THAT(error("source,target,factor\n0,1,0\n1,2,0\n1,2,0\n"),
              HasSubstr(":4: is a row more than the 2 links"));
  EXPECT_THAT(error("source,target,factor\n0,1,x\n1,2,0\n"), HasSubstr(":2: factor is 'x'"));
  EXPECT_THAT(error("source,target,factor\n0,1,0\n1,2,2147483647\n"),
              HasSubstr(":3: factor is '2147483647', expected a number from 0 to 1023"));
  EXPECT_THAT(error("0,1,0\n1,2,0\n"), HasSubstr(":1: header is '0,1,0', expected 'source,target"));
}

TEST(SimpleFolder, SurvivesDamage) {
  const TemporaryFolder folder;
  const std::string edges = "a,b\nb,c\nc,a\n";
  const std::string nodes = "id,size,label\na,1,x\nb,2,y\nc,3,x\n";
  const std::string factors = "source,target,factor\na,b,3\nb,c,0\nc,a,1\n";
  const std::string names = "feature\nsize\n";
  folder.write("edges.csv", edges);
  folder.write("nodes.csv", nodes);
  folder.write("edge_factors.csv", factors);
  folder.write("feature_names.csv", names);
  ASSERT_EQ(read_graph(folder.path()).features().column_names().at(0), "size");
  const auto read = [&] { read_graph(folder.path()); };
  testing::expect_survives_mutations(folder, "edge_factors.csv", factors, 700, read);
  testing::expect_survives_mutations(folder, "feature_names.csv", names, 700, read);
  testing::expect_survives_mutations(folder, "nodes.csv", nodes, 700, read);
}

TEST(GraphFiles, EdgesAloneGiveTheNodesThatOccur) {
  const TemporaryFolder folder;
  const Graph graph = read_graph(GraphFiles{.edges = folder.write("e.csv", "7,3\n3,9\n")});
  EXPECT_EQ(graph.name(), "e");
  EXPECT_EQ(graph.num_nodes(), 3);
  EXPECT_THROW(read_graph(GraphFiles{}), UsageError);
}

TEST(GraphFiles, LabelsFixTheNumberOfNodes) {
  const TemporaryFolder folder;
  const auto edges = folder.write("edges.csv", "0,1\n1,17\n");
  const auto labels = folder.write("labels.csv", "0\n1\n0\n");
  EXPECT_THAT(error_of([&] { read_graph(GraphFiles{.edges = edges, .labels = labels}); }),
              AllOf(HasSubstr("edges.csv:2: "), HasSubstr("17"),
                    HasSubstr("nodes are the 3 rows of " + labels.string())));
}

TEST(GraphFiles, SizesThatDisagreeNameBothFiles) {
  const TemporaryFolder folder;
  const GraphFiles files{.edges = folder.write("edges.csv", "a,b\n"),
                         .nodes = folder.write("nodes.csv", "id\na\nb\n"),
                         .labels = folder.write("labels.csv", "0\n1\n0\n")};
  EXPECT_THAT(error_of([&] { read_graph(files); }),
              AllOf(HasSubstr("labels.csv: has 3 rows, but "), HasSubstr("nodes.csv has 2")));
}

TEST(GraphFiles, LabelsComeFromOnePlace) {
  const TemporaryFolder folder;
  const GraphFiles files{.edges = folder.write("edges.csv", "a,b\n"),
                         .nodes = folder.write("nodes.csv", "id,label\na,x\nb,y\n"),
                         .labels = folder.write("labels.csv", "0\n1\n")};
  EXPECT_THAT(error_of([&] { read_graph(files); }),
              AllOf(HasSubstr("labels.csv: gives labels, but the node table"),
                    HasSubstr("expected them in one place")));
}

TEST(RealFormats, AreRecognisedByContent) {
  DISENLINK_REQUIRE_DATA();
  const auto nodes = [](const char* path) {
    return read_graph(testing::data_folder() / path).num_nodes();
  };
  EXPECT_EQ(nodes("cora"), 2708);
  EXPECT_EQ(nodes("cora/simple"), 2708);
  EXPECT_EQ(nodes("texas"), 183);
  EXPECT_EQ(nodes("texas/out1_graph_edges.txt"), 183);
  EXPECT_EQ(nodes("twitch-tw"), 2772);
  EXPECT_EQ(nodes("squirrel/squirrel_directed.npz"), 5201);
  EXPECT_EQ(nodes("amherst41"), 2235);
  EXPECT_EQ(nodes("amherst41/Amherst41.mat"), 2235);
}

TEST(RealFormats, AFolderWithSeveralGraphsSaysWhichIsTaken) {
  DISENLINK_REQUIRE_DATA();
  const Graph cornell = read_graph(testing::data_folder() / "cornell");
  EXPECT_EQ(cornell.arcs().size(), 298);
  EXPECT_THAT(cornell.notes(),
              Contains(AllOf(HasSubstr("can be read in 2 ways: cornell (geom-gcn) is taken"),
                             HasSubstr("cornell.npz (npz)"))));
  EXPECT_EQ(read_graph(testing::data_folder() / "cornell", {.format = "npz"}).arcs().size(), 277);
  const Graph chameleon = read_graph(testing::data_folder() / "chameleon");
  EXPECT_THAT(chameleon.notes(), Contains(HasSubstr("chameleon_directed.npz (npz)")));
}

TEST(RealFormats, RawAndSimpleFormsAreTheSameGraph) {
  DISENLINK_REQUIRE_DATA();
  for (const char* name : {"cora", "citeseer", "crocodile", "twitch-ru", "amherst41"}) {
    SCOPED_TRACE(name);
    const Graph raw = read_graph(testing::data_folder() / name);
    const Graph simple = read_graph(testing::data_folder() / name / "simple");
    EXPECT_EQ(raw.fingerprint(), simple.fingerprint());
    EXPECT_TRUE(std::ranges::equal(raw.labels(), simple.labels()));
    EXPECT_TRUE(std::ranges::equal(raw.features().offsets(), simple.features().offsets()));
    EXPECT_TRUE(std::ranges::equal(raw.features().columns(), simple.features().columns()));
    EXPECT_TRUE(std::ranges::equal(raw.features().values(), simple.features().values()));
  }
}

TEST(RealFormats, SquirrelFormsDifferInTheOrderOfRowsOnly) {
  DISENLINK_REQUIRE_DATA();
  auto raw = arcs_of(read_graph(testing::data_folder() / "squirrel/squirrel_directed.npz"));
  auto simple = arcs_of(read_graph(testing::data_folder() / "squirrel/simple"));
  std::ranges::sort(raw);
  std::ranges::sort(simple);
  EXPECT_TRUE(raw == simple);
}

}  // namespace
}  // namespace disenlink
