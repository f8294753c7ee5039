// disenlink train and eval of what it wrote.
#include <gmock/gmock.h>

#include "cli/trained_model.h"

namespace disenlink::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TrainTest : public TrainedModelTest {
 protected:
  json record(const std::string& model) const {
    return json::parse(content(model + "/record.json"));
  }
};

void expect_metrics(const json& metrics) {
  for (const char* key : {"auc", "ap", "mrr"}) {
    EXPECT_GT(metrics.at(key).get<double>(), 0) << key;
    EXPECT_LE(metrics.at(key).get<double>(), 1) << key;
  }
  for (const char* at : {"1", "3", "10", "20", "50", "100"}) {
    EXPECT_TRUE(metrics.at("hits").contains(at)) << at;
  }
}

TEST_F(TrainTest, WritesModelRecordAndSplit) {
  EXPECT_THAT(names_in(folder_.path() / "m"),
              ElementsAre("model.safetensors", "record.json", "split"));
  EXPECT_THAT(names_in(folder_.path() / "m/split"),
              ElementsAre("split.json", "test_neg.txt", "test_pos.txt", "train_neg.txt",
                          "train_pos.txt", "valid_neg.txt", "valid_pos.txt"));
  const json run = record("m");
  EXPECT_EQ(run.at("model"), "disenlink");
  EXPECT_EQ(run.at("protocol"), "strict");
  EXPECT_EQ(run.at("seed"), 1);
  EXPECT_EQ(run.at("options").at("factors"), 3);
  EXPECT_EQ(run.at("options").at("lr"), 0.02);
  EXPECT_FALSE(run.at("audit").at("leaks").get<bool>());
  EXPECT_EQ(run.at("epochs"), 8);
  EXPECT_GE(run.at("best_epoch").get<int>(), 1);
  EXPECT_LE(run.at("best_epoch").get<int>(), 8);
  EXPECT_GT(run.at("seconds").get<double>(), 0);
  EXPECT_GT(run.at("peak_memory_bytes").get<int64_t>(), 1 << 20);
  expect_metrics(run.at("test"));
  expect_metrics(run.at("valid"));
}

TEST_F(TrainTest, PrintsWhatItRecords) {
  const json printed = json_output(small_train({"--dataset", "g"}, "new"));
  EXPECT_EQ(printed, record("new"));
  EXPECT_THAT(output(small_train({"--dataset", "g"}, "other")),
              AllOf(HasSubstr("protocol strict, seed 1: best epoch"), HasSubstr("auc"),
                    HasSubstr("model written to other")));
}

TEST_F(TrainTest, EvalGivesTheScoresOfTheRecord) {
  const json scores = json_output({"eval", "m"});
  EXPECT_EQ(scores.at("runs").at(0).at("test"), record("m").at("test"));
  EXPECT_EQ(scores.at("runs").at(0).at("valid"), record("m").at("valid"));
  EXPECT_EQ(scores.at("mean"), record("m").at("test"));
  EXPECT_FALSE(fs::exists(folder_.path() / "runs"));
}

TEST_F(TrainTest, EvalRanksAsTrainingDidUnlessToldOtherwise) {
  output(small_train({"--dataset", "g"}, "own", {"--ranking", "per-positive"}));
  const json own = record("own").at("test");
  EXPECT_EQ(json_output({"eval", "own"}).at("mean"), own);
  const json shared = json_output({"eval", "own", "--ranking", "shared"});
  EXPECT_LT(shared.at("mean").at("mrr").get<double>(), own.at("mrr").get<double>());
  EXPECT_EQ(shared.at("runs").at(0).at("ranking"), "shared");
}

TEST_F(TrainTest, EvalTakesAnotherSplit) {
  output({"data", "split", "g", "other", "--seed", "9"});
  const json run = json_output({"eval", "m", "--split", "other"}).at("runs").at(0);
  EXPECT_EQ(run.at("seed"), 9);
  EXPECT_NE(run.at("test"), record("m").at("test"));
  EXPECT_EQ(json_output({"eval", "m", "--split", "m/split"}).at("mean"), record("m").at("test"));
  fs::remove(folder_.path() / "other/test_neg.txt");
  EXPECT_THAT(failure({"eval", "m", "--split", "other"}), HasSubstr("test_neg.txt"));
}

TEST_F(TrainTest, EvalRefusesOptionsThatTheModelHasAlready) {
  EXPECT_THAT(failure({"eval", "m", "--seed", "3"}, 2),
              HasSubstr("option 'seed' does not go with a trained model"));
  EXPECT_THAT(failure({"eval", "m", "--dataset", "g"}, 2), HasSubstr("option 'dataset'"));
}

