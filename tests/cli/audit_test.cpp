// disenlink data split and data audit.
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

class AuditTest : public ::testing::Test {
 protected:
  json audit(std::vector<std::string> arguments, int exit_code) {
    arguments.insert(arguments.begin(), {"data", "audit", "--json", "--quiet"});
    const ProgramResult result = run_program(arguments, here_);
    EXPECT_EQ(result.exit_code, exit_code) << result.errors;
    return json::parse(result.output);
  }

  // A ring of seven towns, three links of it for training: five files, as others make them.
  void write_foreign(const std::vector<std::string>& names) {
    const auto rows = [&](const std::vector<std::pair<int, int>>& pairs) {
      std::string text;
      for (const auto& [a, b] : pairs) {
        text += names[a] + "\t" + names[b] + "\n";
      }
      return text;
    };
    folder_.write("foreign/train_pos.txt", rows({{0, 1}, {1, 2}, {2, 3}}));
    folder_.write("foreign/valid_pos.txt", rows({{3, 4}, {4, 5}}));
    folder_.write("foreign/valid_neg.txt", rows({{0, 2}, {0, 3}}));
    folder_.write("foreign/test_pos.txt", rows({{5, 6}, {6, 0}}));
    folder_.write("foreign/test_neg.txt", rows({{0, 4}, {1, 3}}));
    folder_.write("ring.csv", rows({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 0}}));
  }

  TemporaryFolder folder_;
  RunOptions here_ = {.folder = folder_.path()};
};

const std::vector<std::string> kTowns = {"Oslo", "Rome", "Bern", "Kiel", "Lima", "Bonn", "Nice"};
const std::vector<std::string> kNumbers = {"0", "1", "2", "3", "4", "5", "6"};

TEST_F(AuditTest, OurOwnStrictSplitIsClean) {
  const json made =
      json::parse(output_of({"data", "split", "example", "s", "--seed", "3", "--json"}, here_));
  EXPECT_EQ(made.at("protocol"), "strict");
  EXPECT_EQ(made.at("seed"), 3);
  EXPECT_FALSE(made.at("audit").at("leaks").get<bool>());
  EXPECT_THAT(names_in(folder_.path() / "s"),
              ElementsAre("split.json", "test_neg.txt", "test_pos.txt", "train_neg.txt",
                          "train_pos.txt", "valid_neg.txt", "valid_pos.txt"));
  EXPECT_THAT(names_in(folder_.path()), ElementsAre("s"));
  const json alone = audit({"s"}, 0);
  EXPECT_FALSE(alone.at("leaks").get<bool>());
  EXPECT_EQ(alone.at("parts").at("test").at("positives"), 1000);
  EXPECT_EQ(alone.at("parts").at("test").at("negatives"), 5000);
  audit({"s", "--dataset", "example"}, 0);
  EXPECT_THAT(output_of({"data", "audit", "s"}, here_), HasSubstr("No leak."));
}

TEST_F(AuditTest, TheSameSeedGivesTheSameFilesForAnyThreads) {
  output_of({"data", "split", "example", "a", "--threads", "1"}, here_);
  output_of({"data", "split", "example", "b", "--threads", "2"}, here_);
  output_of({"data", "split", "example", "c", "--seed", "2"}, here_);
  for (const std::string& name : names_in(folder_.path() / "a")) {
    EXPECT_EQ(slurp(folder_.path() / "a" / name), slurp(folder_.path() / "b" / name)) << name;
  }
  EXPECT_NE(slurp(folder_.path() / "a/test_pos.txt"), slurp(folder_.path() / "c/test_pos.txt"));
}

TEST_F(AuditTest, ThePublishedProtocolLeaksOnCora) {
  DISENLINK_REQUIRE_DATA();
  here_.environment["DISENLINK_DATA"] = data_folder().string();
  const json found = audit({"--dataset", "cora", "--protocol", "published"}, 1);
  EXPECT_TRUE(found.at("leaks").get<bool>());
  EXPECT_GE(found.at("leaked_share").get<double>(), 0.83);
  EXPECT_LE(found.at("leaked_share").get<double>(), 0.86);
  audit({"--dataset", "cora", "--protocol", "strict"}, 0);
}

