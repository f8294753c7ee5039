#include "data/numpy.h"

#include <gmock/gmock.h>

#include <limits>

#include "data/npy_features.h"
#include "data/numpy_files.h"
#include "data/zip_archive.h"

namespace disenlink::detail {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::error_of;
using testing::fixture;
using ::testing::HasSubstr;
using testing::npy;
using testing::npy_with_header;
using testing::slurp;
using testing::TemporaryFolder;
using testing::write_zip;

// The whole table, row by row, whichever way it is kept.
std::vector<float> table_of(const Features& features) {
  if (!features.is_sparse()) {
    return {features.values().begin(), features.values().end()};
  }
  std::vector<float> table(static_cast<size_t>(features.num_rows() * features.num_columns()));
  for (int64_t row = 0; row < features.num_rows(); ++row) {
    const SparseRow entries = features.sparse_row(row);
    for (size_t i = 0; i < entries.columns.size(); ++i) {
      table[static_cast<size_t>(row * features.num_columns() + entries.columns[i])] =
          entries.values[i];
    }
  }
  return table;
}

std::string read_error(const std::filesystem::path& path) {
  return error_of([&] { read_features(path, {}); });
}

TEST(ReadFeatures, KnowsEveryNumberTypeNumpyWrites) {
  const ZipArchive archive(fixture("types.npz"), kDefaultMaxInflatedBytes);
  ASSERT_EQ(archive.names().size(), 23);
  for (const std::string& name : archive.names()) {
    NpyReader reader(archive.open(name));
    const std::vector<float> table = table_of(read_feature_table(reader));
    switch (name[0]) {
      case 'b':
        EXPECT_THAT(table, ElementsAre(0, 1, 1, 0, 1, 1)) << name;
        break;
      case 'u':
        EXPECT_THAT(table, ElementsAre(0, 1, 100, 0, 50, 127)) << name;
        break;
      case 'i':
        EXPECT_THAT(table, ElementsAre(0, -1, 100, 0, 50, -128)) << name;
        break;
      default:
        EXPECT_THAT(table, ElementsAre(0, -1.5, 100, 0, 0.25, -128)) << name;
    }
  }
}

TEST(ReadFeatures, KnowsEveryHeaderVersionAndBothOrders) {
  for (const char* name : {"version1.npy", "version2.npy", "version3.npy", "fortran.npy"}) {
    const Features features = read_features(fixture(name), {});
    EXPECT_EQ(features.num_rows(), 2) << name;
    EXPECT_FALSE(features.is_sparse()) << name;
    EXPECT_THAT(table_of(features), ElementsAre(0, -1.5, 100, 0, 0.25, -128)) << name;
  }
}

TEST(ReadFeatures, NamesTheVersionItDoesNotKnow) {
  const TemporaryFolder folder;
  std::string bytes = npy<float>("<f4", "(1, 1)", {1});
  bytes[6] = '\xc8';
  EXPECT_THAT(read_error(folder.write("a.npy", bytes)),
              HasSubstr(".npy version 200.0 is not known"));
}

TEST(ReadFeatures, KeepsMostlyEmptyTablesSparse) {
  for (const char* name : {"csr.npz", "fortran_sparse.npy"}) {
    const Features features = read_features(fixture(name), {});
    EXPECT_TRUE(features.is_sparse()) << name;
    EXPECT_EQ(features.num_rows(), 3) << name;
    EXPECT_EQ(features.num_columns(), 5) << name;
    EXPECT_THAT(features.columns(), ElementsAre(3, 0, 4)) << name;
    EXPECT_THAT(features.values(), ElementsAre(2, -1, 0.5)) << name;
    EXPECT_THAT(features.offsets(), ElementsAre(0, 1, 1, 3)) << name;
  }
}

TEST(ReadFeatures, DecidesForDenseAboveAQuarter) {
  const TemporaryFolder folder;
  const auto quarter = folder.write("a.npy", npy<float>("<f4", "(2, 4)", {1, 0, 0, 0, 0, 0, 0, 2}));
  const auto more = folder.write("b.npy", npy<float>("<f4", "(2, 4)", {1, 0, 3, 0, 0, 0, 0, 2}));
  EXPECT_TRUE(read_features(quarter, {}).is_sparse());
  EXPECT_FALSE(read_features(more, {}).is_sparse());
  EXPECT_THAT(table_of(read_features(more, {})), ElementsAre(1, 0, 3, 0, 0, 0, 0, 2));
}

TEST(ReadFeatures, AgreesWithTheDenseWayOnTablesOfManyBlocks) {
  const TemporaryFolder folder;
  std::vector<float> values(300 * 700);
  for (size_t i = 0; i < values.size(); i += 7) {
    values[i] = static_cast<float>(i % 100);
  }
  const auto path = folder.write("table.npy", npy<float>("<f4", "(300, 700)", values));
  const Features features = read_features(path, {});
  EXPECT_TRUE(features.is_sparse());
  EXPECT_EQ(table_of(features), values);
  const auto turned = folder.write("turned.npy", npy<float>("<f4", "(700, 300)", values, true));
  const Features transposed = read_features(turned, {});
  EXPECT_EQ(transposed.num_rows(), 700);
  EXPECT_EQ(table_of(transposed)[300 * 7 + 2], values[700 * 2 + 7]);
}

TEST(ReadFeatures, RefusesOtherSparseFormatsAndSaysWhatToDo) {
  EXPECT_THAT(read_error(fixture("csc.npz")), AllOf(HasSubstr("'csc'"), HasSubstr("tocsr()")));
  EXPECT_THAT(read_error(fixture("coo.npz")), AllOf(HasSubstr("'coo'"), HasSubstr("tocsr()")));
  EXPECT_THAT(read_error(fixture("graph_stored.npz")),
              AllOf(HasSubstr("'edges.npy'"), HasSubstr("expected those of a scipy CSR matrix")));
}

TEST(ReadFeatures, NeverLoadsPickledObjects) {
  EXPECT_THAT(read_error(fixture("objects.npy")), HasSubstr("pickled objects are never loaded"));
}

TEST(ReadFeatures, NamesRowAndColumnOfWhatIsNotFinite) {
  const TemporaryFolder folder;
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(read_error(folder.write("a.npy", npy<float>("<f4", "(2, 3)", {0, 1, 2, 3, kNan, 5}))),
              HasSubstr("row 1, column 1 (from 0) is nan"));
  EXPECT_THAT(
      read_error(folder.write("b.npy", npy<float>("<f4", "(2, 3)", {0, 1, 2, 3, kNan, 5}, true))),
      HasSubstr("row 0, column 2 (from 0) is nan"));
  EXPECT_THAT(read_error(folder.write("c.npy", npy<double>("<f8", "(1, 2)", {0, -1e300}))),
              HasSubstr("row 0, column 1 (from 0) is -inf"));
}

std::filesystem::path csr(const TemporaryFolder& folder, const std::vector<int32_t>& indices,
                          const std::vector<int32_t>& indptr, const std::vector<float>& data,
                          const std::vector<int64_t>& shape = {2, 3}) {
  const auto length = [](const auto& values) { return fmt::format("({},)", values.size()); };
  return write_zip(folder, "csr.npz",
                   {{"indices.npy", npy("<i4", length(indices), indices)},
                    {"indptr.npy", npy("<i4", length(indptr), indptr)},
                    {"format.npy", npy<char>("|S3", "()", {'c', 's', 'r'})},
                    {"shape.npy", npy("<i8", length(shape), shape)},
                    {"data.npy", npy("<f4", length(data), data)}});
}

TEST(ReadFeatures, ChecksTheBoundsOfSparseMatrices) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_features(csr(folder, {0, 2}, {0, 1, 2}, {1, 1}), {}).num_nonzeros(), 2);
  EXPECT_THAT(read_error(csr(folder, {0, 3}, {0, 1, 2}, {1, 1})),
              EndsWith("row 1 (from 0) names column 3, expected 0 to 2"));
  EXPECT_THAT(read_error(csr(folder, {0, -1}, {0, 1, 2}, {1, 1})), HasSubstr("names column -1"));
  EXPECT_THAT(read_error(csr(folder, {0, 1}, {0, 3, 2}, {1, 1})), HasSubstr("indptr falls to 2"));
  EXPECT_THAT(read_error(csr(folder, {0, 1}, {0, 1, 3}, {1, 1})), HasSubstr("from 0 to 3"));
  EXPECT_THAT(read_error(csr(folder, {0, 1}, {-1, 1, 2}, {1, 1})), HasSubstr("from -1 to 2"));
  EXPECT_THAT(read_error(csr(folder, {0, 1}, {0, 2}, {1, 1})), HasSubstr("indptr has 2 values"));
  EXPECT_THAT(read_error(csr(folder, {0, 1}, {0, 1, 2}, {1})), HasSubstr("2 indices but 1 data"));
  EXPECT_THAT(read_error(csr(folder, {0, 1}, {0, 1, 2}, {1, 1}, {2, -3})), HasSubstr("[2, -3]"));
  EXPECT_THAT(read_error(csr(folder, {0, 1}, {0, 1, 2}, {1, INFINITY})),
              HasSubstr("row 1, column 1 (from 0) is inf"));
}

