#include "report/results.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "report/document.h"
#include "report/figures.h"
#include "report/findings.h"
#include "report/score_tables.h"
#include "report/table_csv.h"
#include "test_files.h"

namespace disenlink::detail {
namespace {

using disenlink::testing::error_of;
using disenlink::testing::TemporaryFolder;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

struct RunToWrite {
  std::string model = "disenlink";
  std::string dataset = "texas";
  std::string protocol = "strict";
  int seed = 1;
  double auc = 0.5;
  std::string label = {};
  json options = {{"preset", "default"}};
  double leaked_share = 0;
};

json record_of(const RunToWrite& run) {
  json hits;
  for (const int rank : kHitsAt) {
    hits[std::to_string(rank)] = 0.25;
  }
  return {{"model", run.model},
          {"dataset", run.dataset},
          {"protocol", run.protocol},
          {"seed", run.seed},
          {"options", run.options},
          {"audit", {{"leaked_share", run.leaked_share}}},
          {"test", {{"auc", run.auc}, {"ap", 0.4}, {"mrr", 0.3}, {"hits", hits}}},
          {"curve", {{"loss", {1.0, 0.5}}, {"valid_auc", {0.6, 0.7}}}},
          {"seconds", 2.0}};
}

class ResultsTest : public ::testing::Test {
 protected:
  std::string name_of(const RunToWrite& run) const {
    std::string dataset = run.dataset;
    std::replace(dataset.begin(), dataset.end(), '/', '_');
    return fmt::format("{}-{}-{}-seed{}{}.json", run.model, dataset, run.protocol, run.seed,
                       run.label.empty() ? "" : "-" + run.label);
  }
  void write(const RunToWrite& run) { folder_.write(name_of(run), record_of(run).dump()); }
  Results read() const { return read_results(folder_.path()); }