TEST_F(AuditTest, ReadsASplitMadeElsewhereByNameAndByNumber) {
  for (const auto& names : {kTowns, kNumbers}) {
    write_foreign(names);
    EXPECT_EQ(audit({"foreign"}, 0).at("parts").at("train").at("positives"), 3);
    EXPECT_EQ(audit({"foreign", "--dataset", "ring.csv"}, 0).at("parts").at("test").at("positives"),
              2);
  }
  // Row numbers of nodes that have names.
  write_foreign(kTowns);
  const std::string towns = slurp(folder_.path() / "ring.csv");
  write_foreign(kNumbers);
  folder_.write("ring.csv", towns);
  EXPECT_EQ(audit({"foreign", "--dataset", "ring.csv"}, 0).at("parts").at("valid").at("positives"),
            2);
}

TEST_F(AuditTest, FindsAPlantedLeak) {
  write_foreign(kTowns);
  folder_.write("foreign/test_pos.txt", "Bonn\tNice\nRome\tOslo\n");  // the second is in training
  const json found = audit({"foreign"}, 1);
  EXPECT_TRUE(found.at("leaks").get<bool>());
  EXPECT_DOUBLE_EQ(found.at("leaked_share").get<double>(), 0.5);
  EXPECT_EQ(found.at("parts").at("test").at("visible_positives"), 1);
  EXPECT_EQ(found.at("overlaps").at(1).at("reversed"), 1);
  const ProgramResult text = run_program({"data", "audit", "foreign"}, here_);
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_THAT(text.output, HasSubstr("LEAKS: 50.0 %"));
}

TEST_F(AuditTest, FindsNegativesThatAreLinksOnlyTheGraphKnows) {
  write_foreign(kTowns);
  folder_.write("foreign/test_neg.txt", "Oslo\tLima\nRome\tKiel\n");
  folder_.write("ring.csv", slurp(folder_.path() / "ring.csv") + "Kiel\tRome\n");
  audit({"foreign"}, 0);
  EXPECT_EQ(audit({"foreign", "--dataset", "ring.csv"}, 1)
                .at("parts")
                .at("test")
                .at("negatives_that_are_links"),
            1);
}

TEST_F(AuditTest, RefusesWhatIsNoSplit) {
  write_foreign(kTowns);
  EXPECT_THAT(failure_of({"data", "audit"}, 2), HasSubstr("nothing to audit"));
  EXPECT_THAT(failure_of({"data", "audit", "absent"}), HasSubstr("absent: no such folder"));
  EXPECT_THAT(failure_of({"data", "audit", "foreign", "--dataset", "example", "--quiet"}, 1, here_),
              HasSubstr("foreign/train_pos.txt:1: "));
  folder_.write("foreign/valid_pos.txt", "Oslo\n");
  EXPECT_THAT(failure_of({"data", "audit", "foreign"}, 1, here_), HasSubstr("valid_pos.txt:1: "));
  folder_.write("foreign/valid_pos.txt", "");
  EXPECT_THAT(failure_of({"data", "audit", "foreign"}, 1, here_),
              HasSubstr("valid_pos.txt: is empty"));
  fs::remove(folder_.path() / "foreign/test_pos.txt");
  EXPECT_THAT(failure_of({"data", "audit", "foreign"}, 1, here_),
              HasSubstr("test_pos.txt: no such file"));
}

TEST_F(AuditTest, RefusesTheSplitOfAnotherGraph) {
  write_foreign(kNumbers);
  output_of({"data", "split", "example", "s"}, here_);
  EXPECT_THAT(failure_of({"data", "audit", "s", "--dataset", "ring.csv"}, 1, here_),
              AllOf(HasSubstr("s/split.json: was made for graph 'example'"), HasSubstr("'ring'")));
  for (const char* damaged : {"{", "[]", "{\"protocol\": 3}", "null", "{\"protocol\": \"fair\"}"}) {
    folder_.write("s/split.json", damaged);
    EXPECT_THAT(failure_of({"data", "audit", "s"}, 1, here_), HasSubstr("s/split.json: "));
  }
}

}  // namespace
}  // namespace disenlink::testing
