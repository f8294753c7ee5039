#include "disenlink/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/fail.h"
#include "core/resources.h"
#include "disenlink/evaluate.h"
#include "disenlink/interrupt.h"
#include "kernels/factor_kernels.h"
#include "train/fresh_negatives.h"

namespace disenlink {
namespace {

using Arrays = std::vector<std::vector<float>>;

Arrays copy_values(const std::vector<Parameter>& parameters) {
  Arrays arrays;
  for (const Parameter& parameter : parameters) {
    arrays.emplace_back(parameter.values.begin(), parameter.values.end());
  }
  return arrays;
}

Arrays zeros_like(const std::vector<Parameter>& parameters) {
  Arrays arrays;
  for (const Parameter& parameter : parameters) {
    arrays.emplace_back(parameter.values.size(), 0.0F);
  }
  return arrays;
}

void set_values(std::vector<Parameter>& parameters, const Arrays& arrays) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    std::copy(arrays[i].begin(), arrays[i].end(), parameters[i].values.begin());
  }
}

constexpr double kLossGrowth = 100;  // of the first epoch's, beyond which an attempt is given up
constexpr double kRateOfNextAttempt = 0.3;

void check_options(const TrainOptions& options, const EdgeSplit& split) {
  if (options.epochs < 1 || options.patience < 1 || options.negatives < 1) {
    detail::fail_usage("epochs {}, patience {} and negatives {} given, expected at least 1 each",
                       options.epochs, options.patience, options.negatives);
  }
  if (!(options.learning_rate > 0) || !(options.weight_decay >= 0)) {
    detail::fail_usage(
        "learning rate {} and weight decay {} given, expected above 0 and at least 0",
        options.learning_rate, options.weight_decay);
  }
  if (!(options.min_gain >= 0) || options.restarts < 0) {
    detail::fail_usage("min-gain {} and restarts {} given, expected at least 0 each",
                       options.min_gain, options.restarts);
  }
  if (split.train.positives.empty()) {
    detail::fail("the split has no training links");
  }
  if (split.valid.positives.empty() || split.valid.negatives.empty()) {
    detail::fail("the split has no validation links or negatives, by which the epoch is chosen");
  }
  if (!options.fresh_negatives && split.train.negatives.empty()) {
    detail::fail(
        "the split has no training negatives (train_neg.txt); draw them fresh in each epoch");
  }
}

// One run of the loop, with the buffers that live as long as it.
class Loop {
 public:
  Loop(TrainableModel& model, const Graph& graph, const EdgeSplit& split,
       const MessageGraph& message_graph, const TrainOptions& options, const TrainHooks& hooks,
       TrainState state)
      : model_(model),
        graph_(graph),
        split_(split),
        message_graph_(message_graph),
        options_(options),
        hooks_(hooks),
        state_(std::move(state)) {}

  TrainState run() {
    start();
    while (state_.epoch < options_.epochs && state_.epoch - last_gain_.epoch <= options_.patience) {
      if (interrupt_requested()) {
        checkpoint();
        check_interrupt();
      }
      run_epoch();
      if (since_checkpoint_.seconds() > hooks_.checkpoint_seconds) {
        checkpoint();
      }
    }
    set_values(parameters_, state_.best);
    model_.refresh();
    state_.values = state_.best;
    return std::move(state_);
  }

 private:
  void start() {
    if (options_.fresh_negatives) {
      fresh_negatives_.emplace(split_, message_graph_, options_.negatives, options_.seed);
    }
    start_model();
    if (state_.values.empty()) {
      start_state(options_.learning_rate);
    } else {
      require_fitting_state();
      set_values(parameters_, state_.values);
    }
    for (size_t epoch = 0; epoch < state_.valid_aucs.size(); ++epoch) {
      look_for_gain(static_cast<int64_t>(epoch) + 1, state_.valid_aucs[epoch]);
    }
    model_.refresh();
  }

  void start_model() {
    Random random(options_.seed, "parameters");
    model_.start(message_graph_, graph_.features(), random);
    parameters_ = model_.parameters();
  }

  void start_state(double learning_rate) {
    state_.learning_rate = learning_rate;
    state_.means = zeros_like(parameters_);
    state_.squares = zeros_like(parameters_);
    state_.best = copy_values(parameters_);
    state_.updates.assign(parameters_.size(), 0);
  }

  bool has_lost_its_way(double loss) const {
    return state_.restarts < options_.restarts && !state_.losses.empty() &&
           loss > kLossGrowth * state_.losses.front();
  }

  // From the same first weights, in smaller steps.
  void start_again(const EpochReport& failed) {
    const TrainState before = std::exchange(state_, {});
    const double learning_rate = kRateOfNextAttempt * before.learning_rate;
    state_.restarts = before.restarts + 1;
    state_.seconds = before.seconds;
    last_gain_ = {};
    start_model();
    start_state(learning_rate);
    model_.refresh();
    if (hooks_.on_restart) {
      hooks_.on_restart(failed, learning_rate);
    }
  }

  // A large graph gains a little in nearly every epoch, for thousands of them.
  void look_for_gain(int64_t epoch, double valid_auc) {
    if (valid_auc > last_gain_.auc + options_.min_gain) {
      last_gain_ = {epoch, valid_auc};
    }
  }

