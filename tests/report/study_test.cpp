#include "report/study.h"

#include <gmock/gmock.h>

#include <set>

#include "test_files.h"

namespace disenlink::detail {
namespace {

using disenlink::testing::error_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Study, PlansEveryModelOnEveryDataset) {
  const auto cells = plan_study({.studies = {"table3"}, .runs = 5});
  EXPECT_EQ(cells.size(), 12 * 3 * 5);
  std::set<std::string> models;
  std::set<std::string> places;
  for (const StudyCell& cell : cells) {
    models.insert(cell.model);
    places.insert(record_path(cell, "r").string());
    EXPECT_EQ(cell.protocol, "strict");
  }
  EXPECT_EQ(models.size(), 12);
  EXPECT_EQ(places.size(), cells.size()) << "two runs would share a record";
  EXPECT_TRUE(places.contains("r/gat-photo-strict-seed5.json"));
}

TEST(Study, RunsCheapCellsFirst) {
  const auto cells = plan_study({.studies = {"table2", "table3"}, .runs = 1});
  EXPECT_EQ(cells.front().model, "cn");
  EXPECT_EQ(cells.back().model, "seal");
  for (size_t i = 1; i < cells.size(); ++i) {
    EXPECT_LE(RunCosts().seconds(cells[i - 1]), RunCosts().seconds(cells[i]));
  }
}

TEST(Study, EstimatesFromRunsThatAreKnown) {
  const auto cell = [](const std::string& dataset) {
    return cell_of_record("gat", dataset, "strict", 1, "");
  };
  RunCosts costs;
  costs.add("vgae", "cora", "strict", 1000);
  const double guess = costs.seconds(cell("cora"));
  EXPECT_EQ(guess, RunCosts().seconds(cell("cora"))) << "another model says nothing";
  costs.add("gat", "cora", "published", 7);
  EXPECT_EQ(costs.seconds(cell("cora")), 7) << "better than a guess";
  costs.add("gat", "cora", "strict", 500);
  costs.add("gat", "cora", "strict", 20);
  costs.add("gat", "cora", "strict", 30);
  costs.add("gat", "squirrel", "strict", 900);
  EXPECT_EQ(costs.seconds(cell("cora")), 30) << "the middle one, under the same protocol";
  EXPECT_EQ(costs.seconds(cell("squirrel")), 900);
  // 4,552 links, nearest to Cora's 5,278.
  EXPECT_NEAR(costs.seconds(cell("citeseer")), 30 * 4552.0 / 5278, 1e-9);
  const auto cells =
      plan_study({.studies = {"table2"}, .runs = 1, .models = {"gat", "vgae"}}, costs);
  EXPECT_EQ(cells.front().model, "gat") << "VGAE is the dearer one here";
}

TEST(Study, TakesASampleARunWhereThereAreSeveral) {
  const auto cells =
      plan_study({.studies = {"table2"}, .runs = 11, .datasets = {"arxiv-year"}, .models = {"aa"}});
  ASSERT_EQ(cells.size(), 11);
  EXPECT_EQ(cells[0].dataset, "arxiv-year/year0");
  EXPECT_EQ(cells[9].dataset, "arxiv-year/year9");
  EXPECT_EQ(cells[9].seed, 1);
  EXPECT_EQ(cells[10].dataset, "arxiv-year/year0");
  EXPECT_EQ(cells[10].seed, 2);
}

TEST(Study, TakesSplitsOfASampleThatIsNamed) {
  const auto cells = plan_study(
      {.studies = {"table2"}, .runs = 3, .datasets = {"arxiv-year/year4"}, .models = {"aa"}});
  ASSERT_EQ(cells.size(), 3);
  for (uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(cells[i].dataset, "arxiv-year/year4");
    EXPECT_EQ(cells[i].seed, i + 1);
  }
}

TEST(Study, VariesDisenLinkAlone) {
  const auto ablation = plan_study({.studies = {"ablation"}, .runs = 1, .datasets = {"cora"}});
  ASSERT_EQ(ablation.size(), 4);
  const auto factors = plan_study({.studies = {"factors"}, .runs = 1, .datasets = {"cora"}});
  ASSERT_EQ(factors.size(), 10);
  EXPECT_EQ(factors[2].options.at("factors"), "3");
  EXPECT_EQ(factors[2].options.at("beta"), "0.5");
  EXPECT_EQ(record_path(factors[2], "r"), "r/disenlink-cora-strict-seed1-factors=3,beta=0.5.json");
  EXPECT_EQ(plan_study({.studies = {"beta"}, .runs = 1, .datasets = {"cora"}}).size(), 11);
}

TEST(Study, LargeGraphsStopWhenGainsAreSmall) {
  const auto options = [](const std::string& model, const std::string& dataset,
                          const std::string& protocol) {
    return cell_of_record(model, dataset, protocol, 1, "").options;
  };
  EXPECT_EQ(options("gat", "squirrel", "strict").at("min-gain"), "0.0005");
  EXPECT_TRUE(options("gat", "squirrel", "published").empty()) << "as the authors stopped";
  EXPECT_TRUE(options("gat", "cora", "strict").empty());
  EXPECT_TRUE(options("gat", "arxiv-year/year3", "strict").empty()) << "a tenth of the links";
  EXPECT_TRUE(options("aa", "squirrel", "strict").empty()) << "does not learn";
}

TEST(Study, CountsARunOfTwoStudiesOnce) {
  const auto table = plan_study({.studies = {"table3"}, .runs = 2});
  const auto both = plan_study({.studies = {"table3", "ablation"}, .runs = 2});
  const auto ablation = plan_study({.studies = {"ablation"}, .runs = 2});
  // The full model on Cora is in both.
  EXPECT_EQ(both.size(), table.size() + ablation.size() - 2);
}

TEST(Study, NamesWhatItKnows) {
  EXPECT_THAT(error_of([] { plan_study({.studies = {"table9"}}); }),
              AllOf(HasSubstr("unknown study 'table9'"), HasSubstr("ablation"), HasSubstr("all")));
  EXPECT_THAT(error_of([] { plan_study({.studies = {"all"}, .datasets = {"corra"}}); }),
              HasSubstr("corra"));
  EXPECT_THAT(error_of([] { plan_study({.studies = {"all"}, .models = {"gnn"}}); }),
              AllOf(HasSubstr("unknown model 'gnn'"), HasSubstr("linkx")));
}

}  // namespace
}  // namespace disenlink::detail
