// disenlink report on the records of a small study.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "test_files.h"

namespace disenlink::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ReportTest : public ::testing::Test {
 protected:
  // The records that stand in the repository, few of them, so that pictures are drawn quickly.
  ReportTest() {
    for (const char* name : {"cn-texas-published-seed1", "cn-texas-published-seed2",
                             "gat-texas-published-seed1", "disenlink-texas-published-seed1"}) {
      const std::string file = std::string(name) + ".json";
      folder_.write("results/" + file,
                    slurp(std::filesystem::path(DISENLINK_SOURCE_DIR) / "results" / file));
    }
  }

  double auc(const std::string& record) const {
    return json::parse(slurp(folder_.path() / "results" / (record + ".json"))).at("test").at("auc");
  }
  std::string made(const std::string& name) const {
    return slurp(folder_.path() / "report" / name);
  }

  TemporaryFolder folder_;
  RunOptions here_ = {.folder = folder_.path()};
};

TEST_F(ReportTest, MakesPagePicturesAndTables) {
  EXPECT_THAT(output_of({"report"}, here_), HasSubstr("open report/index.html"));
  const double mean = 50 * (auc("cn-texas-published-seed1") + auc("cn-texas-published-seed2"));
  EXPECT_THAT(made("tables/table2.csv"), HasSubstr(fmt::format("\ncn,texas,published,2,")));
  EXPECT_THAT(made("tables/table2.csv"), HasSubstr(fmt::format(",{:.6g},", mean)));
  EXPECT_THAT(made("tables/table2.md"), HasSubstr(fmt::format("{:.1f} ± ", mean)));
  const std::string svg = made("figures/table2-published.svg");
  EXPECT_THAT(svg, AllOf(StartsWith("<svg"), HasSubstr("Texas"), Not(HasSubstr("NaN"))));
  EXPECT_THAT(made("figures/table2-published.png"), StartsWith("\x89PNG"));
  EXPECT_GT(made("figures/table2-published.png").size(), 5'000) << "an empty picture is smaller";
  const std::string page = made("index.html");
  EXPECT_THAT(page, AllOf(HasSubstr("<style"), HasSubstr("table2-published")));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("/*DATA*/")), Not(HasSubstr("/*SCRIPT*/")),
                          Not(HasSubstr("<script src")), Not(HasSubstr("<link"))));
}

TEST_F(ReportTest, NamesAndSkipsForeignRecords) {
  folder_.write("results/broken.json", "{");
  const auto result = run_program({"report", "--json"}, here_);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.errors, AllOf(HasSubstr("broken.json: is no run record and is not counted"),
                                   HasSubstr("line 1, column 2")));
  EXPECT_EQ(json::parse(result.output).at("runs"), 4);
}

TEST_F(ReportTest, DoesNotReplaceWithoutBeingTold) {
  folder_.write("report/mine.txt", "keep");
  EXPECT_THAT(failure_of({"report"}, 1, here_), HasSubstr("report"));
  EXPECT_THAT(failure_of({"report", "--force"}, 1, here_),
              HasSubstr("report: holds 'mine.txt', which is no part of what would replace it"));
  EXPECT_EQ(made("mine.txt"), "keep");
  EXPECT_THAT(failure_of({"report", "results", "--out", "results", "--force"}, 1, here_),
              HasSubstr("results: holds '"));
  std::filesystem::remove(folder_.path() / "report/mine.txt");
  output_of({"report"}, here_);
  output_of({"report", "--force"}, here_);
  EXPECT_THAT(made("index.html"), HasSubstr("<html"));
}

TEST_F(ReportTest, NeedsRecords) {
  EXPECT_THAT(failure_of({"report", "nowhere"}, 1, here_),
              AllOf(HasSubstr("nowhere: is no folder"), HasSubstr("disenlink reproduce")));
  std::filesystem::create_directories(folder_.path() / "empty");
  EXPECT_THAT(failure_of({"report", "empty"}, 1, here_), HasSubstr("holds no run record"));
}

}  // namespace
}  // namespace disenlink::testing
