#include "data/edge_list.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <algorithm>
#include <map>

#include "data/integer_rows.h"
#include "disenlink/random.h"
#include "disenlink/threads.h"
#include "mutate.h"
#include "test_files.h"

namespace disenlink::detail {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TemporaryFolder;

class EdgeListTest : public ::testing::Test {
 protected:
  EdgeList read(std::string_view text) { return read_edge_list(folder_.write("e.csv", text), {}); }
  std::string error(std::string_view text) {
    const auto path = folder_.write("e.csv", text);
    std::string text_of_error = error_of([&] { read_edge_list(path, {}); });
    EXPECT_THAT(text_of_error, ::testing::StartsWith(path.string()));
    return text_of_error;
  }
  std::string error(std::string_view text, const NodeNames& names) {
    const auto path = folder_.write("e.csv", text);
    return error_of([&] { read_edge_list(path, names, {}); });
  }
  std::vector<std::string> names(const EdgeList& list) {
    std::vector<std::string> result;
    for (int64_t node = 0; node < list.num_nodes; ++node) {
      result.push_back(list.names.name(node));
    }
    return result;
  }

  TemporaryFolder folder_;
};

const auto kThreeLinks = ElementsAre(NodePair{0, 1}, NodePair{2, 1}, NodePair{1, 1});

TEST_F(EdgeListTest, EverySeparatorHeaderAndLineEndGivesTheSameLinks) {
  for (const std::string_view text :
       {"0,1\n2,1\n1,1\n", "0,1\n2,1\n1,1", "0\t1\n2\t1\n1\t1\n", "0;1\n2;1\n1;1\n",
        "0 1\n2 1\n1 1\n", "  0   1\n2\t 1 \n1  1\n", "0, 1\n2 ,1\n 1,1\n", "a,b\n0,1\n2,1\n1,1\n",
        "source\ttarget\n0\t1\n2\t1\n1\t1\n", "0,1\r\n2,1\r\n1,1\r\n", "\ufeff0,1\n2,1\n1,1\n",
        "\ufeffid1,id2\r\n0,1\r\n2,1\r\n1,1\r\n", "# c\n\n% c\n0 1\n\n2 1\n1 1\n",
        "# c\nfrom,to\n0,1\n2,1\n1,1\n", "\"0\",\"1\"\n2,1\n1,\"1\"\n", "00,001\n02,1\n1,1\n"}) {
    const EdgeList list = read(text);
    EXPECT_EQ(list.num_nodes, 3) << text;
    EXPECT_TRUE(list.names.is_numbered()) << text;
    EXPECT_THAT(list.arcs, kThreeLinks) << text;
    EXPECT_THAT(list.notes, IsEmpty()) << text;
  }
}

TEST_F(EdgeListTest, GzipIsTransparent) {
  const auto path = folder_.path() / "e.csv.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, "u v\n0 1\n2 1\n1 1\n");
  gzclose(file);
  EXPECT_THAT(read_edge_list(path, {}).arcs, kThreeLinks);
}

TEST_F(EdgeListTest, IntegerIdsAreNumberedInAscendingOrder) {
  const EdgeList list = read("70,5\n5,1000\n");
  EXPECT_THAT(names(list), ElementsAre("5", "70", "1000"));
  EXPECT_THAT(list.arcs, ElementsAre(NodePair{1, 0}, NodePair{0, 2}));
  const EdgeList far = read("2147483647,5\n5,9\n");
  EXPECT_THAT(names(far), ElementsAre("5", "9", "2147483647"));
  const EdgeList wide = read("9223372036854775807,5\n5,2147483648\n");
  EXPECT_THAT(names(wide), ElementsAre("5", "2147483648", "9223372036854775807"));
  EXPECT_THAT(wide.arcs, ElementsAre(NodePair{2, 0}, NodePair{0, 1}));
}

TEST_F(EdgeListTest, WordsAreNumberedAsTheyFirstOccur) {
  const EdgeList list = read("rome,oslo\noslo,bern\n");
  EXPECT_THAT(names(list), ElementsAre("rome", "oslo", "bern"));
  EXPECT_THAT(list.arcs, ElementsAre(NodePair{0, 1}, NodePair{1, 2}));
  EXPECT_THAT(names(read("\"a, b\",c\n\"say \"\"x\"\"\",c\n")),
              ElementsAre("a, b", "c", "say \"x\""));
  EXPECT_THAT(names(read("New York\tLos Angeles, CA\nOslo\tRome\n")),
              ElementsAre("New York", "Los Angeles, CA", "Oslo", "Rome"));
}

TEST_F(EdgeListTest, OneWordMakesAllIdsWords) {
  EXPECT_THAT(names(read("10,2\n-5,3.7\n2,alice\n")), ElementsAre("10", "2", "-5", "3.7", "alice"));
}

TEST_F(EdgeListTest, HeaderOfWordsIsKnownByItsWords) {
  const EdgeList list = read("Source,Target\nrome,oslo\n");
  EXPECT_THAT(names(list), ElementsAre("rome", "oslo"));
  EXPECT_THAT(list.notes, ElementsAre(HasSubstr("('Source', 'Target') is taken as the header")));
  EXPECT_EQ(read("paris,berlin\nrome,oslo\n").num_nodes, 4);
}

TEST_F(EdgeListTest, DecisionsAreNoted) {
  EXPECT_THAT(read("0,1,0.5\n1,2,0.7\n").notes, ElementsAre(HasSubstr("3 columns")));
  EXPECT_THAT(read("0,1,\"a,b\"\n1,2,x\n").arcs, ElementsAre(NodePair{0, 1}, NodePair{1, 2}));
  EXPECT_THAT(read("#top\n0,1\n#x,y\n1,2\n").notes, ElementsAre(HasSubstr("1 line between")));
  EXPECT_THAT(read("0,1\n2,1\n#x\n1,1\n").notes, ElementsAre(HasSubstr("1 line between")));
  EXPECT_THAT(read("a,b\n#x,y\n%\n1,b\n").notes, ElementsAre(HasSubstr("2 lines between")));
}

TEST_F(EdgeListTest, FaultsNameTheLineAndWhatWasExpected) {
  EXPECT_THAT(error("0,1\n1\n"), HasSubstr("e.csv:2: row has 1 field, expected 2 as in line 1"));
  EXPECT_THAT(error("a,b\n0,1\n0,1,2\n"),
              HasSubstr(":3: row has 3 fields, expected 2 as in line 2"));
  EXPECT_THAT(error("0,1\n#\n1,\n"), HasSubstr(":3: the second of the two node ids is missing"));
  EXPECT_THAT(error("0,1\n,1\n"), HasSubstr(":2: the first of the two node ids is missing"));
  EXPECT_THAT(error("0,1\n\n-5,1\n"), HasSubstr(":3: node id '-5': expected an integer from 0"));
  EXPECT_THAT(error("0,1\n1,3.7\n"), HasSubstr(":2: node id '3.7': expected an integer"));
  EXPECT_THAT(error("0,1\n1,9223372036854775808\n"),
              HasSubstr(":2: node id '9223372036854775808'"));
  EXPECT_THAT(error("0\n1\n"), HasSubstr(":2: expected two node ids separated by a comma"));
  EXPECT_THAT(error("x,\"y\nz,w\n"), HasSubstr(":1: a quote is never closed"));
  EXPECT_THAT(error("x,\"y\"z\nz,w\n"), HasSubstr(":1: a quoted field is followed by other text"));
  EXPECT_THAT(error(std::string_view("x,y\nz,\0\n", 8)), HasSubstr(":2: holds a zero byte"));
}

TEST_F(EdgeListTest, NoRowsIsAnError) {
  EXPECT_THAT(error("# nothing\n\n"), HasSubstr("has no links"));
  EXPECT_THAT(error("source,target\n"), HasSubstr("has no links"));
  EXPECT_THAT(error(""), HasSubstr("is empty"));
}

TEST_F(EdgeListTest, KnownNumbersAreRowNumbers) {
  const NodeNames names = NodeNames::numbered(17);
  const auto path = folder_.write("e.csv", "src,dst\n16,3\n0,0\n");
  EXPECT_THAT(read_edge_list(path, names, {}), ElementsAre(NodePair{16, 3}, NodePair{0, 0}));
  EXPECT_THAT(error("1,2\n3,17\n", names),
              HasSubstr("e.csv:2: node 17 is out of range, expected 0 to 16"));
  EXPECT_THAT(error("1,2\n3,99999999999\n", names), HasSubstr(":2: node 99999999999 is out of"));
  EXPECT_THAT(error("1,2\n-1,3\n", names),
              HasSubstr(":2: node id '-1': expected an integer from 0 to 16"));
  EXPECT_THAT(error("1,2\nx,3\n", names), HasSubstr(":2: node id 'x': expected an integer"));
}

TEST_F(EdgeListTest, KnownNamesAreLookedUp) {
  const NodeNames names = NodeNames::from_list({"u", "v", "paris", "7"});
  const auto path = folder_.write("e.csv", "u,v\nparis,7\n");
  EXPECT_THAT(read_edge_list(path, names, {}), ElementsAre(NodePair{0, 1}, NodePair{2, 3}));
  EXPECT_THAT(error("u,v\nv,pariss\n", names),
              HasSubstr("e.csv:2: unknown node 'pariss' (did you mean 'paris'?)"));
}

// Many blocks of lines of very different lengths, against a reading that cannot go wrong.
TEST_F(EdgeListTest, LargeFilesAreReadTheSameByAnyNumberOfThreads) {
  Random random(3);
  std::string text;
  std::vector<std::pair<int64_t, int64_t>> rows;
  std::map<int64_t, NodeId> numbers;
  const auto id = [&] {
    return static_cast<int64_t>(random.below(uint64_t{1} << random.below(31)));
  };
  while (text.size() < 2'500'000) {
    rows.emplace_back(id(), id());
    text += std::to_string(rows.back().first) + "," + std::to_string(rows.back().second);
    text += random.below(10) == 0 ? "\r\n" : "\n";
    if (random.below(1000) == 0) {
      text += "#" + std::string(random.below(3000), 'x') + "\n\n";
    }
    numbers.insert({{rows.back().first, 0}, {rows.back().second, 0}});
  }
  text += "#" + std::string(1'500'000, 'x') + "\n";
  NodeId count = 0;
  for (auto& [known, number] : numbers) {
    number = count++;
  }
  std::vector<NodePair> expected;
  expected.reserve(rows.size());
  for (const auto& [source, target] : rows) {
    expected.push_back({numbers.at(source), numbers.at(target)});
  }
  const int before = num_threads();
  for (const int threads : {1, 2, 3}) {
    set_num_threads(threads);
    const EdgeList list = read(text);
    EXPECT_EQ(list.num_nodes, count);
    EXPECT_TRUE(list.arcs == expected) << threads << " threads";
    EXPECT_EQ(list.names.name(count - 1), std::to_string(numbers.rbegin()->first));
    const auto path = folder_.path() / "e.csv";
    const auto fast = read_integer_rows<NodePair>(path, recognise_edge_list(path, {}), {});
    ASSERT_TRUE(fast) << "no row of this file needs the slow way";
    EXPECT_EQ(fast->rows.size(), rows.size());
    const auto lines = std::count(text.begin(), text.end(), '\n');
    EXPECT_THAT(error(text + "1,x y,3\n"),
                HasSubstr(":" + std::to_string(lines + 1) + ": row has"));
  }
  set_num_threads(before);
}

// Rows of one kind go a faster way than others, which may stand anywhere among them.
TEST_F(EdgeListTest, RowsOfOneKindAreReadLikeOthers) {
  Random random(4);
  const std::vector<std::string> between = {",", ", ", "\t", " ", "  "};
  for (const std::string& separator : between) {
    for (const std::string line_end : {"\n", "\r\n"}) {
      std::string text;
      std::vector<NodePair> expected;
      for (NodeId row = 0; row < 60'000; ++row) {
        expected.push_back({row, static_cast<NodeId>(random.below(60'000))});
        text.append(std::to_string(row)).append(separator);
        text.append(std::to_string(expected.back().target)).append(line_end);
        if (row == 45'000) {
          text.append("% a comment").append(line_end).append(" 7").append(separator);
          text.append("0000000008").append(line_end);
          expected.push_back({7, 8});
        }
      }
      const EdgeList list = read(text);
      EXPECT_EQ(list.num_nodes, 60'000);
      EXPECT_TRUE(list.arcs == expected) << "'" << separator << "'";
      EXPECT_THAT(list.notes, ElementsAre(HasSubstr("1 line between")));
    }
  }
}

TEST_F(EdgeListTest, LongLinesAreNoLinksLost) {
  const std::string comment = "#" + std::string(20'000'000, 'x') + "\n";
  const EdgeList list = read(comment + "a,b\n9,5\n" + comment + "05,7\n");
  EXPECT_THAT(names(list), ElementsAre("5", "7", "9"));
  EXPECT_THAT(list.arcs, ElementsAre(NodePair{2, 0}, NodePair{0, 1}));
}

TEST_F(EdgeListTest, SurvivesDamage) {
  const auto path = folder_.path() / "e.csv";
  const NodeNames numbered = NodeNames::numbered(13);
  const auto read_both = [&] {
    read_edge_list(path, {});
    read_edge_list(path, numbered, {});
  };
  testing::expect_survives_mutations(folder_, "e.csv", "# c\nid1,id2\n0,1\n12,3\n\n4,5\r\n7,11\n",
                                     1200, read_both);
  testing::expect_survives_mutations(folder_, "e.csv", "\"a, b\"\tc\nd\t\"e\"\nf\tg\n", 1200,
                                     read_both);
}

TEST_F(EdgeListTest, RealFilesGiveTheKnownCounts) {
  DISENLINK_REQUIRE_DATA();
  const EdgeList list =
      read_edge_list(testing::data_folder() / "crocodile" / "musae_crocodile_edges.csv", {});
  EXPECT_EQ(list.num_nodes, 11'631);
  EXPECT_EQ(list.arcs.size(), 180'020);
  EXPECT_TRUE(list.names.is_numbered());
}

}  // namespace
}  // namespace disenlink::detail
