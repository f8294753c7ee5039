// disenlink reproduce on a small stand-in for the real data.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "test_files.h"

namespace disenlink::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

// data/texas: a ring of 60 pages with a few words each, in the form of the real one.
class ReproduceTest : public ::testing::Test {
 protected:
  ReproduceTest() {
    std::string nodes = "node_id\tfeature\tlabel\n";
    std::string edges = "node_id\tnode_id\n";
    for (int node = 0; node < 60; ++node) {
      nodes +=
          fmt::format("{}\t{},{},{},1\t{}\n", node, node % 2, node / 30, node % 3 / 2, node % 5);
      edges += fmt::format("{}\t{}\n{}\t{}\n", node, (node + 1) % 60, node, (node + 2) % 60);
    }
    folder_.write("data/texas/out1_node_feature_label.txt", nodes);
    folder_.write("data/texas/out1_graph_edges.txt", edges);
  }

  Words reproduce(const Words& more) const {
    Words words = {"reproduce", "table2", "--datasets", "texas",  "--models",
                   "cn,vgae",   "--data", "data",       "--quiet"};
    if (std::find(more.begin(), more.end(), "--runs") == more.end()) {
      words.insert(words.end(), {"--runs", "2"});
    }
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  json counts(const Words& more = {}) const {
    Words words = reproduce(more);
    words.push_back("--json");
    return json::parse(output_of(words, here_));
  }

  TemporaryFolder folder_;
  RunOptions here_ = {.folder = folder_.path()};
};

TEST_F(ReproduceTest, RunsWhatHasNoRecordYet) {
  EXPECT_EQ(counts({"--plan"}).at("ran"), 0);
  const json first = counts();
  EXPECT_EQ(first.at("planned"), 4);
  EXPECT_EQ(first.at("ran"), 4);
  const json record = json::parse(slurp(folder_.path() / "results/vgae-texas-strict-seed2.json"));
  EXPECT_EQ(record.at("seed"), 2);
  EXPECT_EQ(record.at("protocol"), "strict");
  std::filesystem::remove(folder_.path() / "results/cn-texas-strict-seed1.json");
  const json second = counts();
  EXPECT_EQ(second.at("had_record"), 3);
  EXPECT_EQ(second.at("ran"), 1);
  EXPECT_THAT(output_of(reproduce({}), here_), HasSubstr("4 of 4 runs have a record, 0 of them"));
}

TEST_F(ReproduceTest, PublishedRunsHaveThePreset) {
  counts({"--protocol", "published"});
  const json record =
      json::parse(slurp(folder_.path() / "results/vgae-texas-published-seed1.json"));
  EXPECT_EQ(record.at("options").at("message-graph"), "one-direction");
}

TEST_F(ReproduceTest, DoesNotCountWhatIsNoRecordOfTheRun) {
  folder_.write("results/cn-texas-strict-seed1.json", "{\"model\": ");
  folder_.write("results/cn-texas-strict-seed2.json",
                R"({"model": "aa", "dataset": "texas", "protocol": "strict", "seed": 2})");
  Words words = reproduce({"--json"});
  std::erase(words, "--quiet");
  const auto result = run_program(words, here_);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(json::parse(result.output).at("unusable"), 2);
  EXPECT_EQ(json::parse(result.output).at("ran"), 2);
  EXPECT_THAT(result.errors,
              AllOf(HasSubstr("cn-texas-strict-seed1.json: is no run record and is not counted"),
                    HasSubstr("cn-texas-strict-seed2.json: is the record of another run")));
  EXPECT_EQ(slurp(folder_.path() / "results/cn-texas-strict-seed1.json"), "{\"model\": ");
}

TEST_F(ReproduceTest, StopsAtItsBudgetAndGoesOnLater) {
  const json first = counts({"--budget", "0.01", "--jobs", "1", "--runs", "40"});
  EXPECT_GT(first.at("left").get<int>(), 0);
  EXPECT_EQ(first.at("ran").get<int>() + first.at("left").get<int>(), 80);
  const json second = counts({"--plan", "--runs", "40"});
  EXPECT_EQ(second.at("had_record"), first.at("ran"));
}

TEST_F(ReproduceTest, AFailedRunDoesNotStopTheOthers) {
  Words words = {"reproduce", "table2", "--datasets", "texas,wisconsin", "--models", "cn", "--runs",
                 "1",         "--data", "data",       "--json"};
  const auto result = run_program(words, here_);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(json::parse(result.output).at("ran"), 1);
  EXPECT_EQ(json::parse(result.output).at("failed"), 1);
  EXPECT_THAT(result.errors,
              AllOf(HasSubstr("cn wisconsin seed 1: failed: disenlink: "), HasSubstr("wisconsin")));
}

TEST_F(ReproduceTest, Table1IsMeasuredOnce) {
  const Words words = {"reproduce", "table1", "--data", "data", "--quiet", "--json"};
  EXPECT_EQ(json::parse(output_of(words, here_)).at("ran"), 1);
  const json facts = json::parse(slurp(folder_.path() / "results/datasets.json"));
  ASSERT_EQ(facts.size(), 1) << "only Texas is here";
  EXPECT_EQ(facts[0].at("nodes"), 60);
  EXPECT_EQ(facts[0].at("paper_nodes"), 183);
  EXPECT_EQ(json::parse(output_of(words, here_)).at("had_record"), 1);
}

TEST_F(ReproduceTest, ARecordWithOtherOptionsIsNotCounted) {
  const Words words = {"reproduce", "ablation", "--datasets", "texas",  "--data", "data",
                       "--runs",    "1",        "--plan",     "--json", "--quiet"};
  const std::string record =
      R"({"model": "disenlink", "dataset": "texas", "protocol": "strict", "seed": 1,
          "options": {"preset": "default", "variant": "VARIANT"}, "test": {"auc": 0.5}})";
  const auto with = [&](const std::string& variant) {
    std::string text = record;
    text.replace(text.find("VARIANT"), 7, variant);
    folder_.write("results/disenlink-texas-strict-seed1-variant=no-selection.json", text);
    return json::parse(output_of(words, here_));
  };
  EXPECT_EQ(with("full").at("unusable"), 1);
  EXPECT_EQ(with("no-selection").at("had_record"), 1);
}

