// Wrong usage: exit code 2, one line, and what would have been right.
#include <gmock/gmock.h>

#include "cli/run_program.h"
#include "test_files.h"

namespace disenlink::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Usage, AVerbIsNeeded) {
  EXPECT_THAT(failure_of({}, 2), AllOf(HasSubstr("no verb given, expected one of: data, train, "
                                                 "eval, predict, explain, embed, analyze"),
                                       HasSubstr("try `disenlink --help`")));
  EXPECT_THAT(
      failure_of({"data"}, 2),
      AllOf(
          HasSubstr("no verb given, expected one of: list, show, generate, convert, split, audit"),
          HasSubstr("try `disenlink data --help`")));
}

TEST(Usage, AnUnknownVerbIsNamed) {
  EXPECT_THAT(failure_of({"frobnicate"}, 2),
              AllOf(HasSubstr("unknown verb 'frobnicate', expected one of: data, train, eval, "
                              "predict, explain, embed, analyze"),
                    HasSubstr("try `disenlink --help`")));
  EXPECT_THAT(failure_of({"data", "shwo", "example"}, 2),
              AllOf(HasSubstr("unknown verb 'shwo'"), HasSubstr("try `disenlink data --help`")));
}

TEST(Usage, AnUnknownOptionIsNamed) {
  EXPECT_THAT(failure_of({"--fast"}, 2), HasSubstr("unknown option '--fast'"));
  EXPECT_THAT(
      failure_of({"eval", "--dataset", "example", "--fast"}, 2),
      AllOf(HasSubstr("unknown option '--fast'"), HasSubstr("try `disenlink eval --help`")));
  EXPECT_THAT(
      failure_of({"data", "show", "example", "--sedd=3"}, 2),
      AllOf(HasSubstr("unknown option '--sedd"), HasSubstr("try `disenlink data show --help`")));
}

TEST(Usage, AnArgumentTooManyOrTooFew) {
  EXPECT_THAT(failure_of({"data", "show", "example", "and", "more"}, 2),
              AllOf(HasSubstr("one argument too many: 'and'"),
                    HasSubstr("try `disenlink data show --help`")));
  EXPECT_THAT(failure_of({"eval", "--seed"}, 2),
              AllOf(HasSubstr("--seed"), HasSubstr("try `disenlink eval --help`")));
  EXPECT_THAT(failure_of({"eval", "--seed", "1", "--seed", "2"}, 2), HasSubstr("--seed"));
  EXPECT_THAT(failure_of({"data", "show"}, 2), HasSubstr("no graph given"));
  EXPECT_THAT(failure_of({"eval"}, 2), HasSubstr("no graph given"));
  EXPECT_THAT(failure_of({"data", "generate"}, 2), HasSubstr("no folder to write"));
  EXPECT_THAT(failure_of({"data", "convert", "example"}, 2), HasSubstr("no folder to write"));
  EXPECT_THAT(failure_of({"data", "split", "example"}, 2), HasSubstr("no folder to write"));
}

TEST(Usage, UnknownNamesListTheKnownOnes) {
  EXPECT_THAT(
      failure_of({"data", "show", "coar"}, 2),
      AllOf(HasSubstr("unknown dataset 'coar' (did you mean 'cora'?)"), HasSubstr("example")));
  EXPECT_THAT(failure_of({"eval", "--dataset", "example", "--model", "gpt"}, 2),
              AllOf(HasSubstr("--model: 'gpt' given (did you mean 'gat'?), expected one of: "),
                    HasSubstr("cn"), HasSubstr("aa")));
  EXPECT_THAT(failure_of({"eval", "--dataset", "example", "--protocol", "fair"}, 2),
              HasSubstr("--protocol: 'fair' given, expected one of: strict, published"));
  EXPECT_THAT(failure_of({"data", "show", "x.csv", "--format", "xml"}, 2),
              AllOf(HasSubstr("--format: 'xml' given"), HasSubstr("planetoid"), HasSubstr("npz")));
  EXPECT_THAT(failure_of({"eval", "--dataset", "example", "--ranking", "own"}, 2),
              HasSubstr("expected one of: shared, per-positive"));
  EXPECT_THAT(failure_of({"data", "show", "arxiv-year"}, 2), HasSubstr("arxiv-year/year0"));
}

TEST(Usage, NumbersOutsideTheirRange) {
  for (const char* value : {"-1", "x", "1.5", "99999999999999999999", "nan", ""}) {
    EXPECT_THAT(failure_of({"eval", "--dataset", "example", "--seed", value}, 2),
                HasSubstr("--seed: "));
  }
  EXPECT_THAT(failure_of({"eval", "--dataset", "example", "--runs", "0"}, 2),
              HasSubstr("--runs: '0' given, expected a whole number from 1 to 10000"));
  EXPECT_THAT(failure_of({"eval", "--dataset", "example", "--test-share", "1.5"}, 2),
              HasSubstr("--test-share: '1.5' given, expected a number from 0 to 1"));
  EXPECT_THAT(failure_of({"eval", "--dataset", "example", "--threads", "-2"}, 2),
              HasSubstr("--threads: "));
  EXPECT_THAT(failure_of({"eval", "--dataset", "example", "--negatives", "0"}, 2),
              HasSubstr("--negatives: "));
  EXPECT_THAT(failure_of({"data", "show", "example", "--max-inflate", "0"}, 2),
              HasSubstr("--max-inflate: "));
  for (const char* share : {"--test-share", "--valid-share"}) {
    failure_of({"eval", "--dataset", "example", share, "1", "--quiet"}, 2);
  }
}

TEST(Usage, OptionsThatContradict) {
  EXPECT_THAT(failure_of({"data", "show", "example", "--edges", "e.csv"}, 2),
              HasSubstr("either --dataset or --edges"));
  EXPECT_THAT(failure_of({"data", "show", "example", "--nodes", "n.csv"}, 2),
              HasSubstr("go with --edges"));
}

TEST(Usage, GenerateSaysWhatCannotBeMade) {
  const TemporaryFolder folder;
  const RunOptions here = {.folder = folder.path()};
  for (const auto& [flag, value] :
       std::vector<std::pair<const char*, const char*>>{{"--nodes", "0"},
                                                        {"--nodes", "-5"},
                                                        {"--nodes", "9000000000"},
                                                        {"--links", "0"},
                                                        {"--links", "999999999999"},
                                                        {"--factors", "0"},
                                                        {"--factors", "1000000000000"},
                                                        {"--dimensions", "0"},
                                                        {"--dimensions", "1000000000000"},
                                                        {"--nearest", "0"},
                                                        {"--nearest", "1000000000000"},
                                                        {"--noise", "-1"},
                                                        {"--noise", "inf"},
                                                        {"--seed", "-1"}}) {
    EXPECT_NE(failure_of({"data", "generate", "made", flag, value}, 2, here), "") << flag << value;
  }
  EXPECT_TRUE(names_in(folder.path()).empty());
}

}  // namespace
}  // namespace disenlink::testing