  TemporaryFolder folder_;
};

TEST_F(ResultsTest, PutsSplitsTogether) {
  write({.seed = 1, .auc = 0.80});
  write({.seed = 2, .auc = 0.90});
  write({.seed = 1,
         .auc = 0.10,
         .label = "variant=no-selection",
         .options = {{"preset", "default"}, {"variant", "no-selection"}}});
  const Results results = read();
  EXPECT_THAT(results.warnings, IsEmpty());
  const auto score = auc_of(results, "strict", "disenlink", "texas");
  ASSERT_TRUE(score);
  EXPECT_NEAR(score->mean, 85, 1e-9);
  EXPECT_NEAR(score->deviation, 7.0710678, 1e-6);
  EXPECT_EQ(score->runs, 2);
  EXPECT_FALSE(auc_of(results, "published", "disenlink", "texas"));
  EXPECT_EQ(auc_of(results, "paper", "disenlink", "texas")->mean, 80.7);
}

TEST_F(ResultsTest, SamplesCountAsTheirDataset) {
  write({.dataset = "arxiv-year/year0", .auc = 0.9});
  write({.dataset = "arxiv-year/year1", .auc = 0.8});
  EXPECT_NEAR(auc_of(read(), "strict", "disenlink", "arxiv-year")->mean, 85, 1e-9);
}

TEST_F(ResultsTest, LeavesOutWhatIsNoRecordAndSaysSo) {
  write({.seed = 1, .auc = 0.8});
  folder_.write("broken.json", "{\"model\": ");
  folder_.write("foreign.json", R"({"name": "something else"})");
  folder_.write("notes.txt", "no record, and not meant as one");
  folder_.write("cn-texas-strict-seed1.json",
                record_of({.model = "aa", .options = json::object()}).dump());
  write({.seed = 4, .auc = 1.5});
  write({.seed = 5,
         .label = "factors=5,beta=0.5",
         .options = {{"preset", "default"}, {"factors", 4}, {"beta", 0.5}}});
  write({.protocol = "published", .seed = 6});
  write({.seed = 7, .label = "trial"});
  const Results results = read();
  EXPECT_EQ(results.runs.size(), 1);
  EXPECT_THAT(
      results.warnings,
      ElementsAre(HasSubstr("broken.json: is no run record"),
                  AllOf(HasSubstr("cn-texas-strict-seed1.json: holds the record of another run"),
                        HasSubstr("aa-texas-strict-seed1")),
                  HasSubstr("published-seed6.json: was run with other options"),
                  HasSubstr("seed4.json: a share of 1.5 is not between 0 and 1"),
                  HasSubstr("beta=0.5.json: was run with other options"),
                  HasSubstr("seed7-trial.json: its label 'trial' is none of a study"),
                  HasSubstr("foreign.json: is no run record")));
}

TEST_F(ResultsTest, NeedsAFolder) {
  EXPECT_THAT(error_of([&] { read_results(folder_.path() / "none"); }), HasSubstr("is no folder"));
}

TEST_F(ResultsTest, LeavesOutRunsWithOptionsOfTheirOwn) {
  write({.seed = 1, .auc = 0.8, .options = {{"preset", "default"}, {"lr", 0.001}}});
  const std::vector<json> others = {
      {{"preset", "default"}, {"lr", 0.01}},          // not as shipped
      {{"preset", "default"}, {"factors", 3}},        // nor this, and the name does not say so
      {{"preset", "default"}, {"negatives", 1}},      // another split
      {{"preset", "default"}, {"split", "/my/own"}},  // a foreign one
      {{"preset", "published"}},
  };
  for (size_t i = 0; i < others.size(); ++i) {
    write({.seed = static_cast<int>(i) + 2, .auc = 0.99, .options = others[i]});
  }
  write({.protocol = "published", .options = {{"preset", "published"}, {"beta", 0.6}}});
  write({.protocol = "published", .seed = 2, .options = {{"preset", "published"}, {"beta", 0.1}}});
  const Results results = read();
  EXPECT_EQ(results.runs.size(), 2) << "the first one, and Texas with the authors' beta";
  EXPECT_THAT(results.warnings, SizeIs(6));
  EXPECT_THAT(results.warnings, Each(HasSubstr("other options than its study asks for")));
}

TEST_F(ResultsTest, TablesHaveThePaperBesideWhatCameOut) {
  write({.model = "cn", .auc = 0.512, .options = json::object()});
  write({.protocol = "published",
         .auc = 0.9,
         .options = {{"preset", "published"}},
         .leaked_share = 0.5});
  const auto document = report_document(read());
  const std::string csv = scores_csv(document.at("score_tables")[0]);
  EXPECT_THAT(csv, HasSubstr("\ncn,texas,paper,,,53,6.2,"));
  EXPECT_THAT(csv, HasSubstr("\ncn,texas,strict,1,0,51.2,,40,,30,,25,"));
  EXPECT_THAT(csv, HasSubstr("\ndisenlink,texas,published,1,50,90,,"));
  EXPECT_EQ(csv.find("disenlink,texas,strict"), std::string::npos) << "it was not run";
  const std::string markdown = scores_markdown(document.at("score_tables")[0]);
  EXPECT_THAT(table_markdown(document.at("tables")[0]),
              HasSubstr("| Texas | 50.0 | 0.0 | 80.7 ± 4.0 | 90.0 (1) | - | - | - |"));
  EXPECT_THAT(markdown, AllOf(StartsWith("| AUC, % | source | Texas |"),
                              HasSubstr("|  | published | 90.0 (1) | - |"),
                              HasSubstr("| DisenLink | paper | **80.7 ± 4.0** |")));
}

TEST_F(ResultsTest, FiguresShowStudiesThatWereRun) {
  for (const int factors : {1, 3}) {
    write({.dataset = "cora",
           .auc = 0.9 + 0.01 * factors,
           .label = fmt::format("factors={},beta=0.5", factors),
           .options = {{"preset", "default"}, {"factors", factors}, {"beta", 0.5}}});
  }
  const auto list = figures(read());
  const auto found = std::find_if(list.begin(), list.end(), [](const auto& figure) {
    return figure.at("id") == "factors-strict";
  });
  ASSERT_NE(found, list.end());
  EXPECT_EQ(found->at("xs").size(), 10);
  ASSERT_EQ(found->at("series").size(), 1) << "only Cora was run";
  const auto& means = found->at("series")[0].at("mean");
  EXPECT_NEAR(means[0].get<double>(), 91, 1e-9);
  EXPECT_TRUE(means[1].is_null());
  EXPECT_NEAR(means[2].get<double>(), 93, 1e-9);
  EXPECT_THAT(figure_csv(*found), HasSubstr("\nCora,3,93,\n"));
}

TEST_F(ResultsTest, PartsAreJudgedOnTheSplitsThatBothHave) {
  const auto write_both = [&](const std::string& dataset, int seed, double full, double variant) {
    write({.dataset = dataset, .seed = seed, .auc = full});
    write({.dataset = dataset,
           .seed = seed,
           .auc = variant,
           .label = "variant=no-selection",
           .options = {{"preset", "default"}, {"variant", "no-selection"}}});
  };
  write_both("texas", 1, 0.80, 0.77);
  write_both("cora", 1, 0.90, 0.91);
  write({.dataset = "texas", .seed = 2, .auc = 0.20});  // has no variant beside it
  const Results results = read();
  EXPECT_THAT(findings(results),
              Contains(HasSubstr("selection +1.0 points (mean of 2 datasets, -1.0 to +3.0)")));
  const auto tables = plain_tables(results);
  const auto ablation = std::find_if(tables.begin(), tables.end(),
                                     [](const auto& table) { return table["id"] == "ablation"; });
  ASSERT_NE(ablation, tables.end());
  const std::string markdown = table_markdown(*ablation);
  EXPECT_THAT(markdown, HasSubstr("| Texas | strict | 50.0 ± 42.4 (2) | - | 77.0 (1) | - |"));
  EXPECT_THAT(markdown, Not(HasSubstr("Wisconsin"))) << "nothing was run there";
}

TEST_F(ResultsTest, SweepsHaveARowForEachValue) {
  write({.dataset = "cora",
         .auc = 0.75,
         .label = "factors=3,beta=0.5",
         .options = {{"preset", "default"}, {"factors", 3}, {"beta", 0.5}}});
  const auto tables = plain_tables(read());
  ASSERT_EQ(tables.back()["id"], "factors");
  const std::string markdown = table_markdown(tables.back());
  EXPECT_THAT(markdown, AllOf(HasSubstr("| K | Cora, strict |"), HasSubstr("| 2 | - |\n"),
                              HasSubstr("| 3 | 75.0 (1) |\n")));
}

TEST_F(ResultsTest, TheBestOfAColumnIsBold) {
  write({.model = "cn", .auc = 0.80, .options = json::object()});
  write({.model = "aa", .auc = 0.90, .options = json::object()});
  const std::string markdown = scores_markdown(score_tables(read())[0]);
  EXPECT_THAT(markdown, AllOf(HasSubstr("| **90.0 (1)** |"), HasSubstr("| 80.0 (1) |"),
                              HasSubstr("| **80.7 ± 4.0** |")))
      << "each source has its own best";
  write({.model = "cn", .dataset = "cora", .auc = 0.70, .options = json::object()});
  EXPECT_THAT(scores_markdown(score_tables(read())[1]), HasSubstr("| 70.0 (1) |"))
      << "alone it beats nobody";
}

TEST_F(ResultsTest, CorrelationsAreCheckedAndShown) {
  const json options = {{"preset", "default"},
                        {"factors", 5},
                        {"embed", 32},
                        {"correlation", true},
                        {"min-gain", 0.0005}};
  const std::string label = "factors=5,embed=32,correlation=true";
  const RunToWrite run = {.dataset = "chameleon", .label = label, .options = options};
  json record = record_of(run);
  record["correlation"] = {{"factors", 2},
                           {"width", 1},
                           {"within", 0.6},
                           {"between", 0.2},
                           {"values", {1, 0.2, 0.2, 1}}};
  folder_.write(name_of(run), record.dump());
  const Results results = read();
  EXPECT_THAT(results.warnings, IsEmpty());
  EXPECT_THAT(findings(results), Contains(HasSubstr("3.00 times as strongly")));
  const auto list = figures(results);
  ASSERT_EQ(list.back().at("kind"), "heatmap");
  EXPECT_EQ(figure_csv(list.back()), "1,0.2\n0.2,1\n");
  record["correlation"]["values"] = {1, 0.2};
  folder_.write(name_of(run), record.dump());
  EXPECT_THAT(read().warnings, ElementsAre(HasSubstr("the correlation has 2 values")));
}

TEST_F(ResultsTest, WordsSayWhoWinsWhereEnoughWereMeasured) {
  const char* const rivals[] = {"cn", "aa", "vgae", "gat", "linkx", "fagcn", "argva", "gpr-gnn"};
  const auto write_split = [&](int seed) {
    write({.seed = seed, .auc = 0.8});
    write({.dataset = "cora", .seed = seed, .auc = 0.7});
    write({.dataset = "photo", .seed = seed, .auc = 0.7});
    write({.model = "cn", .dataset = "photo", .seed = seed, .auc = 0.2});
    for (const std::string rival : rivals) {
      write({.model = rival, .seed = seed, .auc = 0.6});
      write({.model = rival, .dataset = "cora", .seed = seed, .auc = rival == "gat" ? 0.75 : 0.3});
    }
  };
  write_split(1);
  write_split(2);
  EXPECT_THAT(findings(read()), Not(Contains(HasSubstr("highest AUC")))) << "two splits";
  write_split(3);
  EXPECT_THAT(findings(read()),
              Contains(AllOf(HasSubstr("highest AUC on 1 of the 2 datasets"),
                             HasSubstr("Texas (+20.0 over"), HasSubstr("Cora (-5.0 against GAT)"),
                             Not(HasSubstr("Photo")))));
}

// The paper prints 80.7 and 4.0 for DisenLink on Texas, 97.1 and 0.4 on Cora.
TEST_F(ResultsTest, WordsSayWhichNumbersOfThePaperComeOut) {
  const auto write_split = [&](int seed, double texas, double cora) {
    const json options = {{"preset", "published"}};
    write({.protocol = "published", .seed = seed, .auc = texas, .options = options});
    write({.dataset = "cora",
           .protocol = "published",
           .seed = seed,
           .auc = cora,
           .options = options});
  };
  write_split(1, 0.73, 0.95);
  write_split(2, 0.73, 0.95);
  EXPECT_THAT(findings(read()), Not(Contains(HasSubstr("numbers of the paper")))) << "two splits";
  write_split(3, 0.73, 0.95);
  EXPECT_THAT(findings(read()),
              Contains(AllOf(HasSubstr("1 of 2 numbers of the paper come out"),
                             HasSubstr("0 come out higher, 1 lower: DisenLink on Cora (-2.1)."))));
  for (const int seed : {1, 2, 3}) {
    write_split(seed, 0.89, 0.98);
  }
  EXPECT_THAT(findings(read()), Contains(HasSubstr("1 come out higher, 0 lower.")));
}

}  // namespace
}  // namespace disenlink::detail