TEST(ReadFeatures, SaysWhatIsWrongWithAHeader) {
  const TemporaryFolder folder;
  const auto error_for = [&](const std::string& header) {
    return read_error(folder.write("x.npy", npy_with_header(header) + "12345678"));
  };
  const auto with_shape = [](const std::string& shape) {
    return "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}";
  };
  EXPECT_THAT(error_for(with_shape("(2,)")), HasSubstr("has 1 dimensions, expected 2"));
  EXPECT_THAT(error_for(with_shape("(1, 3)")), HasSubstr("announces 1 x 3 values of 4 bytes"));
  EXPECT_THAT(error_for(with_shape("(-1, -2)")), HasSubstr("length of a dimension, found '-1"));
  EXPECT_THAT(error_for(with_shape("(9999999999, 9999999999)")), HasSubstr("more than any file"));
  EXPECT_THAT(error_for(with_shape("(4611686018427387904, 4)")), HasSubstr("more than any file"));
  EXPECT_THAT(error_for(with_shape("(99999999999999999999, 1)")), HasSubstr("length of a dim"));
  EXPECT_THAT(error_for(with_shape("(1, __import__('os'))")), HasSubstr("length of a dimension"));
  EXPECT_THAT(error_for(with_shape("(1, 2), 'shape': (1, 2)")),
              HasSubstr("'shape' is given twice"));
  EXPECT_THAT(error_for("{'descr': '<f4', 'shape': (1, 2)}"), HasSubstr("expected the keys"));
  EXPECT_THAT(error_for("{'descr': [('a', '<f4')], "), HasSubstr("structured arrays"));
  EXPECT_THAT(error_for("{'descr': '<c8', "), HasSubstr("type '<c8' is not supported"));
  EXPECT_THAT(read_error(folder.write("x.npy", "node,a,b\n1,2,3\n")),
              AllOf(HasSubstr("x.npy"), HasSubstr("is no .npy array")));
}

