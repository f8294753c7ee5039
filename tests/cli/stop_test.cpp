// Ctrl-C and SIGTERM in the middle of long work.
#include <gmock/gmock.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "test_files.h"

namespace disenlink::testing {
namespace {

using ::testing::HasSubstr;

// Long enough for any machine: half a minute of work and more.
const std::vector<std::string> kLongGenerate = {"data",    "generate", "made",    "--nodes",
                                                "2000000", "--links",  "20000000"};

void expect_stopped(const ProgramResult& result) {
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_THAT(result.errors, HasSubstr("disenlink: interrupted; nothing half-written"));
  EXPECT_LT(result.seconds, 20) << "it took too long to listen";
}

TEST(Stop, GenerateEndsWithoutATrace) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    expect_stopped(run_program(
        kLongGenerate, {.folder = folder.path(), .signal = signal, .signal_after_ms = 1500}));
    EXPECT_TRUE(names_in(folder.path()).empty());
  }
}

TEST(Stop, WritingEndsWithoutATrace) {
  const TemporaryFolder folder;
  folder.write("made/labels.csv", "x");
  expect_stopped(run_program(
      {"data", "generate", "made", "--force", "--nodes", "100000", "--links", "1000000"},
      {.folder = folder.path(),
       .signal = SIGINT,
       .signal_when_exists = folder.path() / "made.tmp-"}));
  EXPECT_THAT(names_in(folder.path()), ::testing::ElementsAre("made"));
  EXPECT_THAT(names_in(folder.path() / "made"), ::testing::ElementsAre("labels.csv"));
}

TEST(Stop, EvalKeepsFinishedRecordsAndNothingElse) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    expect_stopped(
        run_program({"eval", "--dataset", "example", "--runs", "10000", "--out", ".", "--quiet"},
                    {.folder = folder.path(),
                     .signal = signal,
                     .signal_when_exists = folder.path() / "aa-example-strict-seed2.json"}));
    for (const std::string& name : names_in(folder.path())) {
      EXPECT_TRUE(name.ends_with(".json")) << name;
      EXPECT_TRUE(nlohmann::json::accept(slurp(folder.path() / name))) << name;
    }
  }
}

TEST(Stop, ReadingListens) {
  const TemporaryFolder folder;
  std::string links;
  for (int i = 0; i < 3'000'000; ++i) {
    links += "node" + std::to_string(i) + ",node" + std::to_string(i / 2) + "\n";
  }
  folder.write("long.csv", links);
  expect_stopped(run_program({"data", "convert", "long.csv", "out"},
                             {.folder = folder.path(), .signal = SIGINT, .signal_after_ms = 700}));
  EXPECT_THAT(names_in(folder.path()), ::testing::ElementsAre("long.csv"));
}

}  // namespace
}  // namespace disenlink::testing
