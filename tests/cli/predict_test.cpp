// disenlink predict: scores of pairs, links that are missing, nodes that were not in training.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/trained_model.h"

namespace disenlink::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int kNodes = 120;

// One line of the csv; the texts are compared, not rounded numbers.
struct Row {
  std::string source;
  std::string target;
  std::string logit;
  std::string probability;
  std::string factor;

  bool operator==(const Row&) const = default;
  double score() const { return std::stod(logit); }
};

// GoogleTest looks for this name.
// NOLINTNEXTLINE(readability-identifier-naming)
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.source << "," << row.target << "," << row.logit << "," << row.probability << ","
       << row.factor;
}

class PredictTest : public TrainedModelTest {
 protected:
  std::vector<Row> predict(const Words& arguments, const std::string& model = "m") const {
    return rows_of(output(Words{"predict", model} + arguments));
  }

  static std::vector<Row> rows_of(const std::string& csv) {
    const std::vector<Words> lines = csv_rows(csv);
    EXPECT_THAT(lines.at(0),
                ::testing::ElementsAre("source", "target", "logit", "probability", "factor"));
    std::vector<Row> rows;
    for (size_t i = 1; i < lines.size(); ++i) {
      EXPECT_EQ(lines[i].size(), 5);
      rows.push_back(
          {lines[i].at(0), lines[i].at(1), lines[i].at(2), lines[i].at(3), lines[i].at(4)});
    }
    return rows;
  }

  // Every pair that is no link, scored one by one, best first.
  std::vector<Row> brute_force() {
    std::set<std::pair<int, int>> links;
    for (const Words& link : csv_rows(content("g/edges.csv"))) {
      links.insert(std::minmax({std::stoi(link.at(0)), std::stoi(link.at(1))}));
    }
    std::string pairs;
    for (int a = 0; a < kNodes; ++a) {
      for (int b = a + 1; b < kNodes; ++b) {
        pairs += links.contains({a, b}) ? "" : std::to_string(a) + "," + std::to_string(b) + "\n";
      }
    }
    folder_.write("all.csv", pairs);
    std::vector<Row> rows = predict({"--pairs", "all.csv"});
    EXPECT_EQ(rows.size(), kNodes * (kNodes - 1) / 2 - 500);
    // The file is in the order of the ids, which decides between equal scores.
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.score() > b.score(); });
    return rows;
  }
};

TEST_F(PredictTest, ScoresPairsInTheOrderOfTheFile) {
  folder_.write("pairs.csv", "5,9\n9,5\n0,119\n5,9\n");
  const std::vector<Row> rows = predict({"--pairs", "pairs.csv"});
  ASSERT_EQ(rows.size(), 4);
  EXPECT_EQ(rows[0].source, "5");
  EXPECT_EQ(rows[0].target, "9");
  EXPECT_EQ(rows[1].logit, rows[0].logit) << "a link has no direction";
  EXPECT_EQ(rows[2].target, "119");
  EXPECT_EQ(rows[3], rows[0]);
  for (const Row& row : rows) {
    EXPECT_NEAR(std::stod(row.probability), 1 / (1 + std::exp(-row.score())), 1e-6);
    EXPECT_TRUE(row.factor == "0" || row.factor == "1" || row.factor == "2") << row.factor;
  }
  const json list = json_output({"predict", "m", "--pairs", "pairs.csv"});
  ASSERT_EQ(list.size(), 4);
  EXPECT_EQ(list.at(2).at("target"), "119");
  EXPECT_FLOAT_EQ(list.at(2).at("logit").get<float>(), std::stof(rows[2].logit));
  EXPECT_EQ(list.at(2).at("factor"), std::stoi(rows[2].factor));
}

TEST_F(PredictTest, TopOfTheGraphIsThatOfAllPairs) {
  const std::vector<Row> all = brute_force();
  const std::vector<Row> few(all.begin(), all.begin() + 40);
  EXPECT_EQ(predict({"--top", "40"}), few);
  EXPECT_EQ(predict({"--top", "40", "--threads", "1"}), few);
  EXPECT_EQ(predict({"--top", "1000000"}), all);
}

