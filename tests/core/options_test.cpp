#include "core/options.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "mutate.h"
#include "test_files.h"

namespace disenlink::detail {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

struct Values {
  void read(const std::filesystem::path& path) { table.apply(read_config(path)); }

  std::string mode = "fast";
  int64_t runs = 1;
  double share = 0.5;
  bool force = false;
  OptionTable table;

  Values() {
    table.add({.name = "mode", .help = "", .target = &mode, .allowed = {"fast", "slow"}});
    table.add({.name = "runs", .help = "", .target = &runs, .least = 1});
    table.add({.name = "share", .help = "", .target = &share, .least = 0, .most = 1});
    table.add({.name = "force", .help = "", .target = &force, .recorded = false});
  }
};

TEST(OptionTable, SaysWhatIsAllowed) {
  Values values;
  EXPECT_THAT(error_of([&] { values.table.set("mode", "quick", "--mode"); }),
              HasSubstr("--mode: 'quick' given, expected one of: fast, slow"));
  EXPECT_THAT(error_of([&] { values.table.set("runs", "0", "--runs"); }),
              HasSubstr("expected a whole number of at least 1"));
  EXPECT_THAT(error_of([&] { values.table.set("runs", "2.5", "--runs"); }),
              HasSubstr("'2.5' given"));
  EXPECT_THAT(error_of([&] { values.table.set("share", "nan", "--share"); }),
              HasSubstr("expected a number from 0 to 1"));
}

TEST(OptionTable, ReadsLinesJsonAndRecords) {
  const TemporaryFolder folder;
  Values lines;
  lines.read(folder.write("a.conf", "# a comment\nruns = 7\n\nforce=true # yes\n"));
  EXPECT_EQ(lines.runs, 7);
  EXPECT_TRUE(lines.force);
  Values json;
  json.read(folder.write("b.json", R"({"runs": 3, "mode": "slow"})"));
  EXPECT_EQ(json.runs, 3);
  EXPECT_EQ(json.mode, "slow");
  Values again;
  const nlohmann::ordered_json record = {{"options", json.table.recorded()}, {"seed", 1}};
  again.read(folder.write("record.json", record.dump()));
  EXPECT_EQ(again.table.recorded(), json.table.recorded());
}

TEST(OptionTable, NamesFileAndLineOfAFault) {
  const TemporaryFolder folder;
  Values values;
  EXPECT_THAT(error_of([&] { values.read(folder.write("a", "runs = 2\nspeed = 1\n")); }),
              HasSubstr("a:2: unknown option 'speed', expected one of: mode, runs, share, force"));
  EXPECT_THAT(error_of([&] { values.read(folder.write("b", "runs 2\n")); }),
              HasSubstr("b:1: 'runs 2' found, expected 'name = value'"));
  EXPECT_THAT(error_of([&] { values.read(folder.write("c", "{\"runs\": ")); }),
              HasSubstr("is not valid JSON"));
  EXPECT_THAT(error_of([&] { values.read(folder.write("d", "{\"runs\": [1]}")); }),
              HasSubstr("d: option 'runs': '[1]' given, expected a text, a number"));
  EXPECT_THAT(error_of([&] { values.read(folder.write("e", "{\"options\": 1}")); }),
              HasSubstr("e: \"options\" is '1', expected an object"));
}

// A choice that has no default is recorded as an empty text.
TEST(OptionTable, ARecordMayLeaveAChoiceOpen) {
  std::string format;
  OptionTable table;
  table.add({.name = "format", .help = "", .target = &format, .allowed = {"csv", "npz"}});
  const TemporaryFolder folder;
  table.apply(read_config(folder.write("record.json", table.recorded().dump())));
  EXPECT_EQ(format, "");
  table.set("format", "csv", "--format");
  EXPECT_THAT(error_of([&] { table.set("format", "", "--format"); }), HasSubstr("csv, npz"));
}

TEST(OptionTable, DamagedConfigsAreReadOrRefused) {
  const TemporaryFolder folder;
  Values values;
  const auto read = [&] { values.read(folder.path() / "c"); };
  testing::expect_survives_mutations(
      folder, "c", "# a comment\nruns = 7\nmode=slow\nforce=true # yes\nshare = 0.25\n", 2000,
      read);
  testing::expect_survives_mutations(
      folder, "c", R"({"model": "aa", "options": {"runs": 3, "mode": "slow", "force": true}})",
      2000, read);
}

}  // namespace
}  // namespace disenlink::detail
