// disenlink data list, against the table that comes with the real datasets.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/run_program.h"
#include "dataset_index.h"
#include "test_files.h"

namespace disenlink::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

const json* find(const json& list, const std::string& name) {
  for (const json& entry : list) {
    if (entry.at("name") == name) {
      return &entry;
    }
  }
  return nullptr;
}

RunOptions with_data() { return {.environment = {{"DISENLINK_DATA", data_folder().string()}}}; }
RunOptions without_data() { return {.environment = {{"DISENLINK_DATA", ""}}}; }

TEST(DataList, WithoutTheFolderTheExampleIsThere) {
  const json list = json::parse(output_of({"data", "list", "--json"}, without_data()));
  ASSERT_NE(find(list, "example"), nullptr);
  EXPECT_TRUE(find(list, "example")->at("present").get<bool>());
  ASSERT_NE(find(list, "cora"), nullptr);
  EXPECT_FALSE(find(list, "cora")->at("present").get<bool>());
  EXPECT_THAT(output_of({"data", "list"}, without_data()),
              AllOf(HasSubstr("example"), HasSubstr("cora"), HasSubstr("arxiv-year/year0")));
  EXPECT_THAT(output_of({"data", "show", "example"}, without_data()), HasSubstr("1,500"));
}

TEST(DataList, WithoutTheFolderAnotherNameSaysHowToGetData) {
  EXPECT_THAT(failure_of({"data", "show", "cora"}, 1, without_data()),
              AllOf(HasSubstr("'cora'"), HasSubstr("--data FOLDER"), HasSubstr("DISENLINK_DATA"),
                    HasSubstr("'example'")));
}

TEST(DataList, AFolderThatIsNoneIsAnError) {
  EXPECT_THAT(failure_of({"data", "list", "--data", "/absent"}),
              AllOf(HasSubstr("/absent"), HasSubstr("--data")));
  EXPECT_THAT(failure_of({"data", "list"}, 1, {.environment = {{"DISENLINK_DATA", "/absent"}}}),
              HasSubstr("the variable DISENLINK_DATA"));
}

TEST(DataList, StatisticsOfTheExampleHaveEveryKey) {
  const json list =
      json::parse(output_of({"data", "list", "--stats", "--json", "--quiet"}, without_data()));
  ASSERT_EQ(list.size(), 1);
  for (const char* key : {"name",
                          "dataset",
                          "group",
                          "nodes",
                          "raw_edge_rows",
                          "distinct_directed_edges",
                          "undirected_unique_edges",
                          "self_loops",
                          "reciprocated_fraction",
                          "isolated_nodes",
                          "max_degree",
                          "features",
                          "feature_nnz",
                          "zero_feature_rows",
                          "classes",
                          "unlabelled",
                          "edge_homophily",
                          "paper_nodes",
                          "paper_edges",
                          "paper_features",
                          "paper_classes",
                          "match",
                          "files",
                          "format",
                          "source"}) {
    EXPECT_TRUE(list[0].contains(key)) << key;
  }
  EXPECT_EQ(list[0].at("nodes"), 1500);
  EXPECT_EQ(list[0].at("undirected_unique_edges"), 10000);
}

// Empty in the table is null here; shares are rounded there to four digits.
void expect_equal(const std::string& dataset, const std::string& key, const std::string& expected,
                  const json& measured) {
  if (expected.empty()) {
    EXPECT_TRUE(measured.is_null()) << dataset << " " << key << " is " << measured;
    return;
  }
  ASSERT_TRUE(measured.is_number()) << dataset << " " << key << " is " << measured;
  EXPECT_NEAR(measured.get<double>(), std::stod(expected),
              measured.is_number_integer() ? 0 : 0.00005001)
      << dataset << " " << key;
}

TEST(DataList, StatisticsEqualTheTableOfTheRealDatasets) {
  DISENLINK_REQUIRE_DATA();
  const json list = json::parse(output_of({"data", "list", "--stats", "--json"}, with_data()));
  const std::vector<IndexRow> rows = index_rows();
  EXPECT_EQ(list.size(), rows.size() + 1) << "all rows and the example";
  const std::set<std::string> words = {"dataset", "group", "match", "files", "format", "source"};
  for (const IndexRow& row : rows) {
    const std::string name = row.at("dataset");
    const json* entry = find(list, name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_EQ(entry->at("group"), row.at("group")) << name;
    EXPECT_FALSE(entry->at("source").get<std::string>().empty()) << name;
    for (const auto& [key, value] : row) {
      ASSERT_TRUE(entry->contains(key)) << name << " " << key;
      if (!words.contains(key)) {
        expect_equal(name, key, value, entry->at(key));
      }
    }
  }
}

}  // namespace
}  // namespace disenlink::testing