TEST(ReadFeatures, RefusesTablesWithoutCells) {
  const TemporaryFolder folder;
  const auto empty = npy_with_header(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (4000000000000000000, 0)}");
  EXPECT_THAT(read_error(folder.write("x.npy", empty)), HasSubstr("expected 1 to"));
}

void expect_made_up_graph(const GraphParts& parts) {
  EXPECT_EQ(parts.num_nodes, 4);
  EXPECT_THAT(parts.labels, ElementsAre(2, 0, 1, -1));
  EXPECT_THAT(table_of(parts.features), ElementsAre(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1));
}

TEST(NpzGraph, ReadsTheLayoutsInUse) {
  for (const char* name : {"graph_stored.npz", "graph_deflated.npz", "graph_columns.npz"}) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(is_npz_graph(fixture(name)));
    EXPECT_FALSE(is_npy_zip(fixture(name)));
    const GraphParts parts = read_npz_graph(fixture(name), {});
    EXPECT_EQ(parts.name, std::filesystem::path(name).stem());
    EXPECT_THAT(parts.arcs, ElementsAre(NodePair{0, 1}, NodePair{1, 2}, NodePair{2, 2},
                                        NodePair{3, 0}, NodePair{0, 1}));
    expect_made_up_graph(parts);
  }
}

TEST(NpzGraph, ReadsEdgesStoredColumnByColumn) {
  const TemporaryFolder folder;
  const auto path =
      write_zip(folder, "f.npz",
                {{"edges.npy", npy<int16_t>("<i2", "(3, 2)", {0, 1, 2, 1, 2, 0}, true)},
                 {"label.npy", npy<int8_t>("|i1", "(3, 1)", {0, 1, 0})}});
  const GraphParts parts = read_npz_graph(path, {});
  EXPECT_EQ(parts.num_nodes, 3);
  EXPECT_TRUE(parts.features.empty());
  EXPECT_THAT(parts.arcs, ElementsAre(NodePair{0, 1}, NodePair{1, 2}, NodePair{2, 0}));
}