TEST_F(ReproduceTest, OneProcessAtATime) {
  std::filesystem::create_directories(folder_.path() / "results");
  const int held = open((folder_.path() / "results").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(held, LOCK_EX | LOCK_NB), 0);
  EXPECT_THAT(failure_of(reproduce({}), 1, here_),
              HasSubstr("results: another process is at work in this folder"));
  close(held);
  counts();
}

TEST_F(ReproduceTest, WrongRequests) {
  EXPECT_THAT(failure_of({"reproduce"}, 2, here_), HasSubstr("no study given"));
  EXPECT_THAT(failure_of({"reproduce", "table7"}, 2, here_),
              AllOf(HasSubstr("unknown study 'table7'"), HasSubstr("table2")));
  EXPECT_THAT(failure_of({"reproduce", "table2", "--models", "x"}, 2, here_),
              HasSubstr("unknown model 'x'"));
  EXPECT_THAT(failure_of({"reproduce", "table2", "--datasets", "x"}, 2, here_),
              HasSubstr("unknown dataset 'x'"));
  EXPECT_THAT(failure_of({"reproduce", "table2", "--budget", "0"}, 2, here_),
              HasSubstr("--budget: '0' given"));
  EXPECT_THAT(failure_of({"reproduce", "table3", "--datasets", "texas"}, 2, here_),
              HasSubstr("nothing to run"));
  folder_.write("file", "");
  EXPECT_THAT(failure_of(reproduce({"--out", "file"}), 1, here_),
              HasSubstr("file: cannot be used as a folder"));
}

}  // namespace
}  // namespace disenlink::testing
