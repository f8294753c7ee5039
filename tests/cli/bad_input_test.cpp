// Bad input through the program: one line that names the file and the place, exit code 1.
#include <gmock/gmock.h>
#include <zlib.h>

#include "cli/run_program.h"
#include "test_files.h"

namespace disenlink::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

fs::path fixture(const std::string& name) {
  return fs::path(DISENLINK_SOURCE_DIR) / "tests" / "data" / "fixtures" / name;
}

std::string gzipped(const std::string& content) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "packed.gz";
  const gzFile file = gzopen(path.c_str(), "wb9");
  for (size_t at = 0; at < content.size(); at += size_t{1} << 20) {
    const size_t length = std::min(content.size() - at, size_t{1} << 20);
    gzwrite(file, content.data() + at, static_cast<unsigned>(length));
  }
  gzclose(file);
  return slurp(path);
}

// A version 1.0 .npy file of float32 with the shape announced and the bytes that follow.
std::string npy(const std::string& shape, const std::string& bytes) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize(118 - 1, ' ');
  header += '\n';
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + bytes;
}

std::string float_bytes(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

class BadInputTest : public ::testing::Test {
 protected:
  // What `data show` says; relative names are those of the test's folder.
  std::string show(std::vector<std::string> graph, int exit_code = 1) {
    graph.insert(graph.begin(), {"data", "show", "--quiet"});
    return failure_of(graph, exit_code, here_);
  }

  std::string show_edges(const std::string& content) {
    folder_.write("e.csv", content);
    return show({"e.csv"});
  }

  std::string show_nodes(const std::string& content, const std::string& edges = "a,b\n") {
    folder_.write("e.csv", edges);
    folder_.write("n.csv", content);
    return show({"--edges", "e.csv", "--nodes", "n.csv"});
  }

  std::string show_features(const std::string& content, const std::string& edges = "0,1\n1,2\n") {
    folder_.write("e.csv", edges);
    folder_.write("f.npy", content);
    return show({"--edges", "e.csv", "--features", "f.npy"});
  }

  // A file of a valid dataset cut to less: whatever the length, the program says so and no more.
  void expect_truncation_is_noticed(const fs::path& dataset, const std::string& name) {
    const std::string whole = slurp(dataset / name);
    for (const size_t kept : {whole.size() / 2, whole.size() - 1}) {
      folder_.write(dataset.filename() / name, whole.substr(0, kept));
      EXPECT_THAT(show({dataset.filename().string()}), HasSubstr(dataset.filename().string()))
          << name << " cut to " << kept;
    }
    folder_.write(dataset.filename() / name, whole);
  }

  TemporaryFolder folder_;
  RunOptions here_ = {.folder = folder_.path()};
};

TEST_F(BadInputTest, EveryVerbSaysThatAFileIsMissing) {
  EXPECT_THAT(show({"absent.csv"}), HasSubstr("absent.csv: no such file"));
  EXPECT_THAT(show({"--edges", "absent.csv"}), HasSubstr("absent.csv: no such file"));
  folder_.write("e.csv", "0,1\n");
  for (const char* part : {"--nodes", "--features", "--labels"}) {
    EXPECT_THAT(show({"--edges", "e.csv", part, "absent"}), HasSubstr("absent: no such file"));
  }
  EXPECT_THAT(failure_of({"data", "convert", "absent.csv", "out"}, 1, here_),
              HasSubstr("absent.csv: no such"));
  EXPECT_THAT(failure_of({"data", "split", "absent.csv", "out"}, 1, here_),
              HasSubstr("absent.csv: no such"));
  EXPECT_THAT(failure_of({"data", "audit", "--dataset", "absent.csv"}, 1, here_),
              HasSubstr("absent.csv: no such"));
  EXPECT_THAT(failure_of({"eval", "--dataset", "absent.csv"}, 1, here_),
              HasSubstr("absent.csv: no such"));
  EXPECT_THAT(failure_of({"eval", "--dataset", "example", "--split", "absent"}, 1, here_),
              HasSubstr("absent: no such folder"));
  EXPECT_THAT(names_in(folder_.path()), ::testing::ElementsAre("e.csv"));
}

TEST_F(BadInputTest, AFolderIsNoFile) {
  folder_.write("folder/x", "");
  EXPECT_THAT(show({"--edges", "folder"}), HasSubstr("folder: is a folder, expected a file"));
  folder_.write("e.csv", "0,1\n");
  for (const char* part : {"--nodes", "--features", "--labels"}) {
    EXPECT_THAT(show({"--edges", "e.csv", part, "folder"}), HasSubstr("folder: is a folder"));
  }
  EXPECT_THAT(failure_of({"eval", "--config", "folder"}, 1, here_), HasSubstr("is a folder"));
}

TEST_F(BadInputTest, AFileIsNoFolder) {
  folder_.write("file", "x");
  EXPECT_THAT(failure_of({"data", "audit", "file"}, 1, here_), HasSubstr("file: no such folder"));
  EXPECT_THAT(failure_of({"data", "generate", "file"}, 1, here_),
              HasSubstr("file: is a file, expected a folder"));
  EXPECT_THAT(failure_of({"data", "generate", "file/below"}, 1, here_), HasSubstr("file"));
  EXPECT_THAT(failure_of({"data", "convert", "example", "file"}, 1, here_),
              HasSubstr("file: is a file"));
  EXPECT_THAT(failure_of({"data", "split", "example", "file"}, 1, here_),
              HasSubstr("file: is a file"));
  EXPECT_THAT(failure_of({"eval", "--dataset", "example", "--out", "file", "--quiet"}, 1, here_),
              HasSubstr("file"));
  EXPECT_THAT(names_in(folder_.path()), ::testing::ElementsAre("file"));
}

TEST_F(BadInputTest, AnUnknownFormatListsTheKnownOnesInOneLine) {
  folder_.write("empty/notes.md", "nothing here");
  EXPECT_THAT(show({"empty"}), AllOf(HasSubstr("empty: is in no known format"),
                                     HasSubstr("geom-gcn: "), HasSubstr("npz: ")));
  folder_.write("e.csv", "0,1\n");
  EXPECT_THAT(show({"e.csv", "--format", "planetoid"}), HasSubstr("planetoid"));
  EXPECT_THAT(show({"empty", "--format", "npz"}), HasSubstr("npz"));
}

TEST_F(BadInputTest, EdgeLists) {
  EXPECT_THAT(show_edges(""), HasSubstr("e.csv: is empty"));
  EXPECT_THAT(show_edges("# only a comment\n"), HasSubstr("e.csv"));
  EXPECT_THAT(show_edges("0,1\n2\n"), HasSubstr("e.csv:2: "));
  EXPECT_THAT(show_edges("0,1\n1,2,3\n"), HasSubstr("e.csv:2: row has 3 fields, expected 2"));
  EXPECT_THAT(show_edges("0,1\n1,\n"),
              HasSubstr("e.csv:2: the second of the two node ids is missing"));
  EXPECT_THAT(show_edges("0,1\n1,-2\n"), HasSubstr("e.csv:2: "));
  EXPECT_THAT(show_edges("0,1\n1,99999999999999999999\n"), HasSubstr("e.csv:2: "));
  EXPECT_THAT(show_edges("0,1\n1,2.5\n"), HasSubstr("e.csv:2: "));
  EXPECT_THAT(show_edges(std::string("\x00\x01\x02\x03,\x00\n", 7)), HasSubstr("e.csv"));
}

TEST_F(BadInputTest, NodeTables) {
  EXPECT_THAT(show_nodes(""), HasSubstr("n.csv: is empty"));
  EXPECT_THAT(show_nodes("id,x\n"), HasSubstr("n.csv"));
  EXPECT_THAT(show_nodes("id,x\na,1\nb\n"), HasSubstr("n.csv:3: "));
  EXPECT_THAT(show_nodes("id,x\na,1\nb,2,3\n"), HasSubstr("n.csv:3: "));
  EXPECT_THAT(show_nodes("id,x\na,1\nb,inf\n"), AllOf(HasSubstr("n.csv:3: "), HasSubstr("inf")));
  EXPECT_THAT(show_nodes("id,x\na,1\nb,2\na,3\n"), AllOf(HasSubstr("n.csv:4: "), HasSubstr("'a'")));
  EXPECT_THAT(show_nodes("id,x\na,1\nc,2\n"), AllOf(HasSubstr("e.csv:1: "), HasSubstr("'b'")));
  folder_.write("n.csv", "id,x\na,1\nb,2\n");
  folder_.write("e.csv", "a,b\n");
  EXPECT_THAT(show({"--edges", "e.csv", "--nodes", "n.csv", "--label-column", "colour"}),
              HasSubstr("colour"));
}

TEST_F(BadInputTest, FeaturesAndLabels) {
  const auto table = [](const std::vector<float>& values) {
    return npy("(" + std::to_string(values.size() / 2) + ", 2)", float_bytes(values));
  };
  EXPECT_THAT(show_features(""), HasSubstr("f.npy: is empty"));
  EXPECT_THAT(show_features("not an array"), HasSubstr("f.npy"));
  EXPECT_THAT(show_features(table({1, 2, 3, NAN, 5, 6})),
              AllOf(HasSubstr("f.npy"), HasSubstr("row 1"), HasSubstr("nan")));
  EXPECT_THAT(show_features(table({1, 2, 3, 4, INFINITY, 6})),
              AllOf(HasSubstr("f.npy"), HasSubstr("row 2"), HasSubstr("inf")));
  EXPECT_THAT(show_features(table({1, 2, 3, 4})), AllOf(HasSubstr("e.csv:2: "), HasSubstr("2")));
  EXPECT_THAT(show_features(npy("(3, 2)", float_bytes({1, 2, 3}))), HasSubstr("f.npy"));
  EXPECT_THAT(show_features(npy("(9000000000000, 9000000000000)", float_bytes({1, 2}))),
              HasSubstr("f.npy"));
  EXPECT_THAT(show_features(npy("(-3, 2)", float_bytes({1, 2}))), HasSubstr("f.npy"));
  EXPECT_THAT(show_features(slurp(fixture("objects.npy"))), HasSubstr("f.npy"));
  folder_.write("f.npy", table({1, 2, 3, 4, 5, 6}));
  folder_.write("labels.csv", "0\n1\n");
  EXPECT_THAT(show({"--edges", "e.csv", "--features", "f.npy", "--labels", "labels.csv"}),
              HasSubstr("2"));
  folder_.write("labels.csv", "0\none\n1\n");
  EXPECT_THAT(show({"--edges", "e.csv", "--labels", "labels.csv"}), HasSubstr("labels.csv:2: "));
}

// More rows than the edges name is no fault: the others are isolated nodes.
TEST_F(BadInputTest, FeaturesOfNodesWithoutLinksAreKept) {
  folder_.write("e.csv", "0,1\n");
  folder_.write("f.npy", npy("(3, 1)", float_bytes({1, 2, 3})));
  EXPECT_THAT(output_of({"data", "show", "--edges", "e.csv", "--features", "f.npy"}, here_),
              HasSubstr("isolated nodes"));
}

TEST_F(BadInputTest, GeomGcnAndMusae) {
  const std::string edges = "node_id\tnode_id\n0\t1\n";
  const std::string nodes = "node_id\tfeature\tlabel\n0\t1,0\t0\n1\t0,1\t1\n";
  const auto gcn = [&](const std::string& edge_file, const std::string& node_file) {
    folder_.write("gcn/out1_graph_edges.txt", edge_file);
    folder_.write("gcn/out1_node_feature_label.txt", node_file);
    return show({"gcn"});
  };
  EXPECT_THAT(gcn(edges + "0\t7\n", nodes), HasSubstr("out1_graph_edges.txt:3: "));
  EXPECT_THAT(gcn(edges + "0\t-1\n", nodes), HasSubstr("out1_graph_edges.txt:3: "));
  EXPECT_THAT(gcn(edges, nodes + "1\t0,1\t1\n"), HasSubstr("out1_node_feature_label.txt:4: "));
  EXPECT_THAT(gcn(edges, nodes + "2\t0,x\t1\n"), HasSubstr("out1_node_feature_label.txt:4: "));
  EXPECT_THAT(gcn(edges, nodes + "2\t0,1\n"), HasSubstr("out1_node_feature_label.txt:4: "));
  EXPECT_THAT(gcn(edges, ""), HasSubstr("out1_node_feature_label.txt: is empty"));
  const auto musae = [&](const std::string& edge_file, const std::string& features) {
    folder_.write("wiki/musae_wiki_edges.csv", edge_file);
    folder_.write("wiki/musae_wiki_features.json", features);
    return show({"wiki"});
  };
  const std::string links = "id1,id2\n0,1\n";
  EXPECT_THAT(musae(links, R"({"0": [1], "1": )"), HasSubstr("musae_wiki_features.json"));
  EXPECT_THAT(musae(links, R"({"0": [-1], "1": [2]})"), HasSubstr("musae_wiki_features.json"));
  EXPECT_THAT(musae(links, R"({"0": [1], "0": [2]})"), HasSubstr("musae_wiki_features.json"));
  EXPECT_THAT(musae(links, R"({"0": [99999999999999999999], "1": [2]})"),
              HasSubstr("musae_wiki_features.json"));
  EXPECT_THAT(musae(links, R"({"9000000000": [1]})"), HasSubstr("musae_wiki_features.json"));
  EXPECT_THAT(musae(links + "-4,0\n", R"({"0": [1], "1": [2]})"),
              HasSubstr("musae_wiki_edges.csv:3: "));
  EXPECT_THAT(musae(links + "1,x\n", R"({"0": [1], "1": [2]})"),
              HasSubstr("musae_wiki_edges.csv:3: "));
}

TEST_F(BadInputTest, TruncatedPackedFiles) {
  for (const char* name : {"graph_stored.npz", "graph_deflated.npz", "dense.zip", "facebook.mat",
                           "facebook_packed.mat"}) {
    const std::string whole = slurp(fixture(name));
    for (const size_t kept : {whole.size() / 2, whole.size() - 1}) {
      folder_.write(name, whole.substr(0, kept));
      EXPECT_THAT(show({name}), HasSubstr(name)) << kept;
    }
  }
  std::string links;
  for (int i = 0; i < 5000; ++i) {
    links += std::to_string(i) + "," + std::to_string(i * 7919 % 5000) + "\n";
  }
  const std::string packed = gzipped(links);
  for (const size_t kept : {size_t{12}, packed.size() / 2, packed.size() - 4}) {
    folder_.write("e.csv.gz", packed.substr(0, kept));
    EXPECT_THAT(show({"e.csv.gz"}), AllOf(HasSubstr("e.csv.gz"), HasSubstr("truncated"))) << kept;
  }
}

TEST_F(BadInputTest, TruncatedPickles) {
  const fs::path dataset = fixture("planetoid-protocol2");
  for (const std::string& name : names_in(dataset)) {
    folder_.write(dataset.filename() / name, slurp(dataset / name));
  }
  for (const char* part : {"allx", "ally", "graph", "tx", "ty"}) {
    expect_truncation_is_noticed(dataset, std::string("ind.tiny.") + part);
  }
  folder_.write(dataset.filename() / "ind.tiny.graph",
                "\x80\x02"
                "cos\nsystem\nU\x04true\x85R.");
  EXPECT_THAT(show({dataset.filename().string()}),
              AllOf(HasSubstr("ind.tiny.graph"), HasSubstr("os")));
}

TEST_F(BadInputTest, PackedInputThatDoesNotEnd) {
  folder_.write("e.csv.gz", gzipped(std::string(20'000'000, '\n')));
  EXPECT_THAT(show({"e.csv.gz", "--max-inflate", "0.01"}),
              AllOf(HasSubstr("e.csv.gz"), HasSubstr("unpacks to more than 10000000 bytes")));
}

TEST_F(BadInputTest, FilesThatMayNotBeRead) {
  here_.as_nobody = true;
  const fs::path secret = folder_.write("secret.csv", "0,1\n");
  fs::permissions(secret, fs::perms::none);
  EXPECT_THAT(show({"secret.csv"}),
              AllOf(HasSubstr("secret.csv: cannot be read"), HasSubstr("Permission denied")));
  EXPECT_THAT(show({"--edges", "secret.csv"}), HasSubstr("Permission denied"));
  EXPECT_THAT(failure_of({"eval", "--config", "secret.csv"}, 1, here_),
              HasSubstr("Permission denied"));
  folder_.write("s/train_pos.txt", "0\t1\n");
  fs::permissions(folder_.path() / "s", fs::perms::none);
  EXPECT_THAT(failure_of({"data", "audit", "s"}, 1, here_),
              AllOf(HasSubstr("s"), HasSubstr("Permission denied")));
  EXPECT_THAT(show({"s/train_pos.txt"}), HasSubstr("Permission denied"));
  EXPECT_THAT(show({"s"}), HasSubstr("Permission denied"));
  fs::permissions(folder_.path() / "s", fs::perms::all);
}

TEST_F(BadInputTest, FoldersThatMayNotBeWritten) {
  here_.as_nobody = true;
  folder_.write("fixed/kept", "x");
  fs::permissions(folder_.path() / "fixed", fs::perms::owner_read | fs::perms::owner_exec |
                                                fs::perms::others_read | fs::perms::others_exec);
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"data", "generate", "fixed/new"},
           {"data", "convert", "example", "fixed/new"},
           {"data", "split", "example", "fixed/new"},
           {"eval", "--dataset", "example", "--out", "fixed", "--quiet"},
           {"eval", "--dataset", "example", "--out", "fixed/new", "--quiet"}}) {
    EXPECT_THAT(failure_of(arguments, 1, here_),
                AllOf(HasSubstr("fixed"), HasSubstr("Permission denied")));
    EXPECT_THAT(names_in(folder_.path() / "fixed"), ::testing::ElementsAre("kept"));
    EXPECT_THAT(names_in(folder_.path()), ::testing::ElementsAre("fixed"));
  }
}

