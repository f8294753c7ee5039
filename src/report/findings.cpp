#include "report/findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "disenlink/model.h"
#include "report/score_tables.h"
#include "report/study.h"

namespace disenlink::detail {
namespace {

using Names = std::vector<std::string>;

Names paper_datasets() {
  Names names = study_datasets("table2");
  const Names& more = study_datasets("table3");
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

// One or two splits tell no tenths of a point apart.
constexpr int64_t kEnoughSplits = 3;

void add_ranking(const Results& results, const std::string& protocol, Names& sentences) {
  Names won;
  Names lost;
  for (const std::string& dataset : paper_datasets()) {
    const auto own = auc_of(results, protocol, "disenlink", dataset);
    const auto rival = best_rival(results, protocol, dataset);
    if (!own || !rival || std::min(own->runs, rival->score.runs) < kEnoughSplits) {
      continue;
    }
    const std::string title = title_of_dataset(dataset);
    if (own->mean > rival->score.mean) {
      won.push_back(
          fmt::format("{} ({:+.1f} over {})", title, own->mean - rival->score.mean, rival->title));
    } else {
      lost.push_back(fmt::format("{} ({:+.1f} against {})", title, own->mean - rival->score.mean,
                                 rival->title));
    }
  }
  if (won.empty() && lost.empty()) {
    return;
  }
  sentences.push_back(fmt::format(
      "Under {}, DisenLink has the highest AUC on {} of the {} datasets on which at least eight "
      "other methods were measured, three splits or more{}{}{}{}.",
      protocol, won.size(), won.size() + lost.size(), won.empty() ? "" : ": ", fmt::join(won, ", "),
      lost.empty() ? "" : "; it has not on ", fmt::join(lost, ", ")));
}

// Which numbers of the paper come out under its own protocol.
void add_agreement(const Results& results, Names& sentences) {
  int64_t alike = 0;
  int64_t above = 0;
  Names below;
  for (const ModelInfo& model : models()) {
    for (const std::string& dataset : paper_datasets()) {
      const auto own = auc_of(results, "published", std::string(model.name), dataset);
      const auto printed = auc_of(results, "paper", std::string(model.name), dataset);
      if (!own || !printed || own->runs < kEnoughSplits) {
        continue;
      }
      const double difference = own->mean - printed->mean;
      const double allowed = std::max(2.0, 2 * printed->deviation);
      if (difference < -allowed) {
        below.push_back(
            fmt::format("{} on {} ({:+.1f})", model.title, title_of_dataset(dataset), difference));
      } else {
        ++(difference > allowed ? above : alike);
      }
    }
  }
  const int64_t count = alike + above + std::ssize(below);
  if (count > 0) {
    sentences.push_back(fmt::format(
        "Under published, with three splits or more, {} of {} numbers of the paper come out within "
        "two points or two of its deviations, {} come out higher, {} lower{}{}.",
        alike, count, above, below.size(), below.empty() ? "" : ": ", fmt::join(below, ", ")));
  }
}

void add_leak(const Results& results, Names& sentences) {
  double leak = 0;
  double published = 0;
  double strict = 0;
  int64_t count = 0;
  for (const std::string& dataset : paper_datasets()) {
    const ResultGroup leaking = results.find("disenlink", dataset, "published");
    const auto clean = auc_of(results, "strict", "disenlink", dataset);
    if (!leaking.runs.empty() && clean) {
      leak += 100 * leaking.leaked_share();
      published += 100 * leaking.summary().mean.auc;
      strict += clean->mean;
      ++count;
    }
  }
  if (count > 0) {
    const auto mean = [&](double sum) { return sum / static_cast<double>(count); };
    sentences.push_back(fmt::format(
        "Over the {} datasets measured under both protocols, {:.0f} % of the test links of the "
        "published split can be looked up in its training graph. DisenLink's mean AUC there is "
        "{:.1f}, and {:.1f} under strict, where none can be, with the settings of this program.",
        count, mean(leak), mean(published), mean(strict)));
  }
}

// Mean over the splits that both were run on; nothing where there is none.
std::optional<double> gain_over_variant(const Results& results, const std::string& protocol,
                                        const std::string& dataset, const std::string& label) {
  const ResultGroup full = results.find("disenlink", dataset, protocol);
  double gain = 0;
  int64_t count = 0;
  for (const ResultRun& variant : results.find("disenlink", dataset, protocol, label).runs) {
    const auto same = std::find_if(full.runs.begin(), full.runs.end(),
                                   [&](const ResultRun& run) { return run.seed == variant.seed; });
    if (same != full.runs.end()) {
      gain += 100 * (same->test.auc - variant.test.auc);
      ++count;
    }
  }
  return count > 0 ? std::optional(gain / static_cast<double>(count)) : std::nullopt;
}

void add_ablation(const Results& results, const std::string& protocol, Names& sentences) {
  const std::vector<std::pair<std::string, std::string>> titles = {
      {"variant=no-importance", "importance"},
      {"variant=no-selection", "selection"},
      {"variant=plain-score", "the factor-wise score"}};
  Names parts;
  for (const auto& [label, title] : titles) {
    std::vector<double> gains;
    for (const std::string& dataset : study_datasets("ablation")) {
      if (const auto gain = gain_over_variant(results, protocol, dataset, label)) {
        gains.push_back(*gain);
      }
    }
    if (!gains.empty()) {
      const auto [least, most] = std::minmax_element(gains.begin(), gains.end());
      parts.push_back(fmt::format(
          "{} {:+.1f} points (mean of {} datasets, {:+.1f} to {:+.1f})", title,
          std::accumulate(gains.begin(), gains.end(), 0.0) / static_cast<double>(gains.size()),
          gains.size(), *least, *most));
    }
  }
  if (!parts.empty()) {
    sentences.push_back(
        fmt::format("Under {}, on the same splits, the parts of the model are worth: {}.", protocol,
                    fmt::join(parts, ", ")));
  }
}

struct Best {
  std::string label;
  double mean = 0;
};

void add_sweep(const Results& results, const std::string& study, const std::string& title,
               const std::string& protocol, Names& sentences) {
  for (const std::string& dataset : study_datasets(study)) {
    std::optional<Best> best;
    std::optional<Best> worst;
    for (const std::string& label : study_labels(study)) {
      if (const auto score = auc_of(results, protocol, "disenlink", dataset, label)) {
        if (!best || score->mean > best->mean) {
          best = Best{label, score->mean};
        }
        if (!worst || score->mean < worst->mean) {
          worst = Best{label, score->mean};
        }
      }
    }
    if (best && best->label != worst->label) {
      sentences.push_back(fmt::format("{} on {}, {}: best {:.1f} at {}, worst {:.1f} at {}.", title,
                                      title_of_dataset(dataset), protocol, best->mean,
                                      label_value(best->label, study), worst->mean,
                                      label_value(worst->label, study)));
    }
  }
}

void add_correlation(const Results& results, Names& sentences) {
  for (const ResultRun* run : results.with_correlation()) {
    sentences.push_back(fmt::format(
        "On {}, {}, columns of one factor correlate {:.2f} times as strongly as columns of "
        "different factors in {}.",
        title_of_dataset(run->dataset), run->protocol, run->correlation->block_number(),
        run->selects() ? "DisenLink" : "the variant without selection"));
  }
}

}  // namespace

Names findings(const Results& results) {
  Names sentences;
  add_ranking(results, "strict", sentences);
  add_ranking(results, "published", sentences);
  add_agreement(results, sentences);
  add_leak(results, sentences);
  for (const std::string protocol : {"strict", "published"}) {
    add_ablation(results, protocol, sentences);
    add_sweep(results, "factors", "Number of factors", protocol, sentences);
    add_sweep(results, "beta", "Share of a node's own vector (beta)", protocol, sentences);
  }
  add_correlation(results, sentences);
  sentences.push_back(
      fmt::format("{} run records; empty cells have not been run.", results.runs.size()));
  return sentences;
}

}  // namespace disenlink::detail
