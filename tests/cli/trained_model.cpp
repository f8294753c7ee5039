#include "cli/trained_model.h"

#include <sstream>

namespace disenlink::testing {
namespace {

namespace fs = std::filesystem;

void write_people(const TemporaryFolder& folder) {
  constexpr int kCount = 60;
  std::string people = "id,age,town\n";
  std::string friends = "from,to\n";
  for (int i = 0; i < kCount; ++i) {
    const std::string name = "person-" + std::to_string(i);
    people += name + "," + std::to_string(20 + i * 7 % 50) + "," +
              std::vector<std::string>{"bern", "oslo", "rome"}[i % 3] + "\n";
    for (int step = 1; step <= 3; ++step) {
      friends += name + ",person-" + std::to_string((i + step) % kCount) + "\n";
    }
  }
  folder.write("people/people.csv", people);
  folder.write("people/friends.csv", friends);
}

}  // namespace

Words small_train(const Words& graph, const std::string& out, const Words& more) {
  return Words{"train",    "--out", out,    "--factors", "3",        "--embed", "8",
               "--hidden", "16",    "--lr", "0.02",      "--epochs", "8"} +
         graph + more;
}

std::vector<Words> csv_rows(const std::string& text) {
  std::vector<Words> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');) {
      rows.back().push_back(field);
    }
  }
  return rows;
}

void TrainedModelTest::SetUpTestSuite() {
  shared_folder = std::make_unique<TemporaryFolder>();
  fs::permissions(shared_folder->path(), fs::perms::all);  // for tests that run as nobody
  const RunOptions here = {.folder = shared_folder->path()};
  output_of(
      {"data", "generate", "g", "--nodes", "120", "--links", "500", "--factors", "3", "--quiet"},
      here);
  output_of(small_train({"--dataset", "g"}, "m", {"--quiet"}), here);
  write_people(*shared_folder);
  output_of(small_train(kPeople, "pm", {"--quiet"}), here);
}

TrainedModelTest::TrainedModelTest() {
  fs::copy(shared_folder->path(), folder_.path(), fs::copy_options::recursive);
}

}  // namespace disenlink::testing