TEST_F(TrainTest, LogsEveryEpochOnRequest) {
  output(small_train({"--dataset", "g"}, "new", {"--epoch-log", "new/log/epochs.jsonl"}));
  std::istringstream lines(content("new/log/epochs.jsonl"));
  int epoch = 0;
  for (std::string line; std::getline(lines, line);) {
    const json report = json::parse(line);
    EXPECT_EQ(report.at("epoch"), ++epoch);
    EXPECT_GT(report.at("loss").get<double>(), 0);
    // Records keep four digits of a curve.
    EXPECT_NEAR(report.at("valid_auc").get<double>(),
                record("new").at("curve").at("valid_auc").at(epoch - 1).get<double>(), 0.50001e-4);
  }
  EXPECT_EQ(epoch, 8);
}

TEST_F(TrainTest, EqualSeedEqualBits) {
  const std::string first = content("m/model.safetensors");
  // The dataset's path is part of a model, so the graph must be named as it was.
  const std::string graph = record("m").at("options").at("dataset");
  for (const char* threads : {"1", "2"}) {
    output(small_train({"--dataset", graph}, threads, {"--threads", threads}));
    EXPECT_EQ(content(std::string(threads) + "/model.safetensors"), first) << threads;
  }
  output({"train", "--config", "m/record.json", "--out", "again"});
  EXPECT_EQ(content("again/model.safetensors"), first) << "a record trains again";
  output(small_train({"--dataset", graph}, "other", {"--seed", "2"}));
  EXPECT_NE(content("other/model.safetensors"), first);
}

TEST_F(TrainTest, AModelScoredOnAnotherSplitMayHaveLearntItsLinks) {
  output({"data", "split", "g", "other", "--seed", "2"});
  const json scored = json_output({"eval", "m", "--split", "other"});
  const json& audit = scored.at("runs").at(0).at("audit");
  EXPECT_TRUE(audit.at("leaks").get<bool>());
  EXPECT_GT(audit.at("leaked_share").get<double>(), 0.7) << "most are training links of seed 1";
  EXPECT_THAT(output({"eval", "m", "--split", "other"}), HasSubstr("or were learnt"));
  EXPECT_THAT(output({"eval", "m"}), HasSubstr("the split does not leak"));
  // In the place of its own it would not be noticed.
  fs::remove_all(folder_.path() / "m/split");
  fs::rename(folder_.path() / "other", folder_.path() / "m/split");
  EXPECT_THAT(failure({"eval", "m"}),
              HasSubstr("m/split: is not the split that the model was trained on"));
}

TEST_F(TrainTest, ASplitFromFilesIsTakenAsItIs) {
  output({"data", "split", "g", "s", "--seed", "6", "--protocol", "published"});
  for (const Words& more : {Words{"--protocol", "published"}, Words{"--valid-share", "0.1"},
                            Words{"--test-share", "0.2"}, Words{"--uniform-negatives"}}) {
    EXPECT_THAT(failure(small_train({"--dataset", "g", "--split", "s"}, "new", more), 2),
                HasSubstr(more.front() + " does not go with --split"));
  }
  EXPECT_THAT(failure({"eval", "--dataset", "g", "--split", "s", "--runs", "2"}, 2),
              HasSubstr("--runs does not go with --split"));
  output(small_train({"--dataset", "g", "--split", "s"}, "six"));
  EXPECT_EQ(record("six").at("seed"), 6);
  EXPECT_EQ(record("six").at("protocol"), "published");
  EXPECT_FALSE(record("six").at("options").contains("protocol"));
  output(small_train({"--dataset", "g", "--seed", "6", "--protocol", "published"}, "made"));
  EXPECT_EQ(record("made").at("test"), record("six").at("test"));
  output(small_train({"--dataset", "g", "--split", "s", "--seed", "7"}, "seven"));
  EXPECT_EQ(record("seven").at("seed"), 7);
  EXPECT_NE(record("seven").at("test"), record("six").at("test"));
  EXPECT_EQ(json_output({"eval", "seven"}).at("mean"), record("seven").at("test"));
}

TEST_F(TrainTest, ReplacesAModelOnlyWhenTold) {
  const std::string first = content("m/model.safetensors");
  folder_.write("m/notes.txt", "mine");
  EXPECT_THAT(failure(small_train({"--dataset", "g"}, "m", {"--seed", "2"})),
              AllOf(HasSubstr("m holds a trained model already"), HasSubstr("--force")));
  EXPECT_EQ(content("m/model.safetensors"), first);
  output(small_train({"--dataset", "g"}, "m", {"--seed", "2", "--force"}));
  EXPECT_NE(content("m/model.safetensors"), first);
  EXPECT_EQ(json_output({"eval", "m"}).at("mean"), record("m").at("test"));
  EXPECT_THAT(names_in(folder_.path() / "m"),
              ElementsAre("model.safetensors", "notes.txt", "record.json", "split"));
}

}  // namespace
}  // namespace disenlink::testing
