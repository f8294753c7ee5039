// disenlink eval: scores, records, and running a record again.
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

class EvalTest : public ::testing::Test {
 protected:
  json eval(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"eval", "--json", "--quiet"});
    return json::parse(output_of(arguments, here_));
  }

  json record(const std::string& name) {
    return json::parse(slurp(folder_.path() / "runs" / name));
  }

  TemporaryFolder folder_;
  RunOptions here_ = {.folder = folder_.path()};
};

void expect_metrics(const json& metrics) {
  for (const char* key : {"auc", "ap", "mrr"}) {
    EXPECT_GE(metrics.at(key).get<double>(), 0) << key;
    EXPECT_LE(metrics.at(key).get<double>(), 1) << key;
  }
  for (const char* at : {"1", "3", "10", "20", "50", "100"}) {
    EXPECT_TRUE(metrics.at("hits").contains(at)) << at;
  }
}

// Runs differ in time and memory, and in nothing else.
json without_costs(json run) {
  run.erase("seconds");
  run.erase("peak_memory_bytes");
  return run;
}

TEST_F(EvalTest, GivesMeanDeviationAndRuns) {
  const json result = eval({"--dataset", "example", "--model", "cn", "--runs", "3", "--seed", "5"});
  EXPECT_EQ(result.at("model"), "cn");
  EXPECT_EQ(result.at("dataset"), "example");
  EXPECT_EQ(result.at("protocol"), "strict");
  expect_metrics(result.at("mean"));
  expect_metrics(result.at("std"));
  ASSERT_EQ(result.at("runs").size(), 3);
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const json& run = result.at("runs").at(i);
    EXPECT_EQ(run.at("seed"), 5 + i);
    expect_metrics(run.at("test"));
    expect_metrics(run.at("valid"));
    sum += run.at("test").at("auc").get<double>();
  }
  EXPECT_NEAR(result.at("mean").at("auc").get<double>(), sum / 3, 1e-12);
  EXPECT_GT(result.at("mean").at("auc").get<double>(), 0.53) << "links share neighbours here";
  EXPECT_GT(result.at("std").at("auc").get<double>(), 0);
}

TEST_F(EvalTest, WritesRecords) {
  const json result = eval({"--dataset", "example", "--runs", "2"});
  EXPECT_THAT(names_in(folder_.path() / "runs"),
              ElementsAre("aa-example-strict-seed1.json", "aa-example-strict-seed2.json"));
  const json first = record("aa-example-strict-seed1.json");
  EXPECT_EQ(first, result.at("runs").at(0));
  for (const char* key :
       {"model", "dataset", "protocol", "seed", "options", "graph_fingerprint", "audit", "ranking",
        "test", "valid", "seconds", "peak_memory_bytes", "versions"}) {
    EXPECT_TRUE(first.contains(key)) << key;
  }
  EXPECT_GT(first.at("peak_memory_bytes").get<int64_t>(), 1 << 20);
  EXPECT_TRUE(first.at("versions").contains("disenlink"));
  EXPECT_FALSE(first.at("audit").at("leaks").get<bool>());
}

TEST_F(EvalTest, TextSaysWhatWasMeasured) {
  const ProgramResult result =
      run_program({"eval", "--dataset", "example", "--protocol", "published"}, here_);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, AllOf(HasSubstr("aa on example, protocol published, 1 run"),
                                   HasSubstr("auc"), HasSubstr("mrr")));
  EXPECT_THAT(result.errors, HasSubstr("seed 1: AUC"));
  EXPECT_EQ(run_program({"eval", "--dataset", "example", "--quiet"}, here_).errors, "");
}

TEST_F(EvalTest, ThreadsDoNotChangeTheResult) {
  const json one = eval({"--dataset", "example", "--threads", "1"});
  const json two = eval({"--dataset", "example", "--threads", "2"});
  EXPECT_EQ(without_costs(one.at("runs").at(0)), without_costs(two.at("runs").at(0)));
}

TEST_F(EvalTest, ReadsOptionsFromAFileAndFlagsComeFirst) {
  folder_.write("run.conf", "# two runs\ndataset = example\nmodel = cn\nruns = 2\nseed = 9\n");
  const json result = eval({"--config", "run.conf", "--runs", "1"});
  EXPECT_EQ(result.at("model"), "cn");
  ASSERT_EQ(result.at("runs").size(), 1);
  EXPECT_EQ(result.at("runs").at(0).at("seed"), 9);
  folder_.write("run.json", R"({"dataset": "example", "model": "cn", "seed": 9})");
  EXPECT_EQ(eval({"--config", "run.json"}).at("mean"), result.at("mean"));
}

TEST_F(EvalTest, ARecordRunsAgain) {
  const json result = eval({"--dataset", "example", "--model", "cn", "--runs", "2", "--seed", "4",
                            "--negatives", "2", "--ranking", "per-positive"});
  fs::copy(folder_.path() / "runs" / "cn-example-strict-seed5.json", folder_.path() / "again.json");
  const json again = eval({"--config", "again.json", "--out", "other"});
  ASSERT_EQ(again.at("runs").size(), 1);
  EXPECT_EQ(without_costs(again.at("runs").at(0)), without_costs(result.at("runs").at(1)));
  EXPECT_THAT(names_in(folder_.path() / "other"), ElementsAre("cn-example-strict-seed5.json"));
}

