// How fast a large edge list becomes a graph, measured against `wc -l` on the same cached file.
//
//   edge_list_bench [--rows N] [--nodes N] [--threads N] [--json FILE]
//
// Before it measures, the result is compared with a plain reading of a smaller file.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/fail.h"
#include "core/input_file.h"
#include "core/output_file.h"
#include "data/edge_list.h"
#include "disenlink/random.h"
#include "disenlink/threads.h"
#include "program.h"

namespace disenlink {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kCheckedRows = 300'000;
constexpr int kRepeats = 20;

struct Settings {
  int64_t rows = 10'000'000;
  int64_t nodes = 1'000'000;
  std::filesystem::path json;  // also written there, unless empty
};

struct Step {
  std::string name;
  double seconds = 0;      // the fastest of all repeats
  double cpu_seconds = 0;  // of all threads; tells on a busy machine, where waiting counts as time
};

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(fs::temp_directory_path() / fmt::format("edge-list-{}", getpid())) {
    fs::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write_random_links(const fs::path& path, int64_t rows, int64_t nodes) {
  Random random(1, "edge list benchmark");
  detail::OutputFile file(path);
  fmt::memory_buffer text;
  for (int64_t row = 0; row < rows; ++row) {
    const uint64_t source = random.below(nodes);
    fmt::format_to(std::back_inserter(text), "{},{}\n", source, random.below(nodes));
    if (text.size() > (size_t{1} << 20) || row + 1 == rows) {
      file.write({text.data(), text.size()});
      text.clear();
    }
  }
  file.commit();
}

// The same graph, read the plain way: a stream, a sort, no duplicates.
std::vector<NodePair> plain_pairs(const fs::path& path) {
  std::vector<std::pair<int64_t, int64_t>> rows;
  std::set<int64_t> ids;
  std::ifstream file(path);
  int64_t source = 0;
  int64_t target = 0;
  for (char comma = 0; file >> source >> comma >> target;) {
    rows.emplace_back(source, target);
    ids.insert({source, target});
  }
  const std::vector<int64_t> ascending(ids.begin(), ids.end());
  const auto number = [&](int64_t id) {
    return static_cast<NodeId>(std::lower_bound(ascending.begin(), ascending.end(), id) -
                               ascending.begin());
  };
  std::vector<NodePair> pairs;
  for (const auto& [from, to] : rows) {
    if (from != to) {
      pairs.push_back(unordered({number(from), number(to)}));
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

void check_against_plain_reading(const fs::path& path) {
  const detail::EdgeList list = detail::read_edge_list(path, {});
  if (Adjacency::from_arcs(list.num_nodes, list.arcs).pairs() != plain_pairs(path)) {
    detail::fail_in(path, "is read differently by the library and by the plain reference");
  }
}

double cpu_seconds_so_far() {
  double total = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      total += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    }
  }
  return total;
}

void keep_smaller(double& kept, double value) { kept = kept == 0 ? value : std::min(kept, value); }

template <typename Body>
void time_step(Step& step, Body&& body) {
  const double cpu_before = cpu_seconds_so_far();
  const auto start = std::chrono::steady_clock::now();
  body();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  keep_smaller(step.seconds, spent.count());
  keep_smaller(step.cpu_seconds, cpu_seconds_so_far() - cpu_before);
}

void count_lines(const fs::path& path) {
  const std::string command = fmt::format("wc -l '{}' > /dev/null", path.string());
  if (std::system(command.c_str()) != 0) {
    detail::fail("cannot run: {}", command);
  }
}

void read_bytes(const fs::path& path) {
  detail::InputFile file(path);
  std::vector<char> buffer(size_t{1} << 20);
  while (file.read(buffer) > 0) {
  }
}

// Repeats go round all steps, so that a busy moment of the machine does not hit one alone.
std::vector<Step> measure(const fs::path& path) {
  std::vector<Step> steps = {{"wc -l"}, {"read bytes"}, {"parse and number"}, {"CSR"}, {"total"}};
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    time_step(steps[0], [&] { count_lines(path); });
    time_step(steps[1], [&] { read_bytes(path); });
    std::optional<Graph> graph;  // given back outside of the time taken
    time_step(steps[4], [&] {
      GraphParts parts;
      time_step(steps[2], [&] {
        detail::EdgeList list = detail::read_edge_list(path, {});
        parts.num_nodes = list.num_nodes;
        parts.arcs = std::move(list.arcs);
        parts.names = std::move(list.names);
      });
      time_step(steps[3], [&] { graph.emplace(std::move(parts)); });
    });
  }
  return steps;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void write_json(const Settings& settings, const std::vector<Step>& steps) {
  nlohmann::json record = {{"rows", settings.rows},
                           {"nodes", settings.nodes},
                           {"threads", num_threads()},
                           {"peak_megabytes", peak_megabytes()}};
  for (const Step& step : steps) {
    record["seconds"][step.name] = step.seconds;
    record["cpu_seconds"][step.name] = step.cpu_seconds;
    record["ratio_to_wc"][step.name] = step.seconds / steps[0].seconds;
  }
  bench::write_record(settings.json, record);
}

void print(const Settings& settings, const std::vector<Step>& steps) {
  fmt::print("{} rows over {} nodes, {} threads, fastest of {}\n\n", settings.rows, settings.nodes,
             num_threads(), kRepeats);
  fmt::print("{:<18}{:>10}{:>10}{:>10}\n", "step", "ms", "x wc -l", "cpu ms");
  for (const Step& step : steps) {
    fmt::print("{:<18}{:>10.1f}{:>10.2f}{:>10.1f}\n", step.name, step.seconds * 1e3,
               step.seconds / steps[0].seconds, step.cpu_seconds * 1e3);
  }
  fmt::print("\npeak memory {:.0f} MB\n", peak_megabytes());
}

Settings parse_settings(int count, char** arguments) {
  Settings settings;
  bench::parse_arguments(
      count, arguments,
      {{"--rows", [&](const std::string& text) { settings.rows = bench::positive(text); }},
       {"--nodes", [&](const std::string& text) { settings.nodes = bench::positive(text); }},
       {"--json", [&](const std::string& text) { settings.json = text; }}});
  return settings;
}

void run(const Settings& settings) {
  const TemporaryFolder folder;
  const fs::path small = folder.path() / "small.csv";
  write_random_links(small, kCheckedRows, kCheckedRows / 3);
  check_against_plain_reading(small);
  const fs::path large = folder.path() / "large.csv";
  write_random_links(large, settings.rows, settings.nodes);
  const std::vector<Step> steps = measure(large);
  print(settings, steps);
  write_json(settings, steps);
}

}  // namespace
}  // namespace disenlink

int main(int count, char** arguments) {
  return disenlink::bench::run_program(
      [&] { disenlink::run(disenlink::parse_settings(count, arguments)); });
}
