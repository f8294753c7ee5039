#include "report/study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "core/fail.h"
#include "disenlink/datasets.h"
#include "disenlink/model.h"
#include "report/record.h"

namespace disenlink::detail {
namespace {

using Names = std::vector<std::string>;

const Names kHeterophilic = {"texas",     "wisconsin",       "chameleon",   "chameleon-128",
                             "squirrel",  "crocodile",       "twitch-engb", "twitch-de",
                             "amherst41", "johns-hopkins55", "arxiv-year"};
const Names kHomophilic = {"cora", "citeseer", "photo"};

// What a study changes, and on which datasets.
struct Variation {
  std::map<std::string, std::string> options;
  std::string label;
};

struct Study {
  std::string name;
  Names datasets;
  bool all_models;  // else DisenLink alone
  std::vector<Variation> variations;
};

std::vector<Variation> variants() {
  std::vector<Variation> result = {{{}, ""}};
  for (const std::string name : {"no-importance", "no-selection", "plain-score"}) {
    result.push_back({{{"variant", name}}, "variant=" + name});
  }
  return result;
}

std::vector<Variation> factor_counts() {
  std::vector<Variation> result;
  for (int factors = 1; factors <= 10; ++factors) {
    result.push_back({{{"factors", std::to_string(factors)}, {"beta", "0.5"}},
                      fmt::format("factors={},beta=0.5", factors)});
  }
  return result;
}

// The model has no beta 0, where a node would forget its own vector; 0.01 stands for it.
std::vector<Variation> betas() {
  std::vector<Variation> result;
  for (const char* beta :
       {"0.01", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"}) {
    result.push_back({{{"beta", beta}, {"factors", "5"}}, fmt::format("factors=5,beta={}", beta)});
  }
  return result;
}

const std::vector<Study>& studies() {
  static const std::vector<Study> all = {
      {"table2", kHeterophilic, true, {{{}, ""}}},
      {"table3", kHomophilic, true, {{{}, ""}}},
      {"ablation", {"texas", "wisconsin", "cora", "chameleon", "twitch-engb"}, false, variants()},
      {"factors", {"cora", "twitch-engb"}, false, factor_counts()},
      {"beta", {"cora", "arxiv-year", "twitch-engb"}, false, betas()},
  };
  return all;
}

const Study& find_study(const std::string& name) {
  for (const Study& study : studies()) {
    if (study.name == name) {
      return study;
    }
  }
  fail_usage("unknown study '{}', expected one of: {}, all", name, fmt::join(study_names(), ", "));
}

bool is_wanted(const Names& wanted, const std::string& name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

// A dataset of several samples has another one in each run.
StudyCell cell_of(const std::string& model, const Dataset& dataset, int64_t run,
                  const Variation& variation, const std::string& protocol) {
  StudyCell cell{model,
                 std::string(dataset.name),
                 protocol,
                 static_cast<uint64_t>(run),
                 variation.options,
                 variation.label};
  if (!dataset.samples.empty()) {
    const auto samples = static_cast<int64_t>(dataset.samples.size());
    cell.dataset = dataset.samples[(run - 1) % samples];
    cell.seed = static_cast<uint64_t>((run - 1) / samples + 1);
  }
  return cell;
}

void add_cells(const Study& study, const StudyRequest& request, std::vector<StudyCell>& cells) {
  for (const ModelInfo& model : models()) {
    const std::string name(model.name);
    if (!is_wanted(request.models, name) || (!study.all_models && name != "disenlink")) {
      continue;
    }
    for (const std::string& dataset : study.datasets) {
      for (int64_t run = 1; run <= request.runs && is_wanted(request.datasets, dataset); ++run) {
        for (const Variation& variation : study.variations) {
          cells.push_back(cell_of(name, find_dataset(dataset), run, variation, request.protocol));
        }
      }
    }
  }
}

// Seconds of one thread per thousand links, from runs on Cora.
double unit_cost(const std::string& model) {
  static const std::map<std::string, double> costs = {
      {"cn", 0.01},   {"aa", 0.01}, {"disenlink", 6}, {"seal", 40},
      {"vgae", 1},    {"argva", 4}, {"gpr-gnn", 1.5}, {"fagcn", 4},
      {"linkx", 1.2}, {"gat", 8},   {"disengcn", 10}, {"factorgnn", 5}};
  const auto found = costs.find(model);
  return found == costs.end() ? 5 : found->second;
}

}  // namespace

const Names& study_names() {
  static const Names names = [] {
    Names list;
    for (const Study& study : studies()) {
      list.push_back(study.name);
    }
    return list;
  }();
  return names;
}

double estimated_seconds(const StudyCell& cell) {
  const Dataset& dataset = find_dataset(cell.dataset.substr(0, cell.dataset.find('/')));
  const double links = dataset.paper ? static_cast<double>(dataset.paper->edges) : 10'000;
  return 1 + unit_cost(cell.model) * links / 1000;
}

std::vector<StudyCell> plan_study(const StudyRequest& request) {
  for (const std::string& dataset : request.datasets) {
    find_dataset(dataset);
  }
  for (const std::string& model : request.models) {
    find_model(model);
  }
  std::vector<StudyCell> cells;
  for (const std::string& name : request.studies) {
    for (const std::string& study : name == "all" ? study_names() : Names{name}) {
      add_cells(find_study(study), request, cells);
    }
  }
  std::set<std::string> seen;
  std::erase_if(cells, [&](const StudyCell& cell) {
    return !seen.insert(record_path(cell, {}).string()).second;
  });
  std::stable_sort(cells.begin(), cells.end(), [](const StudyCell& a, const StudyCell& b) {
    return estimated_seconds(a) < estimated_seconds(b);
  });
  return cells;
}

std::filesystem::path record_path(const StudyCell& cell, const std::filesystem::path& folder) {
  RunRecord record;
  record.model = cell.model;
  record.dataset = cell.dataset;
  record.protocol = cell.protocol;
  record.seed = cell.seed;
  record.label = cell.label;
  return record_path(record, folder);
}

}  // namespace disenlink::detail