TEST_F(EvalTest, ScoresASplitFromFiles) {
  output_of({"data", "split", "example", "s", "--seed", "6", "--quiet"}, here_);
  const json made = eval({"--dataset", "example", "--seed", "6"});
  const json read = eval({"--dataset", "example", "--split", "s"});
  EXPECT_EQ(read.at("mean"), made.at("mean"));
  EXPECT_EQ(read.at("runs").at(0).at("seed"), 6);
  fs::remove(folder_.path() / "s/split.json");
  const json foreign = eval({"--dataset", "example", "--split", "s"});
  EXPECT_EQ(foreign.at("protocol"), "foreign");
  EXPECT_EQ(foreign.at("mean"), made.at("mean"));
}

TEST_F(EvalTest, ASplitWithoutTestNegativesIsAnError) {
  output_of({"data", "split", "example", "s", "--quiet"}, here_);
  fs::remove(folder_.path() / "s/test_neg.txt");
  EXPECT_THAT(failure_of({"eval", "--dataset", "example", "--split", "s", "--quiet"}, 1, here_),
              HasSubstr("test_neg.txt"));
  EXPECT_FALSE(fs::exists(folder_.path() / "runs"));
}

TEST_F(EvalTest, TakesFilesWithStringNames) {
  std::string edges = "from,to\n";
  std::string nodes = "id,age\n";
  for (int i = 0; i < 60; ++i) {
    const std::string name = "person " + std::to_string(i);
    nodes += name + "," + std::to_string(20 + i) + "\n";
    edges += name + ",person " + std::to_string((i + 1) % 60) + "\n";
    edges += name + ",person " + std::to_string((i + 2) % 60) + "\n";
  }
  folder_.write("friends.csv", edges);
  folder_.write("people.csv", nodes);
  const json result = eval({"--edges", "friends.csv", "--nodes", "people.csv"});
  EXPECT_EQ(result.at("dataset"), "friends");
  EXPECT_GT(result.at("mean").at("auc").get<double>(), 0.7) << "a ring of triangles";
  EXPECT_THAT(names_in(folder_.path() / "runs"), ElementsAre("aa-friends-strict-seed1.json"));
}

TEST_F(EvalTest, FaultsOfAConfigNameFileAndLine) {
  const auto fault = [&](const std::string& content, int exit_code = 2) {
    folder_.write("c", content);
    return failure_of({"eval", "--config", "c"}, exit_code, here_);
  };
  EXPECT_THAT(fault("dataset = example\nspeed = 3\n"),
              AllOf(HasSubstr("c:2: unknown option 'speed'"), HasSubstr("expected one of: ")));
  EXPECT_THAT(fault("runs = many\n"), HasSubstr("c:1: 'many' given, expected a whole number"));
  EXPECT_THAT(fault("model = gpt\n"),
              HasSubstr("c:1: 'gpt' given (did you mean 'gat'?), expected one of: "));
  EXPECT_THAT(fault("runs\n", 1), HasSubstr("c:1: 'runs' found, expected 'name = value'"));
  EXPECT_THAT(fault("{\"runs\": ", 1), HasSubstr("c: is not valid JSON"));
  EXPECT_THAT(fault(R"({"runs": [1]})"), HasSubstr("c: option 'runs': '[1]' given"));
  EXPECT_THAT(fault(R"({"dataset": null})"), HasSubstr("c: option 'dataset': 'null' given"));
  EXPECT_THAT(fault(R"({"options": 3})", 1), HasSubstr("c: \"options\" is '3'"));
  EXPECT_THAT(fault("", 1), HasSubstr("c: is empty"));
  EXPECT_THAT(failure_of({"eval", "--config", "absent"}, 1, here_),
              HasSubstr("absent: no such file"));
}

TEST_F(EvalTest, RecordsTheCorrelationOfTheFactors) {
  output_of({"eval", "--model", "disenlink", "--dataset", "example", "--epochs", "2", "--factors",
             "2", "--embed", "3", "--hidden", "4", "--correlation", "--quiet"},
            here_);
  const json written = record("disenlink-example-strict-seed1.json");
  const json& correlation = written.at("correlation");
  EXPECT_EQ(correlation.at("factors"), 2);
  EXPECT_EQ(correlation.at("width"), 3);
  ASSERT_EQ(correlation.at("values").size(), 36);
  EXPECT_EQ(correlation.at("values")[7], 1) << "a column with itself";
  EXPECT_EQ(correlation.at("values")[1], correlation.at("values")[6]);
  EXPECT_THAT(
      failure_of({"eval", "--model", "cn", "--dataset", "example", "--correlation"}, 1, here_),
      HasSubstr("factors"));
}

}  // namespace
}  // namespace disenlink::testing
