// The one training loop: Adam, validation on the weights that are kept, early stopping.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "disenlink/model.h"
#include "disenlink/split.h"

namespace disenlink {

struct TrainOptions {
  int64_t epochs = 2000;
  int64_t patience = 200;  // stop after so many epochs without a better validation AUC
  double min_gain = 0;     // better by more than this; the best epoch is kept in any case
  double learning_rate = 0.001;
  // Begin anew so often, each time with 0.3 of the learning rate, when the loss of an epoch is a
  // hundred times that of the first: the weights are lost then, and so are Adam's moments.
  int64_t restarts = 3;
  double weight_decay = 5e-4;   // added to the gradient
  bool fresh_negatives = true;  // drawn anew each epoch; else those of the split
  int64_t negatives = 5;        // per positive, when fresh
  // Validate what training computed before the step, noise included, and keep the weights after it,
  // as the authors' programs do; else validate the weights that are kept.
  bool stale_validation = false;
  uint64_t seed = 1;
};

struct EpochReport {
  int64_t epoch = 0;  // from 1
  double loss = 0;
  double valid_auc = 0;
  double best_auc = 0;
  int64_t best_epoch = 0;
  int64_t clipped = 0;
  double learning_rate = 0;
  double seconds = 0;  // of this epoch
  int64_t pairs = 0;   // scored in training
};

// Everything a stopped run needs to go on to the same bits.
struct TrainState {
  int64_t epoch = 0;  // finished ones
  int64_t best_epoch = 0;
  double best_auc = -1;
  int64_t clipped = 0;
  double seconds = 0;              // of all attempts
  int64_t restarts = 0;            // attempts before this one
  double learning_rate = 0;        // of this one; 0 = not begun
  std::vector<double> losses;      // by epoch
  std::vector<double> valid_aucs;  // by epoch
  // One array a parameter, in the order of parameters().
  std::vector<std::vector<float>> values;
  std::vector<std::vector<float>> means;    // of the gradients
  std::vector<std::vector<float>> squares;  // of the gradients
  std::vector<std::vector<float>> best;     // values of the best epoch
  std::vector<int64_t> updates;             // of each parameter
};

struct TrainHooks {
  std::function<void(const EpochReport&)> on_epoch = {};
  // Called with the epoch whose loss has grown too large and the learning rate of the new attempt.
  std::function<void(const EpochReport& failed, double learning_rate)> on_restart = {};
  // Called now and then, and before an interrupt or a loss that is not finite ends the loop.
  std::function<void(const TrainState&)> on_checkpoint = {};
  double checkpoint_seconds = 30;
};

// Starts the model, or goes on from a state, and leaves it with the parameters of the best epoch.
// The test part is never read. Throws Interrupted when asked to stop, Error when the loss is not
// finite; the last good state has been handed to on_checkpoint before.
TrainState train(TrainableModel& model, const Graph& graph, const EdgeSplit& split,
                 const MessageGraph& message_graph, const TrainOptions& options,
                 const TrainHooks& hooks = {}, TrainState state = {});

}  // namespace disenlink