  void require_fitting_state() const {
    if (state_.updates.size() != parameters_.size()) {
      detail::fail("the state of the interrupted run does not fit the model");
    }
    for (const Arrays* arrays : {&state_.values, &state_.means, &state_.squares, &state_.best}) {
      const bool fits = std::equal(arrays->begin(), arrays->end(), parameters_.begin(),
                                   parameters_.end(), [](const auto& array, const Parameter& own) {
                                     return array.size() == own.values.size();
                                   });
      if (!fits) {
        detail::fail("the state of the interrupted run does not fit the model and its graph");
      }
    }
  }

  // Stopped in its middle, the state would be between two epochs.
  void run_epoch() {
    const InterruptHold hold;
    const detail::Stopwatch watch;
    EpochReport report;
    report.epoch = state_.epoch + 1;
    report.learning_rate = state_.learning_rate;
    const std::span<const NodePair> negatives =
        fresh_negatives_ ? fresh_negatives_->draw(report.epoch) : split_.train.negatives;
    take_steps({.positives = split_.train.positives,
                .negatives = negatives,
                .epoch = report.epoch,
                .seed = options_.seed},
               report);
    if (has_lost_its_way(report.loss)) {
      state_.seconds += watch.seconds();
      start_again(report);
      return;
    }
    validate(report);
    report.pairs = static_cast<int64_t>(split_.train.positives.size() + negatives.size());
    report.seconds = watch.seconds();
    finish_epoch(report);
  }

  void validate(EpochReport& report) {
    if (!options_.stale_validation) {
      model_.refresh();
    }
    try {
      report.valid_auc = evaluate(model_, split_.valid, graph_.names()).auc;
    } catch (const UnrankableScore& problem) {
      stop_diverged(fmt::format("in epoch {} {}", report.epoch, problem.what()));
    }
    if (options_.stale_validation) {
      model_.refresh();
    }
  }

  void take_steps(TrainStep step, EpochReport& report) {
    const auto pairs = static_cast<int64_t>(step.positives.size() + step.negatives.size());
    const int64_t steps = model_.steps_per_epoch(pairs);
    int64_t counted = 0;
    for (step.index = 0; step.index < steps; ++step.index) {
      const StepReport done = model_.compute_gradients(step);
      if (!std::isfinite(done.loss)) {
        stop_diverged(fmt::format("the loss of epoch {} is not finite", report.epoch));
      }
      const int64_t group = model_.group_of_step(step.index);
      update(group);
      report.clipped += done.clipped;
      if (group == 0) {
        report.loss += (done.loss - report.loss) / static_cast<double>(++counted);
      }
    }
  }

  // The weights are useless now; what is kept are those of the best epoch.
  [[noreturn]] void stop_diverged(const std::string& what) {
    if (hooks_.on_checkpoint && state_.best_epoch > 0) {
      state_.values = state_.best;
      hooks_.on_checkpoint(state_);
    }
    detail::fail(
        "{}; the last good weights are those of epoch {}. A smaller learning rate or a larger "
        "temperature usually helps",
        what, state_.best_epoch);
  }

  void update(int64_t group) {
    const double rate = state_.learning_rate * model_.rate_of_group(group);
    for (size_t i = 0; i < parameters_.size(); ++i) {
      Parameter& parameter = parameters_[i];
      if (parameter.group != group || parameter.gradients.empty()) {
        continue;
      }
      detail::factor_kernels<float>().adam(parameter.values.data(), state_.means[i].data(),
                                           state_.squares[i].data(), parameter.gradients.data(),
                                           static_cast<int64_t>(parameter.values.size()),
                                           ++state_.updates[i], rate, options_.weight_decay);
    }
  }

  void finish_epoch(EpochReport& report) {
    state_.epoch = report.epoch;
    state_.losses.push_back(report.loss);
    state_.valid_aucs.push_back(report.valid_auc);
    state_.clipped += report.clipped;
    state_.seconds += report.seconds;
    look_for_gain(report.epoch, report.valid_auc);
    if (report.valid_auc > state_.best_auc) {
      state_.best_auc = report.valid_auc;
      state_.best_epoch = report.epoch;
      for (size_t i = 0; i < parameters_.size(); ++i) {
        std::copy(parameters_[i].values.begin(), parameters_[i].values.end(),
                  state_.best[i].begin());
      }
    }
    report.best_auc = state_.best_auc;
    report.best_epoch = state_.best_epoch;
    if (hooks_.on_epoch) {
      hooks_.on_epoch(report);
    }
  }

  void checkpoint() {
    const InterruptHold hold;
    if (hooks_.on_checkpoint && state_.epoch > 0) {
      state_.values = copy_values(parameters_);
      hooks_.on_checkpoint(state_);
    }
    since_checkpoint_ = {};
  }

  TrainableModel& model_;
  const Graph& graph_;
  const EdgeSplit& split_;
  const MessageGraph& message_graph_;
  const TrainOptions& options_;
  const TrainHooks& hooks_;
  TrainState state_;
  std::vector<Parameter> parameters_;
  std::optional<detail::FreshNegatives> fresh_negatives_;
  struct {
    int64_t epoch = 0;
    double auc = -1;
  } last_gain_;  // by which patience is counted
  detail::Stopwatch since_checkpoint_;
};

}  // namespace

TrainState train(TrainableModel& model, const Graph& graph, const EdgeSplit& split,
                 const MessageGraph& message_graph, const TrainOptions& options,
                 const TrainHooks& hooks, TrainState state) {
  check_options(options, split);
  return Loop(model, graph, split, message_graph, options, hooks, std::move(state)).run();
}

}  // namespace disenlink