TEST_F(PredictTest, TopOfANodeIsThatOfItsPairs) {
  std::vector<Row> expected;
  for (const Row& row : brute_force()) {
    if (row.source == "17" || row.target == "17") {
      const std::string other = row.source == "17" ? row.target : row.source;
      expected.push_back({"17", other, row.logit, row.probability, row.factor});
    }
  }
  expected.resize(12);
  EXPECT_EQ(predict({"--node", "17", "--top", "12"}), expected);
  EXPECT_EQ(predict({"--node", "17"}).size(), 10) << "the default";
}

TEST_F(PredictTest, LeavesOutWhatIsLessLikely) {
  const std::vector<Row> top = predict({"--top", "100"});
  const std::string least = top[30].probability;
  const auto expect_likely = [&](const std::vector<Row>& rows) {
    EXPECT_FALSE(rows.empty());
    for (const Row& row : rows) {
      EXPECT_GE(std::stod(row.probability), std::stod(least) - 1e-6);
    }
  };
  const std::vector<Row> likely = predict({"--top", "100", "--min-probability", least});
  expect_likely(likely);
  EXPECT_NEAR(static_cast<double>(likely.size()), 31, 1) << "the limit itself is rounded";
  expect_likely(predict({"--node", top[0].source, "--min-probability", least}));
  folder_.write("pairs.csv", top[0].source + "," + top[0].target + "\n" + top[99].source + "," +
                                 top[99].target + "\n");
  EXPECT_EQ(predict({"--pairs", "pairs.csv", "--min-probability", least}), std::vector{top[0]});
  EXPECT_TRUE(predict({"--top", "5", "--min-probability", "1"}).empty());
}

TEST_F(PredictTest, WritesToAFile) {
  const std::string printed = output({"predict", "m", "--top", "3"});
  EXPECT_EQ(output({"predict", "m", "--top", "3", "--out", "links.csv"}), "");
  EXPECT_EQ(content("links.csv"), printed);
}

TEST_F(PredictTest, NamesGoInAndOut) {
  folder_.write("pairs.csv", "from,to\nperson-3,person-30\n");
  const std::vector<Row> rows = predict({"--pairs", "pairs.csv"}, "pm");
  ASSERT_EQ(rows.size(), 1);
  EXPECT_EQ(rows[0].source, "person-3");
  EXPECT_EQ(rows[0].target, "person-30");
  for (const Row& row : predict({"--node", "person-3"}, "pm")) {
    const int other = std::stoi(row.target.substr(7));
    EXPECT_GT(std::min((other + 57) % 60, (63 - other) % 60), 3) << "a friend already";
  }
}

TEST_F(PredictTest, RecommendsLinksOfNewNodes) {
  folder_.write("new.csv", "id,town,age\neva,rome,31\nada,rome,31\nmax,oslo,64\n");
  folder_.write("known.csv", "max,person-7\nperson-8,max\n");
  const std::vector<Row> rows =
      predict({"--new-nodes", "new.csv", "--new-edges", "known.csv", "--top", "4"}, "pm");
  ASSERT_EQ(rows.size(), 12);
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(rows[i].source, Words({"eva", "ada", "max"}).at(i / 4));
    EXPECT_NE(rows[i].target, rows[i].source);
  }
  const std::vector<Row> all =
      predict({"--new-nodes", "new.csv", "--new-edges", "known.csv", "--top", "100"}, "pm");
  ASSERT_EQ(all.size(), 62 + 62 + 60) << "max has two links";
  std::vector<std::pair<std::string, std::string>> eva;
  std::vector<std::pair<std::string, std::string>> ada;
  for (const Row& row : all) {
    if (row.source != "max" && row.target != "eva" && row.target != "ada") {
      (row.source == "eva" ? eva : ada).emplace_back(row.target, row.logit);
    }
    EXPECT_FALSE(row.source == "max" && (row.target == "person-7" || row.target == "person-8"));
  }
  EXPECT_EQ(eva, ada) << "they have the same age and town";
}

