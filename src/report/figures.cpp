#include "report/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "disenlink/model.h"
#include "report/score_tables.h"
#include "report/study.h"

namespace disenlink::detail {
namespace {

using nlohmann::ordered_json;
using Names = std::vector<std::string>;

const char* const kAuc = "AUC, %";

// One line or one colour of bars: a mean and a deviation for each place, null where none.
struct Series {
  explicit Series(std::string title) : name(std::move(title)) {}

  void add(const std::optional<Score>& score) {
    means.push_back(score ? ordered_json(score->mean) : ordered_json(nullptr));
    deviations.push_back(score && score->runs != 1 ? ordered_json(score->deviation)
                                                   : ordered_json(nullptr));
    is_empty &= !score;
  }

  ordered_json json() const { return {{"name", name}, {"mean", means}, {"deviation", deviations}}; }

  std::string name;
  ordered_json means = ordered_json::array();
  ordered_json deviations = ordered_json::array();
  bool is_empty = true;
};

ordered_json protocol_json(const std::string& protocol) {
  return protocol.empty() ? ordered_json(nullptr) : ordered_json(protocol);
}

ordered_json titles_of(const Names& datasets) {
  ordered_json titles = ordered_json::array();
  for (const std::string& dataset : datasets) {
    titles.push_back(title_of_dataset(dataset));
  }
  return titles;
}

class FigureList {
 public:
  void add(ordered_json figure, const std::vector<Series>& series) {
    figure["series"] = ordered_json::array();
    for (const Series& one : series) {
      if (!one.is_empty) {
        figure["series"].push_back(one.json());
      }
    }
    if (!figure["series"].empty()) {
      list_.push_back(std::move(figure));
    }
  }
  void add(ordered_json figure) { list_.push_back(std::move(figure)); }

  ordered_json take() { return std::move(list_); }

