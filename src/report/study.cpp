#include "report/study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/fail.h"
#include "core/text.h"
#include "disenlink/datasets.h"
#include "disenlink/model.h"
#include "models/factory.h"
#include "report/record.h"

namespace disenlink::detail {
namespace {

using Names = std::vector<std::string>;

const Names kHeterophilic = {"texas",     "wisconsin",       "chameleon",   "chameleon-128",
                             "squirrel",  "crocodile",       "twitch-engb", "twitch-de",
                             "amherst41", "johns-hopkins55", "arxiv-year"};
const Names kHomophilic = {"cora", "citeseer", "photo"};

// What a study changes is its label, "name=value,name=value".
using Labels = std::vector<std::string>;

struct Study {
  std::string name;
  Names datasets;
  bool all_models;  // else DisenLink alone
  Labels labels;
  int64_t most_runs = std::numeric_limits<int64_t>::max();
};

Labels factor_counts() {
  Labels result;
  for (int factors = 1; factors <= 10; ++factors) {
    result.push_back(fmt::format("factors={},beta=0.5", factors));
  }
  return result;
}

// The model has no beta 0, where a node would forget its own vector; 0.01 stands for it.
Labels betas() {
  Labels result;
  for (const char* beta :
       {"0.01", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"}) {
    result.push_back(fmt::format("factors=5,beta={}", beta));
  }
  return result;
}

const std::vector<Study>& studies() {
  static const std::vector<Study> all = {
      {"table2", kHeterophilic, true, {""}},
      {"table3", kHomophilic, true, {""}},
      {"ablation",
       {"texas", "wisconsin", "cora", "chameleon", "twitch-engb"},
       false,
       {"", "variant=no-importance", "variant=no-selection", "variant=plain-score"}},
      {"factors", {"cora", "twitch-engb"}, false, factor_counts()},
      {"beta", {"cora", "arxiv-year", "twitch-engb"}, false, betas()},
      {"correlation",
       {"chameleon"},
       false,
       {"factors=5,embed=32,correlation=true",
        "factors=5,embed=32,correlation=true,variant=no-selection"},
       1},
  };
  return all;
}

const Study& find_study(const std::string& name) {
  for (const Study& study : studies()) {
    if (study.name == name) {
      return study;
    }
  }
  const std::vector<std::string_view> known(study_names().begin(), study_names().end());
  fail_usage("unknown study '{}'{}, expected one of: {}, {}, all", name, did_you_mean(name, known),
             kDatasetFacts, fmt::join(study_names(), ", "));
}

bool is_wanted(const Names& wanted, const std::string& name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

std::map<std::string, std::string> options_of(const std::string& label) {
  std::map<std::string, std::string> options;
  for (const std::string& part : comma_separated(label)) {
    const size_t equals = part.find('=');
    if (equals == std::string::npos) {
      fail("its label '{}' is none of a study", label);
    }
    options[part.substr(0, equals)] = part.substr(equals + 1);
  }
  return options;
}

// As the paper counts them; a small number where it says nothing.
int64_t links_of(const std::string& dataset) {
  for (const Dataset& known : datasets()) {
    if (known.paper && known.name == dataset.substr(0, dataset.find('/'))) {
      return known.paper->edges / std::max<int64_t>(1, std::ssize(known.samples));
    }
  }
  return 10'000;
}

// Large graphs go on gaining hundredths of a point for thousands of epochs: there, less than a
// twentieth of a point does not renew the patience of any method. Under `published` the authors'
// rules stand.
void add_stop_rule(StudyCell& cell) {
  constexpr int64_t kLarge = 20'000;
  if (cell.protocol == "strict" && links_of(cell.dataset) > kLarge &&
      find_model(cell.model).factory()->learns()) {
    cell.options.emplace("min-gain", "0.0005");
  }
}

struct SplitOfDataset {
  std::string dataset;
  uint64_t seed;
};

// A dataset of several samples has another one in each run, a sample that is asked for by name
// has them all.
std::vector<SplitOfDataset> splits_of(const Dataset& dataset, int64_t runs, const Names& wanted) {
  std::vector<SplitOfDataset> splits;
  const auto add = [&](std::string_view name, int64_t seed) {
    splits.push_back({std::string(name), static_cast<uint64_t>(seed)});
  };
  const auto samples = static_cast<int64_t>(dataset.samples.size());
  for (int64_t run = 0; run < runs && is_wanted(wanted, std::string(dataset.name)); ++run) {
    if (samples == 0) {
      add(dataset.name, run + 1);
    } else {
      add(dataset.samples[run % samples], run / samples + 1);
    }
  }
  for (const std::string_view sample : dataset.samples) {
    for (int64_t run = 0; run < runs && !wanted.empty() && is_wanted(wanted, std::string(sample));
         ++run) {
      add(sample, run + 1);
    }
  }
  return splits;
}

void add_cells(const Study& study, const StudyRequest& request, std::vector<StudyCell>& cells) {
  const int64_t runs = std::min(request.runs, study.most_runs);
  for (const ModelInfo& model : models()) {
    const std::string name(model.name);
    if (!is_wanted(request.models, name) || (!study.all_models && name != "disenlink")) {
      continue;
    }
    for (const std::string& dataset : study.datasets) {
      for (const auto& split : splits_of(find_dataset(dataset), runs, request.datasets)) {
        for (const std::string& label : study.labels) {
          cells.push_back(cell_of_record(name, split.dataset, request.protocol, split.seed, label));
        }
      }
    }
  }
}

// Seconds of one thread per thousand links, from runs on Cora: for models of which no run is known.
double unit_cost(const std::string& model) {
  static const std::map<std::string, double> costs = {
      {"cn", 0.01},   {"aa", 0.01}, {"disenlink", 6}, {"seal", 8},
      {"vgae", 1},    {"argva", 4}, {"gpr-gnn", 1.5}, {"fagcn", 4},
      {"linkx", 1.2}, {"gat", 5},   {"disengcn", 4},  {"factorgnn", 5}};
  const auto found = costs.find(model);
  return found == costs.end() ? 5 : found->second;
}

// The lower of the two in the middle.
double median(std::vector<double> values) {
  const auto middle = values.begin() + (std::ssize(values) - 1) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
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

const Names& study_datasets(const std::string& study) { return find_study(study).datasets; }

Labels study_labels(const std::string& study) { return find_study(study).labels; }

std::string label_value(const std::string& label, const std::string& option) {
  const auto options = options_of(label);
  const auto found = options.find(option);
  return found == options.end() ? "" : found->second;
}

StudyCell cell_of_record(const std::string& model, const std::string& dataset,
                         const std::string& protocol, uint64_t seed, const std::string& label) {
  StudyCell cell{model, dataset, protocol, seed, options_of(label), label};
  add_stop_rule(cell);
  return cell;
}

std::string preset_of(const StudyCell& cell) {
  const bool is_theirs = cell.protocol == "published" && find_model(cell.model).factory()->learns();
  return is_theirs ? "published" : "default";
}

void RunCosts::add(const std::string& model, const std::string& dataset,
                   const std::string& protocol, double seconds) {
  known_[model][protocol][links_of(dataset)].push_back(seconds);
}

const RunCosts::BySize* RunCosts::known_like(const StudyCell& cell) const {
  const auto of_model = known_.find(cell.model);
  if (of_model == known_.end()) {
    return nullptr;
  }
  const auto same_protocol = of_model->second.find(cell.protocol);
  return same_protocol == of_model->second.end() ? &of_model->second.begin()->second
                                                 : &same_protocol->second;
}

double RunCosts::seconds(const StudyCell& cell) const {
  const auto links = static_cast<double>(links_of(cell.dataset));
  const BySize* const known = known_like(cell);
  if (known == nullptr) {
    return 1 + unit_cost(cell.model) * links / 1000;
  }
  const auto distance = [&](const auto& entry) {
    return std::abs(std::log(static_cast<double>(entry.first) / links));
  };
  const auto& [size, runs] =
      *std::min_element(known->begin(), known->end(),
                        [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  return median(runs) * links / static_cast<double>(size);
}

std::vector<StudyCell> plan_study(const StudyRequest& request, const RunCosts& costs) {
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
  std::stable_sort(cells.begin(), cells.end(), [&](const StudyCell& a, const StudyCell& b) {
    return costs.seconds(a) < costs.seconds(b);
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
