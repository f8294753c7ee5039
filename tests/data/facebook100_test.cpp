#include "data/facebook100.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "data/numpy_files.h"
#include "data/simple_form.h"
#include "mutate.h"

namespace disenlink::detail {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_of;
using testing::expect_survives_mutations;
using testing::fixture;
using ::testing::HasSubstr;
using testing::slurp;
using testing::TemporaryFolder;

// Writes Matlab elements in either byte order.
struct MatlabWriter {
  bool big_endian = false;

  template <typename Number>
  std::string numbers(const std::vector<Number>& values) const {
    std::string bytes;
    for (const Number value : values) {
      char raw[sizeof(Number)];
      std::memcpy(raw, &value, sizeof(Number));
      if (big_endian) {
        std::reverse(std::begin(raw), std::end(raw));
      }
      bytes.append(raw, sizeof(Number));
    }
    return bytes;
  }

  std::string element(uint32_t type, const std::string& data) const {
    if (!data.empty() && data.size() <= 4) {
      const auto size = static_cast<uint32_t>(data.size());
      return numbers<uint32_t>({(size << 16) | type}) + data + std::string(4 - size, '\0');
    }
    const std::string padding((8 - data.size() % 8) % 8, '\0');
    return numbers<uint32_t>({type, static_cast<uint32_t>(data.size())}) + data + padding;
  }

  std::string matrix(uint32_t flags, const std::vector<int32_t>& dimensions,
                     const std::string& name, const std::string& body) const {
    return element(14, element(6, numbers<uint32_t>({flags, 0})) + element(5, numbers(dimensions)) +
                           element(1, name) + body);
  }

  std::string packed(const std::string& content) const {
    std::string bytes(compressBound(content.size()), '\0');
    uLongf size = bytes.size();
    compress(reinterpret_cast<Bytef*>(bytes.data()), &size,
             reinterpret_cast<const Bytef*>(content.data()), content.size());
    return numbers<uint32_t>({15, static_cast<uint32_t>(size)}) + bytes.substr(0, size);
  }

