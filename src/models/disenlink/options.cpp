#include "models/disenlink/options.h"

namespace disenlink::detail {

void DisenLinkOptions::add_to(OptionTable& table) {
  table.add({.name = "factors",
             .help = "Latent factors, each with projections of its own",
             .target = &factors,
             .least = 1,
             .most = 1024});
  table.add({.name = "embed",
             .help = "Width of a factor's vector",
             .target = &embed,
             .least = 1,
             .most = 65536});
  table.add({.name = "hidden",
             .help = "Hidden units of a factor's projection",
             .target = &hidden,
             .least = 1,
             .most = 65536});
  table.add({.name = "beta",
             .help = "Share of a node's own vector in message passing, above 0, at most 1",
             .target = &beta,
             .least = 0,
             .most = 1,
             .above_least = true});
  table.add({.name = "temperature",
             .help = "Divides similarities; smaller = more selective, above 0",
             .target = &temperature,
             .least = 0,
             .most = 1e6,
             .above_least = true});
  table.add({.name = "loss",
             .help = "Cross-entropy, or the paper's squared error",
             .target = &loss,
             .allowed = {"bce", "mse"}});
  table.add({.name = "negative-weight",
             .help = "Weight of all negatives together: 1, or 1 / negatives as the authors' code",
             .target = &negative_weight,
             .allowed = {"mean", "divided"}});
  table.add({.name = "normalise",
             .help = "Messages divided by the receiver's total (row) or the sender's (column)",
             .target = &normalise,
             .allowed = {"row", "column"}});
  table.add({.name = "init",
             .help = "Initial weights: glorot, or uniform by fan in",
             .target = &init,
             .allowed = {"uniform", "glorot"}});
  table.add({.name = "standardise",
             .help = "Bring each feature row to mean 0 and deviation 1",
             .target = &standardise,
             .allowed = {"row", "none"}});
  table.add({.name = "variant",
             .help = "The model, or one of its ablations",
             .target = &variant,
             .allowed = {"full", "no-importance", "no-selection", "plain-score"}});
  table.add({.name = "leave-one-out",
             .help = "Score a training link without its own message",
             .target = &leave_one_out});
}

NetworkOptions DisenLinkOptions::network() const {
  NetworkOptions options;
  options.factors = factors;
  options.width = embed;
  options.hidden = hidden;
  options.standardise = standardise == "row";
  options.loss = loss == "mse" ? PairLoss::kSquaredError : PairLoss::kCrossEntropy;
  options.divide_negatives = negative_weight == "divided";
  options.form.beta = beta;
  options.form.temperature = temperature;
  options.form.by_sender = normalise == "column";
  options.form.leave_one_out = leave_one_out;
  options.form.select = variant != "no-selection";
  options.form.importance = variant != "no-importance";
  options.form.weighted_score = variant == "full" || variant == "no-selection";
  return options;
}

}  // namespace disenlink::detail