 private:
  ordered_json list_ = ordered_json::array();
};

// Datasets on which something was measured: empty groups of bars tell nothing.
Names measured(const Results& results, const std::string& study, const std::string& protocol) {
  Names names = study_datasets(study);
  std::erase_if(names, [&](const std::string& dataset) {
    return std::none_of(results.runs.begin(), results.runs.end(), [&](const ResultRun& run) {
      return run.dataset == dataset && run.protocol == protocol && run.label.empty();
    });
  });
  return names;
}

void add_main_figures(const Results& results, const std::string& protocol, FigureList& list) {
  for (const char* study : {"table2", "table3"}) {
    const Names datasets = measured(results, study, protocol);
    std::vector<Series> series;
    for (const ModelInfo& model : models()) {
      series.emplace_back(std::string(model.title));
      for (const std::string& dataset : datasets) {
        series.back().add(auc_of(results, protocol, std::string(model.name), dataset));
      }
    }
    list.add({{"id", fmt::format("{}-{}", study, protocol)},
              {"title", fmt::format("All methods, protocol {}", protocol)},
              {"caption", "Mean of the splits, with their deviation."},
              {"protocol", protocol},
              {"kind", "bars"},
              {"y", kAuc},
              {"categories", titles_of(datasets)}},
             series);
  }
}

// Where a score of the paper comes from: the same model with and without the leak.
void add_leak_figure(const Results& results, FigureList& list) {
  Names datasets = study_datasets("table2");
  const Names& more = study_datasets("table3");
  datasets.insert(datasets.end(), more.begin(), more.end());
  std::vector<Series> series = {Series("Paper"), Series("Here, published"), Series("Here, strict")};
  for (const std::string& dataset : datasets) {
    series[0].add(auc_of(results, "paper", "disenlink", dataset));
    series[1].add(auc_of(results, "published", "disenlink", dataset));
    series[2].add(auc_of(results, "strict", "disenlink", dataset));
  }
  list.add({{"id", "disenlink-protocols"},
            {"title", "DisenLink with a split that leaks and with one that does not"},
            {"caption", "What remains of a score when no test link can be looked up."},
            {"protocol", nullptr},
            {"kind", "bars"},
            {"y", kAuc},
            {"categories", titles_of(datasets)}},
           series);
}

void add_ablation(const Results& results, const std::string& protocol, FigureList& list) {
  const Names& datasets = study_datasets("ablation");
  const Names titles = {"DisenLink", "without importance", "without selection",
                        "plain reconstruction"};
  const Names labels = study_labels("ablation");
  std::vector<Series> series;
  bool has_variants = false;
  for (size_t i = 0; i < labels.size(); ++i) {
    series.emplace_back(titles[i]);
    for (const std::string& dataset : datasets) {
      series.back().add(auc_of(results, protocol, "disenlink", dataset, labels[i]));
    }
    has_variants |= !labels[i].empty() && !series.back().is_empty;
  }
  if (!has_variants) {
    return;
  }
  list.add({{"id", "ablation-" + protocol},
            {"title", fmt::format("What each part is worth, protocol {}", protocol)},
            {"caption", "DisenLink and its three variants."},
            {"protocol", protocol},
            {"kind", "bars"},
            {"y", kAuc},
            {"categories", titles_of(datasets)}},
           series);
}

void add_sweep(const Results& results, const std::string& study, const std::string& option,
               ordered_json figure, const std::string& protocol, FigureList& list) {
  ordered_json xs = ordered_json::array();
  std::vector<Series> series;
  for (const std::string& label : study_labels(study)) {
    xs.push_back(parse_number<double>(label_value(label, option)).value_or(0));
  }
  for (const std::string& dataset : study_datasets(study)) {
    series.emplace_back(title_of_dataset(dataset));
    for (const std::string& label : study_labels(study)) {
      series.back().add(auc_of(results, protocol, "disenlink", dataset, label));
    }
  }
  figure["id"] = fmt::format("{}-{}", study, protocol);
  figure["protocol"] = protocol_json(protocol);
  figure["kind"] = "curves";
  figure["y"] = kAuc;
  figure["xs"] = std::move(xs);
  list.add(std::move(figure), series);
}

void add_correlations(const Results& results, FigureList& list) {
  for (const ResultRun* run : results.with_correlation()) {
    const CorrelationRecord& record = *run->correlation;
    list.add(
        {{"id", fmt::format("correlation-{}-{}", run->selects() ? "full" : "no-selection",
                            run->protocol)},
         {"title", fmt::format("{}, {}: columns of h, {}", title_of_dataset(run->dataset),
                               run->protocol, run->selects() ? "DisenLink" : "without selection")},
         {"caption", fmt::format("Absolute correlation: {:.3f} within a factor, {:.3f} between "
                                 "factors, block number {:.2f}.",
                                 record.within, record.between, record.block_number())},
         {"protocol", run->protocol},
         {"kind", "heatmap"},
         {"side", record.factors * record.width},
         {"block", record.width},
         {"values", record.values}});
  }
}

// Thinned out to what a picture can show.
void add_training_curves(const Results& results, const std::string& protocol, FigureList& list) {
  constexpr size_t kMostPoints = 200;
  std::vector<const ResultRun*> runs;
  size_t longest = 0;
  for (const ResultRun& run : results.runs) {
    if (run.model == "disenlink" && run.protocol == protocol && run.label.empty() &&
        run.seed == 1 && !run.valid_aucs.empty() &&
        std::none_of(runs.begin(), runs.end(),
                     [&](const ResultRun* other) { return other->dataset == run.dataset; })) {
      runs.push_back(&run);
      longest = std::max(longest, run.valid_aucs.size());
    }
  }
  const size_t step = longest / kMostPoints + 1;
  ordered_json xs = ordered_json::array();
  for (size_t epoch = 0; epoch < longest; epoch += step) {
    xs.push_back(epoch + 1);
  }
  std::vector<Series> series;
  for (const ResultRun* run : runs) {
    series.emplace_back(title_of_dataset(run->dataset));
    for (size_t epoch = 0; epoch < longest; epoch += step) {
      series.back().add(epoch < run->valid_aucs.size()
                            ? std::optional<Score>({100 * run->valid_aucs[epoch], 0, 1})
                            : std::nullopt);
    }
  }
  list.add({{"id", "training-" + protocol},
            {"title", fmt::format("Training of DisenLink, protocol {}", protocol)},
            {"caption", "Validation AUC by epoch, first split of each dataset."},
            {"protocol", protocol},
            {"kind", "curves"},
            {"x", "Epoch"},
            {"y", "validation AUC, %"},
            {"xs", std::move(xs)}},
           series);
}

}  // namespace

ordered_json figures(const Results& results) {
  FigureList list;
  add_leak_figure(results, list);
  for (const std::string protocol : {"strict", "published"}) {
    add_main_figures(results, protocol, list);
    add_ablation(results, protocol, list);
    add_sweep(results, "factors", "factors",
              {{"title", fmt::format("Number of factors, protocol {}", protocol)},
               {"caption", "DisenLink at beta 0.5."},
               {"x", "Factors K"}},
              protocol, list);
    add_sweep(results, "beta", "beta",
              {{"title", fmt::format("Share of a node's own vector, protocol {}", protocol)},
               {"caption", "DisenLink with five factors; 0.01 stands for 0."},
               {"x", "beta"}},
              protocol, list);
  }
  add_correlations(results, list);
  for (const std::string protocol : {"strict", "published"}) {
    add_training_curves(results, protocol, list);
  }
  return list.take();
}

}  // namespace disenlink::detail
