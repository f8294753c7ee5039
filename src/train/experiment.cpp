#include "disenlink/experiment.h"

#include "core/fail.h"
#include "core/resources.h"
#include "disenlink/evaluate.h"
#include "disenlink/interrupt.h"

namespace disenlink {

RunResult run_model(LinkModel& model, const Graph& graph, const EdgeSplit& split,
                    const MessageGraph& message_graph, const TrainOptions& options, Ranking ranking,
                    const TrainHooks& hooks, TrainState state) {
  if (split.test.negatives.empty()) {
    detail::fail("the split has no test negatives (test_neg.txt), so nothing can be ranked");
  }
  const detail::Stopwatch watch;
  const double seconds_before = state.seconds;  // of the run that this one goes on with
  RunResult result;
  result.audit = audit_split(split, &graph.adjacency());
  std::optional<InterruptHold> hold;
  if (auto* trainable = dynamic_cast<TrainableModel*>(&model)) {
    result.training =
        train(*trainable, graph, split, message_graph, options, hooks, std::move(state));
    hold.emplace();  // a trained model is not thrown away for the little that is left to do
  } else {
    model.encode(message_graph, graph.features());
  }
  if (!split.valid.positives.empty() && !split.valid.negatives.empty()) {
    result.valid = evaluate(model, split.valid, graph.names(), ranking);
  }
  result.test = evaluate(model, split.test, graph.names(), ranking);
  result.seconds = seconds_before + watch.seconds();
  result.peak_memory_bytes = detail::peak_memory_bytes();
  return result;
}

}  // namespace disenlink
