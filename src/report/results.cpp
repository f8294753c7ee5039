#include "report/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/fail.h"
#include "core/input_file.h"
#include "core/json_text.h"
#include "core/options.h"
#include "core/text.h"
#include "disenlink/split.h"
#include "models/factory.h"
#include "report/record.h"
#include "report/study.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

double share(const json& value) {
  const auto number = value.get<double>();
  if (!(number >= 0 && number <= 1)) {
    fail("a share of {} is not between 0 and 1", number);
  }
  return number;
}

Metrics metrics_of(const json& test) {
  Metrics metrics;
  metrics.auc = share(test.at("auc"));
  metrics.ap = share(test.at("ap"));
  metrics.mrr = share(test.at("mrr"));
  for (size_t i = 0; i < kHitsAt.size(); ++i) {
    metrics.hits[i] = share(test.at("hits").at(std::to_string(kHitsAt[i])));
  }
  return metrics;
}

CorrelationRecord correlation_of(const json& record) {
  CorrelationRecord result;
  result.factors = record.at("factors").get<int64_t>();
  result.width = record.at("width").get<int64_t>();
  result.within = share(record.at("within"));
  result.between = share(record.at("between"));
  result.values = record.at("values").get<std::vector<double>>();
  const int64_t side = result.factors * result.width;
  if (result.factors < 1 || result.width < 1 || side > 10'000 ||
      static_cast<int64_t>(result.values.size()) != side * side) {
    fail("the correlation has {} values, expected ({} x {}) squared", result.values.size(),
         result.factors, result.width);
  }
  return result;
}

// The options of a study are part of its label: "factors=5,beta=0.5".
bool has_option(const json& options, const std::string& name, const std::string& wanted) {
  const json value = options.value(name, json());
  if (value.is_string()) {
    return value == wanted;
  }
  if (value.is_boolean()) {
    return value == (wanted == "true");
  }
  const auto number = parse_number<double>(wanted);
  return value.is_number() && number && std::abs(value.get<double>() - *number) < 1e-12;
}

std::string label_in(const fs::path& path, const ResultRun& run, const std::string& dataset) {
  RunRecord plain;
  plain.model = run.model;
  plain.dataset = dataset;
  plain.protocol = run.protocol;
  plain.seed = run.seed;
  const std::string expected = record_path(plain, {}).stem().string();
  const std::string found = path.stem().string();
  if (found == expected) {
    return "";
  }
  if (!found.starts_with(expected + "-")) {
    fail("holds the record of another run, {}", expected);
  }
  return found.substr(expected.size() + 1);
}

// A method's options, as it ships.
json shipped_options(ModelFactory& factory) {
  OptionTable table;
  factory.add_options(table);
  json shipped = table.recorded();
  if (factory.learns()) {
    const TrainOptions train = factory.train_defaults();
    shipped.update({{"epochs", train.epochs},
                    {"patience", train.patience},
                    {"lr", train.learning_rate},
                    {"weight-decay", train.weight_decay}});
  }
  return shipped;
}

// What the study sets, else what the preset sets, else as the method ships. An option that a record
// does not have was not there yet when it was made.
bool has_expected_options(const json& options, const StudyCell& cell) {
  const auto factory = find_model(cell.model).factory();
  const ModelOptions preset = factory->preset_options(preset_of(cell), cell.dataset);
  const auto is_as_set = [&](const auto& option) {
    return has_option(options, option.first, option.second);
  };
  const auto is_as_preset = [&](const auto& option) {
    return cell.options.contains(option.first) || !options.contains(option.first) ||
           is_as_set(option);
  };
  const json shipped = shipped_options(*factory);
  for (const auto& [name, value] : shipped.items()) {
    const bool is_set = cell.options.contains(name) || preset.contains(name);
    if (!is_set && options.value(name, value) != value) {
      return false;
    }
  }
  return std::all_of(cell.options.begin(), cell.options.end(), is_as_set) &&
         std::all_of(preset.begin(), preset.end(), is_as_preset);
}

// A study splits all graphs alike.
bool has_usual_split(const json& options) {
  const SplitOptions usual;
  return options.value("valid-share", usual.valid_share) == usual.valid_share &&
         options.value("test-share", usual.test_share) == usual.test_share &&
         options.value("negatives", usual.negatives) == usual.negatives &&
         options.value("uniform-negatives", usual.uniform_negatives) == usual.uniform_negatives &&
         options.value("split", "").empty();
}

