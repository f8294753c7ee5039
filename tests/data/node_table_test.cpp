#include "data/node_table.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include "mutate.h"
#include "test_files.h"

namespace disenlink::detail {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TemporaryFolder;

class NodeTableTest : public ::testing::Test {
 protected:
  NodeTable read(std::string_view text, const ReadOptions& options = {}) {
    return read_node_table(folder_.write("n.csv", text), options);
  }
  std::string error(std::string_view text, const ReadOptions& options = {}) {
    const auto path = folder_.write("n.csv", text);
    std::string text_of_error = error_of([&] { read_node_table(path, options); });
    EXPECT_THAT(text_of_error, ::testing::StartsWith(path.string()));
    return text_of_error;
  }
  // The row as a dense one, whatever the storage.
  static std::vector<float> row(const NodeTable& table, int64_t index) {
    std::vector<float> result(table.features.num_columns());
    if (!table.features.is_sparse()) {
      const auto dense = table.features.dense_row(index);
      return {dense.begin(), dense.end()};
    }
    const SparseRow sparse = table.features.sparse_row(index);
    for (size_t i = 0; i < sparse.columns.size(); ++i) {
      result[sparse.columns[i]] = sparse.values[i];
    }
    return result;
  }

  TemporaryFolder folder_;
};

TEST_F(NodeTableTest, NumbersWordsLabelsAndNames) {
  const NodeTable table = read(
      "id,age,city,label\n"
      "anna,30.5,rome,2\n"
      "bert,0,\"oslo, north\",0\n"
      "carl,-4e1,rome,-1\n");
  EXPECT_EQ(table.names.name(1), "bert");
  EXPECT_THAT(table.features.column_names(), ElementsAre("age", "city=rome", "city=oslo, north"));
  EXPECT_TRUE(table.features.is_sparse());
  EXPECT_THAT(row(table, 0), ElementsAre(30.5, 1, 0));
  EXPECT_THAT(row(table, 1), ElementsAre(0, 0, 1));
  EXPECT_THAT(row(table, 2), ElementsAre(-40, 1, 0));
  EXPECT_THAT(table.labels, ElementsAre(2, 0, -1));
  EXPECT_THAT(table.notes, ElementsAre(HasSubstr("1 of 3 nodes are unlabelled")));
}

TEST_F(NodeTableTest, MissingValuesAreMarkedAndNoted) {
  const NodeTable table = read("node\tage\tcity\nx\t5\tNA\ny\t\trome\nz\tnull\tN/A\n");
  EXPECT_THAT(table.features.column_names(),
              ElementsAre("age", "age=missing", "city=missing", "city=rome"));
  EXPECT_THAT(row(table, 0), ElementsAre(5, 0, 1, 0));
  EXPECT_THAT(row(table, 1), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(row(table, 2), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(table.notes, ElementsAre(HasSubstr("column 'age': 2 of 3 values are missing"),
                                       HasSubstr("column 'city': 2 of 3 values are missing")));
}

TEST_F(NodeTableTest, ColumnWithOneWordIsOneOfWords) {
  std::string text = "id,size\n";
  for (int i = 0; i < 19; ++i) {
    text += std::to_string(i) + "," + std::to_string(i % 3) + "\n";
  }
  const NodeTable table = read(text + "19,large\n");
  EXPECT_THAT(table.features.column_names(),
              ElementsAre("size=0", "size=1", "size=2", "size=large"));
  EXPECT_THAT(table.notes, ElementsAre(HasSubstr("column 'size': 19 of 20 values are numbers, but "
                                                 "'large' in line 21 is not")));
}

TEST_F(NodeTableTest, ColumnThatNamesEveryRowIsNoted) {
  std::string text = "id,mail\n";
  for (int i = 0; i < 30; ++i) {
    text += std::to_string(i) + ",m" + std::to_string(i) + "\n";
  }
  EXPECT_THAT(read(text).notes,
              ElementsAre(HasSubstr("column 'mail': 30 different words in 30 rows")));
}

TEST_F(NodeTableTest, DenseOnlyWhereNumbersFillIt) {
  EXPECT_FALSE(read("id,a,b\nx,1,2\ny,0,3\n").features.is_sparse());
  EXPECT_TRUE(read("id,a,b\nx,0,0\ny,0,3\n").features.is_sparse());
}

TEST_F(NodeTableTest, IdsMayBeAlone) {
  const NodeTable table = read("id\nanna\nbert\n");
  EXPECT_EQ(table.names.size(), 2);
  EXPECT_TRUE(table.features.empty());
  EXPECT_THAT(table.labels, IsEmpty());
  EXPECT_EQ(read("who\nSmith, John\nDoe, Jane\n").names.name(0), "Smith, John");
}

TEST_F(NodeTableTest, IdColumnIsFoundByNameAndRowNumbersNeedNoNames) {
  const NodeTable table = read("age,Id\n7,0\n8,1\n");
  EXPECT_TRUE(table.names.is_numbered());
  EXPECT_EQ(table.names.size(), 2);
  EXPECT_THAT(table.features.column_names(), ElementsAre("age"));
  EXPECT_FALSE(read("id,age\n1,7\n0,8\n").names.is_numbered());
  EXPECT_TRUE(read(",age\r\n0,7\r\n1,8\r\n").names.is_numbered());
}

TEST_F(NodeTableTest, LabelsMayBeWordsOrAnotherColumn) {
  const NodeTable words = read("id,label\na,cat\nb,dog\nc,\nd,cat\n");
  EXPECT_THAT(words.labels, ElementsAre(0, 1, -1, 0));
  EXPECT_TRUE(words.features.empty());
  EXPECT_THAT(words.notes, ElementsAre(HasSubstr("2 different words"), HasSubstr("1 of 4 nodes")));
  ReadOptions options;
  options.label_column = "kind";
  EXPECT_THAT(read("id,kind\na,3.0\nb,5\n", options).labels, ElementsAre(3, 5));
  EXPECT_THAT(error("id,label\na,3\n", options),
              HasSubstr("n.csv:1: there is no label column 'kind', the columns are: id, label"));
  EXPECT_THAT(error("id,label\na,1\nb,-2\n"),
              HasSubstr(":3: label column 'label': '-2' found, expected a word or an integer"));
  EXPECT_THAT(error("id,label\na,1\nb,0.5\n"), HasSubstr(":3: label column 'label': '0.5' found"));
}

TEST_F(NodeTableTest, GzipIsTransparent) {
  const auto path = folder_.path() / "n.csv.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, "id;a\nx;1\n");
  gzclose(file);
  EXPECT_THAT(row(read_node_table(path, {}), 0), ElementsAre(1));
}

TEST_F(NodeTableTest, FaultsNameTheLineAndColumn) {
  EXPECT_THAT(error("id,a\nx,1\ny,NaN\n"), HasSubstr("n.csv:3: column 'a': 'NaN' is not a finite"));
  EXPECT_THAT(error("id,a\nx,-INF\ny,2\n"), HasSubstr(":2: column 'a': '-INF' is not a finite"));
  EXPECT_THAT(error("id,a\nx,1e39\ny,2\n"), HasSubstr(":2: column 'a': '1e39' is not a finite"));
  EXPECT_THAT(error("id,a\nx,1\ny,2\nx,3\n"),
              HasSubstr(":4: node id 'x' was already given in line 2"));
  EXPECT_THAT(error("id,a,b,a\nx,1,2,3\n"),
              HasSubstr(":1: columns 2 and 4 of the header are both called 'a'"));
  EXPECT_THAT(error("id,a\nx,1\ny\n"),
              HasSubstr(":3: row has 1 field, expected 2 as in the header"));
  EXPECT_THAT(error("id,a\nx,1\n,1\n"), HasSubstr(":3: the node id is missing"));
  EXPECT_THAT(error("id,a,\nx,1,2\n"), HasSubstr(":1: column 3 of the header has no name"));
  EXPECT_THAT(error("0,1\n1,2\n"), HasSubstr(":1: expected a header"));
  EXPECT_THAT(error("id,a\n"), HasSubstr("has no nodes"));
  EXPECT_THAT(error("id,a\nx,\"1\n"), HasSubstr(":2: a quote is never closed"));
}

TEST_F(NodeTableTest, NanIsAWordAmongWords) {
  EXPECT_THAT(read("id,family\nx,Nan\ny,Li\n").features.column_names(),
              ElementsAre("family=Nan", "family=Li"));
}

TEST_F(NodeTableTest, SurvivesDamage) {
  const auto path = folder_.path() / "n.csv";
  testing::expect_survives_mutations(
      folder_, "n.csv", "id,age,city,label\nanna,30.5,\"rome\",1\nbert,,oslo,0\ncarl,7,,-1\n", 1500,
      [&] { read_node_table(path, {}); });
  testing::expect_survives_mutations(folder_, "n.csv", "0\n3\n-1\n2\n", 500,
                                     [&] { read_label_lines(path, {}); });
}

TEST_F(NodeTableTest, LabelLines) {
  const auto read_lines = [&](std::string_view text) {
    return read_label_lines(folder_.write("labels.csv", text), {});
  };
  EXPECT_THAT(read_lines("3\n-1\r\n 0 \n\n"), ElementsAre(3, -1, 0));
  EXPECT_THAT(error_of([&] { read_lines("3\n\n1\n"); }),
              HasSubstr("labels.csv:2: is empty, expected the label of node 1"));
  EXPECT_THAT(error_of([&] { read_lines("3\n-2\n"); }),
              HasSubstr(":2: label '-2': expected an integer from -1"));
  EXPECT_THAT(error_of([&] { read_lines("label\n1\n"); }), HasSubstr(":1: label 'label'"));
  EXPECT_THAT(error_of([&] { read_lines("\n\n"); }), HasSubstr("has no labels"));
}

}  // namespace
}  // namespace disenlink::detail