TEST(NpzGraph, TakesATargetAsLabelsOnlyWhenItHoldsIntegers) {
  const TemporaryFolder folder;
  const std::string edges = npy<int64_t>("<i8", "(1, 2)", {0, 1});
  const std::string features = npy<float>("<f4", "(2, 1)", {1, 2});
  const auto whole = write_zip(folder, "a.npz",
                               {{"edges.npy", edges},
                                {"features.npy", features},
                                {"target.npy", npy<int64_t>("<i8", "(2,)", {4, 5})}});
  EXPECT_THAT(read_npz_graph(whole, {}).labels, ElementsAre(4, 5));
  const auto real = write_zip(folder, "b.npz",
                              {{"edges.npy", edges},
                               {"features.npy", features},
                               {"target.npy", npy<double>("<f8", "(2,)", {4, 5})}});
  const GraphParts parts = read_npz_graph(real, {});
  EXPECT_TRUE(parts.labels.empty());
  EXPECT_THAT(parts.notes, ElementsAre(HasSubstr("'target'")));
}

TEST(NpzGraph, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const auto error_for = [&](const std::string& edges, const std::string& labels) {
    const auto path = write_zip(folder, "g.npz",
                                {{"edges.npy", edges},
                                 {"features.npy", npy<float>("<f4", "(2, 1)", {1, 2})},
                                 {"labels.npy", labels}});
    return error_of([&] { read_npz_graph(path, {}); });
  };
  const std::string edges = npy<int64_t>("<i8", "(1, 2)", {0, 1});
  const std::string labels = npy<int64_t>("<i8", "(2,)", {0, 1});
  EXPECT_THAT(error_for(npy<int64_t>("<i8", "(1, 2)", {0, 2}), labels),
              AllOf(HasSubstr("g.npz: entry 'edges.npy'"),
                    HasSubstr("link 0 (from 0) names node 2, expected 0 to 1")));
  EXPECT_THAT(error_for(npy<double>("<f8", "(1, 2)", {0, 0.5}), labels),
              HasSubstr("value 1 (from 0) is 0.5, expected an integer"));
  EXPECT_THAT(error_for(npy<uint64_t>("<u8", "(1, 2)", {0, UINT64_MAX}), labels),
              HasSubstr("expected an integer of 64 bits"));
  EXPECT_THAT(error_for(npy<int64_t>("<i8", "(1, 3)", {0, 1, 2}), labels),
              HasSubstr("is an array of 1 x 3, expected links x 2"));
  EXPECT_THAT(error_for(edges, npy<int64_t>("<i8", "(3,)", {0, 1, 0})),
              HasSubstr("3 labels for 2 nodes"));
  EXPECT_THAT(error_for(edges, npy<int64_t>("<i8", "(2,)", {0, -7})),
              HasSubstr("node 1 has label -7"));
  EXPECT_THAT(error_of([&] { read_npz_graph(fixture("csr.npz"), {}); }),
              AllOf(HasSubstr("'indptr.npy'"), HasSubstr("expected edges.npy")));
}

TEST(NpyZip, TakesEveryNonzeroRowByRow) {
  EXPECT_TRUE(is_npy_zip(fixture("dense.zip")));
  EXPECT_FALSE(is_npz_graph(fixture("dense.zip")));
  const GraphParts parts = read_npy_zip(fixture("dense.zip"), {});
  EXPECT_EQ(parts.name, "dense");
  EXPECT_THAT(parts.arcs,
              ElementsAre(NodePair{0, 1}, NodePair{1, 2}, NodePair{2, 2}, NodePair{3, 0}));
  expect_made_up_graph(parts);
}

TEST(NpyZip, IgnoresTheFortranOrderOfTheFile) {
  const TemporaryFolder folder;
  const auto path = write_zip(
      folder, "f.zip",
      {{"sub/g_adj.npy", npy<uint8_t>("|u1", "(3, 3)", {0, 1, 1, 0, 0, 2, 1, 0, 0}, true)},
       {"__MACOSX/sub/._g_adj.npy", "junk"}});
  EXPECT_THAT(read_npy_zip(path, {}).arcs,
              ElementsAre(NodePair{0, 2}, NodePair{1, 0}, NodePair{2, 0}, NodePair{2, 1}));
}

