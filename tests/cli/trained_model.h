// Small graphs and models trained on them, made once for all tests of a suite.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_program.h"
#include "test_files.h"

namespace disenlink::testing {

using Words = std::vector<std::string>;

inline Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// `train` with a network so small that an epoch takes milliseconds.
Words small_train(const Words& graph, const std::string& out, const Words& more = {});

// Fields of the lines of a csv text without quotes; the header is the first.
std::vector<Words> csv_rows(const std::string& text);

// Every test runs in a folder of its own, where it finds copies that it may damage:
//   g       a generated graph, 120 nodes from 0 to 119, 500 links
//   m       a model of it
//   people  60 people in a ring, each linked with the next three: friends.csv, and people.csv with
//           the columns age and town
//   pm      a model of them
// The models name the graphs they were copied from, which stay as they are.
class TrainedModelTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite();
  static void TearDownTestSuite() { shared_folder.reset(); }

  TrainedModelTest();

  std::string content(const std::string& name) const { return slurp(folder_.path() / name); }
  std::string output(const Words& arguments) const {
    return output_of(arguments + Words{"--quiet"}, here_);
  }
  nlohmann::json json_output(const Words& arguments) const {
    return nlohmann::json::parse(output(arguments + Words{"--json"}));
  }
  std::string failure(const Words& arguments, int exit_code = 1) const {
    return failure_of(arguments + Words{"--quiet"}, exit_code, here_);
  }

  TemporaryFolder folder_;
  RunOptions here_ = {.folder = folder_.path()};

  static inline const Words kPeople = {"--edges", "people/friends.csv", "--nodes",
                                       "people/people.csv"};

 private:
  static inline std::unique_ptr<TemporaryFolder> shared_folder;
};

}  // namespace disenlink::testing