  std::string file(const std::string& content) const {
    std::string header = "MATLAB 5.0 MAT-file, made up";
    header.resize(124, ' ');
    return header + numbers<uint16_t>({0x0100, ('M' << 8) | 'I'}) + content;
  }
};

// Node 0 knows 1 and 2; the entry (2, 1) is stored but zero; room for a fourth entry is stored.
std::string links(const MatlabWriter& writer, const std::vector<int32_t>& rows = {1, 2, 0, 2, 0, 7},
                  const std::vector<int32_t>& offsets = {0, 2, 4, 5}, uint32_t flags = 5) {
  return writer.matrix(flags, {3, 3}, "A",
                       writer.element(5, writer.numbers(rows)) +
                           writer.element(5, writer.numbers(offsets)) +
                           writer.element(9, writer.numbers<double>({1, 1, 1, 0, 1, 9})));
}

// Columns: status, gender, major, minor, dorm, year, high school.
std::string people(const MatlabWriter& writer, uint16_t first_year = 2006) {
  const std::vector<uint16_t> values = {1, 1, 2, 1, 2,          0, 0,    91, 90, 0, 0,
                                        0, 5, 5, 5, first_year, 0, 2005, 3,  3,  3};
  return writer.matrix(6, {3, 7}, "local_info", writer.element(4, writer.numbers(values)));
}

void expect_made_up_people(const GraphParts& parts) {
  EXPECT_EQ(parts.num_nodes, 3);
  EXPECT_THAT(parts.arcs,
              ElementsAre(NodePair{0, 1}, NodePair{0, 2}, NodePair{1, 0}, NodePair{2, 0}));
  EXPECT_THAT(parts.labels, ElementsAre(0, 1, -1));
  EXPECT_THAT(
      parts.features.column_names(),
      ElementsAre("status=1", "status=2", "major=missing", "major=90", "major=91", "minor=missing",
                  "dorm=5", "year=missing", "year=2005", "year=2006", "high_school=3"));
  EXPECT_THAT(parts.features.columns(), ElementsAre(0, 2, 5, 6, 9, 10,  //
                                                    0, 4, 5, 6, 7, 10,  //
                                                    1, 3, 5, 6, 8, 10));
  EXPECT_EQ(parts.features.num_nonzeros(), 18);
}

TEST(Facebook100, ReadsEitherByteOrderPackedOrNot) {
  const TemporaryFolder folder;
  for (const bool big_endian : {false, true}) {
    const MatlabWriter writer{big_endian};
    SCOPED_TRACE(big_endian);
    expect_made_up_people(read_facebook100(
        folder.write("Made.mat", writer.file(people(writer) + links(writer))), {}));
    const GraphParts parts = read_facebook100(
        folder.write("Made.mat",
                     writer.file(writer.packed(links(writer)) + writer.packed(people(writer)))),
        {});
    expect_made_up_people(parts);
    EXPECT_EQ(parts.name, "Made");
  }
}

TEST(Facebook100, ReadsWhatScipyWrites) {
  for (const char* name : {"facebook.mat", "facebook_packed.mat"}) {
    const GraphParts parts = read_facebook100(fixture(name), {});
    EXPECT_THAT(parts.labels, ElementsAre(0, 1, -1, 0));
    EXPECT_THAT(parts.arcs,
                ElementsAre(NodePair{0, 1}, NodePair{0, 3}, NodePair{1, 0}, NodePair{1, 2},
                            NodePair{2, 1}, NodePair{2, 2}, NodePair{3, 0}));
    EXPECT_EQ(parts.features.num_columns(), 2 + 3 + 2 + 3 + 3 + 2);
  }
}

TEST(Facebook100, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const MatlabWriter writer;
  const auto error_for = [&](const std::string& content) {
    const auto path = folder.write("x.mat", writer.file(content));
    return error_of([&] { read_facebook100(path, {}); });
  };
  EXPECT_THAT(error_for(people(writer)),
              HasSubstr("x.mat: has no variable 'A'; there are 'local_info'"));
  EXPECT_THAT(error_for(links(writer) + writer.matrix(6, {2, 7}, "local_info",
                                                      writer.element(2, std::string(14, '\0')))),
              HasSubstr("is a matrix of 2 x 7, expected 3 x 7"));
  EXPECT_THAT(error_for(links(writer) + writer.matrix(6, {3, 7}, "local_info",
                                                      writer.element(2, std::string(14, '\0')))),
              HasSubstr("holds 14 values, expected 3 x 7"));
  EXPECT_THAT(error_for(people(writer) + links(writer, {1, 3, 0, 0, 0})),
              HasSubstr("variable 'A': entry 1 (from 0) names row 3, expected 0 to 2"));
  EXPECT_THAT(error_for(people(writer) + links(writer, {1, 2, 0, 0}, {0, 2, 1, 4})),
              HasSubstr("do not ascend from 0"));
  EXPECT_THAT(error_for(people(writer) + links(writer, {1, 2, 0, 0}, {0, 2, 3, 5})),
              HasSubstr("end at 5, but 4 entries are stored"));
  EXPECT_THAT(error_for(people(writer) + links(writer, {1, 2, 0, 0}, {0, 2, 4})),
              HasSubstr("has 3 column offsets, expected 4"));
  EXPECT_THAT(error_for(people(writer) + links(writer, {1, 2, 0, 0, 0}, {0, 2, 3, 4}, 5 | 0x800)),
              HasSubstr("complex"));
  EXPECT_THAT(error_for(people(writer) + links(writer, {1, 2, 0, 0, 0}, {0, 2, 3, 4}, 6)),
              HasSubstr("is of class 6, expected a sparse matrix"));
  EXPECT_THAT(
      error_for(links(writer) +
                writer.matrix(6, {3, 7}, "local_info",
                              writer.element(9, writer.numbers(std::vector<double>(21, 0.5))))),
      HasSubstr("local_info: node 0 (from 0) has status 0.5"));
}

TEST(Facebook100, RefusesOtherMatlabVersions) {
  const TemporaryFolder folder;
  std::string newer = MatlabWriter{}.file("");
  newer[125] = 2;
  const auto path = folder.write("new.mat", newer);
  EXPECT_THAT(error_of([&] { read_facebook100(path, {}); }),
              AllOf(HasSubstr("7.3"), HasSubstr("save('-v7')")));
  const auto other = folder.write("other.mat", std::string(200, 'x'));
  EXPECT_THAT(error_of([&] { read_facebook100(other, {}); }), HasSubstr("is no Matlab v5 file"));
}

TEST(Facebook100, LimitsWhatIsUnpacked) {
  const TemporaryFolder folder;
  const MatlabWriter writer;
  const std::string bomb = writer.matrix(9, {1 << 22, 7}, "local_info",
                                         writer.element(2, std::string(size_t{7} << 22, '\0')));
  const auto path = folder.write("bomb.mat", writer.file(links(writer) + writer.packed(bomb)));
  ReadOptions options;
  options.max_inflated_bytes = 1 << 20;
  EXPECT_THAT(error_of([&] { read_facebook100(path, options); }),
              HasSubstr("more than the limit of 1048576"));
  std::string lying = bomb.substr(0, 200);
  const uint32_t announced = 0x70000000;
  std::memcpy(lying.data() + 4, &announced, 4);
  const auto absurd = folder.write("absurd.mat", writer.file(writer.packed(lying)));
  EXPECT_THAT(error_of([&] { read_facebook100(absurd, {}); }), HasSubstr("more than its"));
}

TEST(Facebook100, SurvivesMutations) {
  const TemporaryFolder folder;
  const auto read = [&] { read_facebook100(folder.path() / "x.mat", {}); };
  for (const bool big_endian : {false, true}) {
    const MatlabWriter writer{big_endian};
    expect_survives_mutations(folder, "x.mat", writer.file(people(writer) + links(writer)), 2000,
                              read);
  }
  expect_survives_mutations(folder, "x.mat", slurp(fixture("facebook_packed.mat")), 2000, read);
}

// Checksums shield what is packed from damage, not from intent.
TEST(Facebook100, SurvivesMutationsInsidePackedData) {
  const TemporaryFolder folder;
  const MatlabWriter writer;
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto path =
        folder.write("x.mat", writer.file(writer.packed(testing::mutated(links(writer), random)) +
                                          writer.packed(testing::mutated(people(writer), random))));
    try {
      read_facebook100(path, {});
    } catch (const Error& error) {
      ASSERT_THAT(error.what(), HasSubstr("x.mat"));
    }
  }
}

TEST(Facebook100, GivesTheSimpleFormOfTheRealFiles) {
  DISENLINK_REQUIRE_DATA();
  const auto data = testing::data_folder();
  testing::expect_simple_form(read_facebook100(data / "amherst41" / "Amherst41.mat", {}),
                              data / "amherst41" / "simple");
  testing::expect_simple_form(read_facebook100(data / "johns-hopkins55" / "JohnsHopkins55.mat", {}),
                              data / "johns-hopkins55" / "simple");
}

TEST(Facebook100, ReadsCornell5) {
  DISENLINK_REQUIRE_DATA();
  const GraphParts parts =
      read_facebook100(testing::data_folder() / "cornell5" / "Cornell5.mat", {});
  EXPECT_EQ(parts.num_nodes, 18'660);
  EXPECT_EQ(parts.arcs.size(), 1'581'554);
  EXPECT_EQ(parts.features.num_columns(), 4'735);
  EXPECT_EQ(parts.features.num_nonzeros(), 111'960);
}

}  // namespace
}  // namespace disenlink::detail