TEST(NpyZip, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const auto flat =
      write_zip(folder, "a.zip", {{"g_adj.npy", npy<uint8_t>("|u1", "(1, 2)", {0, 1})}});
  EXPECT_THAT(error_of([&] { read_npy_zip(flat, {}); }),
              HasSubstr("expected as many rows as columns"));
  const std::string adjacency = npy<uint8_t>("|u1", "(1, 1)", {1});
  const auto two = write_zip(folder, "b.zip", {{"g_adj.npy", adjacency}, {"h_adj.npy", adjacency}});
  EXPECT_THAT(error_of([&] { read_npy_zip(two, {}); }), HasSubstr("has two entries that end in"));
  const auto uneven =
      write_zip(folder, "c.zip",
                {{"g_adj.npy", adjacency}, {"g_feat.npy", npy<float>("<f4", "(2, 1)", {1, 2})}});
  EXPECT_THAT(error_of([&] { read_npy_zip(uneven, {}); }),
              HasSubstr("features of 2 nodes, but links of 1"));
}

TEST(Recognition, SaysNoToUnrelatedFiles) {
  const TemporaryFolder folder;
  const auto text = folder.write("text", "1,2\n");
  const auto broken = folder.write("broken.npz", "PK\x03\x04 and nothing of a zip behind");
  for (const auto& path : {text, broken, folder.path(), folder.path() / "absent"}) {
    EXPECT_FALSE(is_npz_graph(path)) << path;
    EXPECT_FALSE(is_npy_zip(path)) << path;
  }
  EXPECT_FALSE(is_npz_graph(fixture("csr.npz")));
}

TEST(WriteFeatures, GivesBackTheSame) {
  const TemporaryFolder folder;
  const Features sparse = Features::sparse(70'000, {0, 2, 2, 3}, {69'999, 3, 0}, {0.5, -1, 2});
  EXPECT_EQ(write_features(sparse, folder.path()), "features.npz");
  const Features sparse_again = read_features(folder.path() / "features.npz", {});
  EXPECT_EQ(sparse_again.num_columns(), 70'000);
  EXPECT_THAT(sparse_again.offsets(), ElementsAre(0, 2, 2, 3));
  EXPECT_THAT(sparse_again.columns(), ElementsAre(3, 69'999, 0));
  EXPECT_THAT(sparse_again.values(), ElementsAre(-1, 0.5, 2));
  const Features dense = Features::dense(2, 2, {1, 2, 3, 4.5});
  EXPECT_EQ(write_features(dense, folder.path()), "features.npy");
  EXPECT_THAT(read_features(folder.path() / "features.npy", {}).values(),
              ElementsAre(1, 2, 3, 4.5));
  EXPECT_THAT(error_of([&] { write_features({}, folder.path()); }), HasSubstr("no features"));
}

TEST(WriteFeatures, KeepsRowsOfZerosOnly) {
  const TemporaryFolder folder;
  write_features(Features::sparse(3, {0, 0, 0}, {}, {}), folder.path());
  const Features features = read_features(folder.path() / "features.npz", {});
  EXPECT_EQ(features.num_rows(), 2);
  EXPECT_EQ(features.num_nonzeros(), 0);
}

TEST(WriteFeatures, WritesTheSameBytesAtAnyTime) {
  const TemporaryFolder folder;
  const Features features = Features::sparse(4, {0, 1, 2}, {1, 3}, {1, 1});
  write_features(features, folder.path() / "a");
  setenv("TZ", "Asia/Tokyo", 1);
  tzset();
  write_features(features, folder.path() / "b");
  unsetenv("TZ");
  tzset();
  const std::string bytes = slurp(folder.path() / "a" / "features.npz");
  EXPECT_EQ(bytes, slurp(folder.path() / "b" / "features.npz"));
  // Each local header carries time 0 and 1 January 1980.
  EXPECT_EQ(bytes.substr(10, 4), std::string("\x00\x00\x21\x00", 4));
}

}  // namespace
}  // namespace disenlink::detail