TEST_F(BadInputTest, AFullDisk) {
  here_.file_size_limit = 1000;
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"data", "generate", "out"},
           {"data", "convert", "example", "out"},
           {"data", "split", "example", "out"},
           {"eval", "--dataset", "example", "--out", ".", "--quiet"}}) {
    EXPECT_THAT(failure_of(arguments, 1, here_), HasSubstr("cannot write: File too large"));
    EXPECT_TRUE(names_in(folder_.path()).empty()) << arguments[1];
  }
}

TEST_F(BadInputTest, AFullDiskLeavesTheOldFolder) {
  folder_.write("out/kept", "x");
  here_.file_size_limit = 1000;
  EXPECT_THAT(failure_of({"data", "generate", "out", "--force"}, 1, here_),
              HasSubstr("nothing was changed"));
  EXPECT_THAT(names_in(folder_.path()), ::testing::ElementsAre("out"));
  EXPECT_THAT(names_in(folder_.path() / "out"), ::testing::ElementsAre("kept"));
}

TEST_F(BadInputTest, ResultsThatCannotBePrinted) {
  for (const char* target : {"/dev/full", "-"}) {
    here_.standard_output = target;
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {"--help"},
             {"--version"},
             {"data", "list"},
             {"data", "list", "--json"},
             {"data", "show", "example"},
             {"data", "generate", "made", "--force", "--nodes", "100", "--links", "200"}}) {
      EXPECT_THAT(failure_of(arguments, 1, here_), HasSubstr("standard output: cannot write"));
    }
    EXPECT_THAT(output_of({"data", "show", "made"}, {.folder = folder_.path()}), HasSubstr("200"))
        << "results must not end up in the files";
  }
}

TEST_F(BadInputTest, GraphsThatCannotBeSplit) {
  std::string dense;
  for (int a = 0; a < 12; ++a) {
    for (int b = a + 1; b < 12; ++b) {
      dense += std::to_string(a) + "," + std::to_string(b) + "\n";
    }
  }
  folder_.write("dense.csv", dense);
  folder_.write("few.csv", "0,1\n1,2\n");
  EXPECT_THAT(failure_of({"data", "split", "dense.csv", "out", "--quiet"}, 1, here_),
              HasSubstr("dense"));
  for (const char* protocol : {"strict", "published"}) {
    EXPECT_THAT(
        failure_of({"eval", "--dataset", "few.csv", "--protocol", protocol, "--quiet"}, 1, here_),
        HasSubstr("links"));
  }
  EXPECT_THAT(names_in(folder_.path()), ::testing::ElementsAre("dense.csv", "few.csv"));
}

TEST_F(BadInputTest, APathWithALineBreakStaysOneLine) {
  EXPECT_THAT(show({"two\nlines.csv"}), HasSubstr("lines.csv: no such file"));
}

}  // namespace
}  // namespace disenlink::testing