TEST_F(PredictTest, NewNodesDoNotChangeTheOldOnes) {
  folder_.write("new.csv", "id,age,town\neva,31,rome\n");
  folder_.write("pairs.csv", "person-3,person-30\nperson-5,person-6\n");
  EXPECT_EQ(predict({"--pairs", "pairs.csv", "--new-nodes", "new.csv"}, "pm"),
            predict({"--pairs", "pairs.csv"}, "pm"));
  folder_.write("with.csv", "eva,person-30\n");
  EXPECT_EQ(predict({"--pairs", "with.csv", "--new-nodes", "new.csv"}, "pm").size(), 1);
}

TEST_F(PredictTest, TheLabelColumnOfNewNodesIsNoFeature) {
  output(small_train(kPeople, "by-town", {"--label-column", "town", "--quiet"}));
  folder_.write("new.csv", "id,age,town\neva,31,rome\n");
  EXPECT_EQ(predict({"--new-nodes", "new.csv", "--top", "4"}, "by-town").size(), 4);
}

TEST_F(PredictTest, NewNodesOfWhichLessIsKnown) {
  folder_.write("new.csv", "id,age\neva,31\n");
  const ProgramResult result =
      run_program({"predict", "pm", "--new-nodes", "new.csv", "--top", "4"}, here_);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(csv_rows(result.output).size(), 5);
  EXPECT_THAT(result.errors, HasSubstr("the new nodes have no column 'town'"));
  folder_.write("new.csv", "id,age,town\neva,,rome\nada,31,rome\n");
  EXPECT_EQ(predict({"--new-nodes", "new.csv", "--top", "4"}, "pm").size(), 8);
}

TEST_F(PredictTest, NewNodesThatDoNotFit) {
  const auto fault = [&](const std::string& table) {
    folder_.write("new.csv", table);
    return failure({"predict", "pm", "--new-nodes", "new.csv"});
  };
  EXPECT_THAT(fault("id,age,town\neva,31,lima\n"),
              AllOf(HasSubstr("new.csv: 'town=lima' was not in training"),
                    HasSubstr("known are 'town=bern', 'town=oslo', 'town=rome'")));
  EXPECT_THAT(fault("id,age,shoes\neva,31,40\n"),
              HasSubstr("'shoes' was not in training; known are 'age', 'town'"));
  EXPECT_THAT(fault("id,age,town\nperson-4,31,rome\n"),
              HasSubstr("node 'person-4' was in training; new nodes need new ids"));
  folder_.write("new.csv", "id,a,b\n500,1,2\n");
  EXPECT_THAT(failure({"predict", "m", "--new-nodes", "new.csv"}),
              HasSubstr("new.csv: has 2 feature columns, but the model was trained on 12"));
  folder_.write("new.csv", "id,age,town\neva,31,rome\n");
  folder_.write("edges.csv", "eva,person-1\neva,person-99\n");
  EXPECT_THAT(failure({"predict", "pm", "--new-nodes", "new.csv", "--new-edges", "edges.csv"}),
              AllOf(HasSubstr("edges.csv:2: unknown node 'person-99'"), HasSubstr("person-9")));
}

TEST_F(PredictTest, SaysWhatCanBeAsked) {
  EXPECT_THAT(failure({"predict", "m"}, 2),
              AllOf(HasSubstr("nothing asked"), HasSubstr("--pairs FILE")));
  folder_.write("pairs.csv", "1,2\n");
  EXPECT_THAT(failure({"predict", "m", "--pairs", "pairs.csv", "--top", "3"}, 2),
              HasSubstr("--node and --top do not go with it"));
  EXPECT_THAT(failure({"predict", "m", "--top", "3", "--new-edges", "pairs.csv"}, 2),
              HasSubstr("--new-edges goes with --new-nodes"));
  EXPECT_THAT(failure({"predict", "m", "--top", "0"}, 2), HasSubstr("--top: '0' given"));
  EXPECT_THAT(failure({"predict", "m", "--node", "", "--top", "3"}, 2),
              HasSubstr("--node: '' given, expected the id of a node"));
  EXPECT_THAT(failure({"predict", "m", "--top", "3", "--min-probability", "1.5"}, 2),
              HasSubstr("--min-probability: '1.5' given, expected a number from 0 to 1"));
}

}  // namespace
}  // namespace disenlink::testing
