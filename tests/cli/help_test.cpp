// --help and --version of the program and of every verb.
#include <gmock/gmock.h>

#include <cstdlib>

#include "cli/run_program.h"

namespace disenlink::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string help_of(std::vector<std::string> verb) {
  verb.emplace_back("--help");
  return output_of(verb);
}

// The lines about one option, without line breaks.
std::string entry_of(const std::string& help, const std::string& flag) {
  const size_t begin = help.find(flag + " ");
  if (begin == std::string::npos) {
    ADD_FAILURE() << flag << " is not in\n" << help;
    return {};
  }
  const size_t end = help.find("\n  -", begin);
  return help.substr(begin, end - begin);
}

void expect_default(const std::string& help, const std::string& flag, const std::string& value) {
  EXPECT_THAT(entry_of(help, flag), HasSubstr("[" + value + "]"));
}

TEST(Help, OfTheProgramNamesTheVerbs) {
  EXPECT_THAT(help_of({}), AllOf(HasSubstr("data"), HasSubstr("eval"), HasSubstr("--version")));
  EXPECT_THAT(help_of({"data"}),
              AllOf(HasSubstr("list"), HasSubstr("show"), HasSubstr("generate"),
                    HasSubstr("convert"), HasSubstr("split"), HasSubstr("audit")));
}

TEST(Help, EveryVerbHasTheCommonOptions) {
  const std::vector<std::vector<std::string>> verbs = {{"data", "list"},
                                                       {"data", "show"},
                                                       {"data", "generate"},
                                                       {"data", "convert"},
                                                       {"data", "split"},
                                                       {"data", "audit"},
                                                       {"eval"}};
  for (const auto& verb : verbs) {
    const std::string help = help_of(verb);
    EXPECT_THAT(help, AllOf(HasSubstr("--json"), HasSubstr("--quiet"), HasSubstr("--config FILE")));
    expect_default(help, "--threads", "0");
  }
}

TEST(Help, OfVerbsThatReadAGraphNamesEveryWayToGiveOne) {
  const std::vector<std::vector<std::string>> verbs = {
      {"data", "show"}, {"data", "convert"}, {"data", "split"}, {"data", "audit"}, {"eval"}};
  for (const auto& verb : verbs) {
    const std::string help = help_of(verb);
    for (const char* flag :
         {"--dataset", "--data", "--edges", "--nodes", "--features", "--labels"}) {
      entry_of(help, flag);
    }
    EXPECT_THAT(entry_of(help, "--format"),
                HasSubstr("(folder|planetoid|geom-gcn|musae|npz|npy-zip|facebook100|edge-list)"));
    expect_default(help, "--label-column", "label");
    expect_default(help, "--max-inflate", "8");
  }
}

TEST(Help, ShowsTheDefaultsOfGenerate) {
  const std::string help = help_of({"data", "generate"});
  for (const char* flag :
       {"--nodes", "--links", "--factors", "--dimensions", "--nearest", "--noise", "--seed"}) {
    EXPECT_THAT(entry_of(help, flag), HasSubstr("["));
  }
  expect_default(help, "--nodes", "1500");
  expect_default(help, "--links", "10000");
  expect_default(help, "--factors", "4");
  entry_of(help, "--force");
}

TEST(Help, ShowsTheDefaultsOfSplits) {
  const std::vector<std::vector<std::string>> verbs = {
      {"data", "split"}, {"data", "audit"}, {"eval"}};
  for (const auto& verb : verbs) {
    const std::string help = help_of(verb);
    EXPECT_THAT(entry_of(help, "--protocol"), HasSubstr("(strict|published) [strict]"));
    expect_default(help, "--valid-share", "0.05");
    expect_default(help, "--test-share", "0.1");
    expect_default(help, "--negatives", "5");
    expect_default(help, "--seed", "1");
  }
}

TEST(Help, ShowsHowToTurnSomethingOff) {
  const std::string help = help_of({"train"});
  EXPECT_THAT(help,
              AllOf(HasSubstr("--leave-one-out,--no-leave-one-out"), Not(HasSubstr("{false}"))));
}

TEST(Help, ShowsTheDefaultsOfEval) {
  const std::string help = help_of({"eval"});
  EXPECT_THAT(entry_of(help, "--model"), AllOf(HasSubstr("cn"), HasSubstr("aa")));
  expect_default(help, "--runs", "1");
  expect_default(help, "--ranking", "shared");
  expect_default(help, "--out", "runs");
  entry_of(help, "--split");
}

TEST(Version, NamesTheProgramItsLibrariesAndTheSimdTarget) {
  const std::string text = output_of({"--version"});
  EXPECT_TRUE(text.starts_with("disenlink ")) << text;
  EXPECT_THAT(text, AllOf(HasSubstr("torch"), HasSubstr("simd")));
}

}  // namespace
}  // namespace disenlink::testing
