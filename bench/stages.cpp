#include "stages.h"

#include <algorithm>

#include "core/resources.h"
#include "machine_peaks.h"

namespace disenlink::bench {
namespace {

using detail::EdgeFactors;
using detail::EdgeIndex;
using detail::FactorForm;
using detail::FactorKernels;
using detail::FactorShape;
using detail::Messages;
using detail::NodeGradients;
using detail::PairBatch;
using detail::PairResults;
using detail::SparseMatrix;

enum Stage {
  kFirstLayer,
  kSecondLayer,
  kImportance,
  kMessages,
  kPairLoss,
  kMessagesBackward,
  kSecondLayerBackward,
  kFirstLayerBackward,
  kAdam,
  kNumStages
};

std::vector<double> spent(kNumStages, 0);

class Timer {
 public:
  explicit Timer(Stage stage) : stage_(stage) {}
  ~Timer() { spent[stage_] += watch_.seconds(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  Stage stage_;
  detail::Stopwatch watch_;
};

const FactorKernels<float>& best() { return detail::factor_kernels<float>(); }

// The same call, timed: a table of plain function pointers cannot hold a clock otherwise.
template <Stage stage, auto member, typename... Arguments>
void timed(Arguments... arguments) {
  const Timer timer(stage);
  (best().*member)(arguments...);
}

template <Stage stage, auto member, typename... Arguments>
void time_one(FactorKernels<float>& table, void (*FactorKernels<float>::*)(Arguments...)) {
  table.*member = &timed<stage, member, Arguments...>;
}

template <Stage stage, auto member>
void time(FactorKernels<float>& table) {
  time_one<stage, member>(table, member);
}

FactorKernels<float> make_timed() {
  using Kernels = FactorKernels<float>;
  Kernels table = best();
  time<kFirstLayer, &Kernels::sparse_project>(table);
  time<kSecondLayer, &Kernels::factor_linear>(table);
  time<kImportance, &Kernels::edge_factors>(table);
  time<kMessages, &Kernels::pass_messages>(table);
  time<kPairLoss, &Kernels::pair_loss>(table);
  time<kMessagesBackward, &Kernels::pass_messages_backward>(table);
  time<kSecondLayerBackward, &Kernels::factor_linear_backward>(table);
  time<kFirstLayerBackward, &Kernels::sparse_project_backward>(table);
  time<kAdam, &Kernels::adam>(table);
  return table;
}

}  // namespace

const FactorKernels<float>& timed_kernels() {
  static const FactorKernels<float> table = make_timed();
  return table;
}

std::vector<double> take_stage_seconds() {
  std::vector<double> result = spent;
  std::fill(spent.begin(), spent.end(), 0);
  return result;
}

const std::vector<std::string>& stage_names() {
  static const std::vector<std::string> names = {
      "first layer",     "second layer",     "importance",       "messages", "pair loss",
      "messages backw.", "2nd layer backw.", "1st layer backw.", "Adam"};
  return names;
}

std::vector<double> stage_bounds(const Shape& shape, int64_t edges, int64_t pairs) {
  constexpr double kBytes = sizeof(float);
  const double flops = peak_flops();
  const auto nodes = static_cast<double>(shape.nodes);
  const auto width = static_cast<double>(shape.width);
  const double row = static_cast<double>(shape.factors) * width;
  const double hidden = static_cast<double>(shape.factors * shape.hidden);
  const auto nonzeros = static_cast<double>(shape.nonzeros);
  const auto links = static_cast<double>(edges);
  const auto scored = static_cast<double>(pairs);
  const double parameters = static_cast<double>(shape.features) * hidden + hidden * width;

  const auto node_bytes = static_cast<int64_t>(nodes * row * kBytes);
  const auto row_bytes = static_cast<int64_t>(row * kBytes);
  const auto factor_bytes = static_cast<int64_t>(width * kBytes);
  const double rows = read_bandwidth(node_bytes, row_bytes);
  const double row_pairs = read_bandwidth(2 * node_bytes, row_bytes);
  const double factor_rows = read_bandwidth(node_bytes, factor_bytes);
  const double tile = read_bandwidth(int64_t{5} << 18, 512);
  const double stream = update_bandwidth(node_bytes);
  const double large_stream = update_bandwidth(static_cast<int64_t>(nodes * hidden * kBytes));

  const double gathered = nonzeros * hidden;
  // Reading the gathered rows from the second-level cache, and moving both dense matrices once.
  const double dense_bytes = (static_cast<double>(shape.features) + nodes) * hidden * kBytes;
  const double first =
      std::max(2 * gathered / flops, gathered * kBytes / tile + dense_bytes / large_stream);
  const double second = 2 * nodes * hidden * width / flops;
  const double hidden_bytes = nodes * hidden * kBytes;
  std::vector<double> bounds(kNumStages);
  bounds[kFirstLayer] = first;
  bounds[kSecondLayer] = std::max(second, hidden_bytes / large_stream);
  bounds[kImportance] = links * row * kBytes / rows;
  bounds[kMessages] = 2 * links * width * kBytes / factor_rows + 3 * nodes * row * kBytes / stream;
  bounds[kPairLoss] = std::max(12 * scored * row / flops, 4 * scored * row * kBytes / row_pairs);
  bounds[kMessagesBackward] = 2 * links * (row + 2 * width) * kBytes / rows;
  bounds[kSecondLayerBackward] = std::max(2 * second, 3 * hidden_bytes / large_stream);
  bounds[kFirstLayerBackward] = first;
  bounds[kAdam] =
      7 * parameters * kBytes / update_bandwidth(static_cast<int64_t>(4 * parameters * kBytes));
  return bounds;
}

}  // namespace disenlink::bench