void read_record(const fs::path& path, Results& results) {
  const json record = json::parse(read_whole_file(path));
  ResultRun run = result_run(record);
  const auto dataset = record.at("dataset").get<std::string>();
  run.label = label_in(path, run, dataset);
  const StudyCell cell = cell_of_record(run.model, dataset, run.protocol, run.seed, run.label);
  if (!is_record_of(record, cell)) {
    fail("was run with other options than its study asks for");
  }
  results.runs.push_back(std::move(run));
}

}  // namespace

ResultRun result_run(const json& record) {
  ResultRun run;
  run.model = record.at("model").get<std::string>();
  const auto dataset = record.at("dataset").get<std::string>();
  run.dataset = dataset.substr(0, dataset.find('/'));
  run.protocol = record.at("protocol").get<std::string>();
  run.seed = record.at("seed").get<uint64_t>();
  run.test = metrics_of(record.at("test"));
  run.leaked_share = share(record.at("audit").at("leaked_share"));
  run.seconds = record.at("seconds").get<double>();
  if (record.contains("curve")) {
    run.valid_aucs = record.at("curve").at("valid_auc").get<std::vector<double>>();
  }
  if (record.contains("correlation")) {
    run.correlation = correlation_of(record.at("correlation"));
  }
  return run;
}

bool is_record_of(const json& record, const StudyCell& cell) {
  if (record.at("model") != cell.model || record.at("dataset") != cell.dataset ||
      record.at("protocol") != cell.protocol || record.at("seed") != cell.seed) {
    return false;
  }
  const json& options = record.at("options");
  return record.at("test").at("auc").is_number() && has_usual_split(options) &&
         options.value("preset", preset_of(cell)) == preset_of(cell) &&
         has_expected_options(options, cell);
}

MetricSummary ResultGroup::summary() const {
  std::vector<Metrics> scores;
  std::transform(runs.begin(), runs.end(), std::back_inserter(scores),
                 [](const ResultRun& run) { return run.test; });
  return summarize(scores);
}

double ResultGroup::leaked_share() const {
  const auto add = [](double sum, const ResultRun& run) { return sum + run.leaked_share; };
  return std::accumulate(runs.begin(), runs.end(), 0.0, add) / static_cast<double>(runs.size());
}

double ResultGroup::seconds() const {
  const auto add = [](double sum, const ResultRun& run) { return sum + run.seconds; };
  return std::accumulate(runs.begin(), runs.end(), 0.0, add) / static_cast<double>(runs.size());
}

ResultGroup Results::find(const std::string& model, const std::string& dataset,
                          const std::string& protocol, const std::string& label) const {
  ResultGroup group;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(group.runs), [&](const ResultRun& run) {
    return run.model == model && run.dataset == dataset && run.protocol == protocol &&
           run.label == label;
  });
  return group;
}

bool ResultRun::selects() const { return label_value(label, "variant") != "no-selection"; }

std::vector<const ResultRun*> Results::with_correlation() const {
  std::vector<const ResultRun*> found;
  for (const ResultRun& run : runs) {
    if (run.correlation) {
      found.push_back(&run);
    }
  }
  std::stable_partition(found.begin(), found.end(),
                        [](const ResultRun* run) { return run->selects(); });
  return found;
}

fs::path dataset_facts_path(const fs::path& folder) { return folder / "datasets.json"; }

Results read_results(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    fail_in(folder, "is no folder; `disenlink reproduce` makes one with run records");
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  Results results;
  for (const fs::path& path : files) {
    try {
      if (path == dataset_facts_path(folder)) {
        results.dataset_facts = json::parse(read_whole_file(path));
      } else {
        read_record(path, results);
      }
    } catch (const json::exception& problem) {
      results.warnings.push_back(fmt::format("{}: is no run record and is not counted ({})",
                                             path.string(), json_problem(problem)));
    } catch (const Error& error) {
      results.warnings.push_back(
          fmt::format("{}: {}; it is not counted", path.string(), error.what()));
    }
  }
  return results;
}

}  // namespace disenlink::detail
