#include "stages.h"

#include <algorithm>

#include "core/resources.h"
#include "kernels/sorted_pairs.h"
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

namespace {

constexpr double kBytes = sizeof(float);
constexpr double kLineBytes = 64;

// Sizes as the formulas below use them.
struct Sizes {
  Sizes(const Shape& shape, int64_t edges, int64_t scored)
      : nodes(static_cast<double>(shape.nodes)),
        features(static_cast<double>(shape.features)),
        nonzeros(static_cast<double>(shape.nonzeros)),
        factors(static_cast<double>(shape.factors)),
        width(static_cast<double>(shape.width)),
        row(factors * width),
        hidden(static_cast<double>(shape.factors * shape.hidden)),
        links(static_cast<double>(edges)),
        pairs(static_cast<double>(scored)),
        parameters(features * hidden + hidden * width),
        node_bytes(nodes * row * kBytes),
        hidden_bytes(nodes * hidden * kBytes),
        weight_bytes(features * hidden * kBytes),
        edge_bytes(links * factors * kBytes) {}

  // Everything that an epoch passes through between two uses of an array.
  double epoch_bytes() const { return hidden_bytes + 4 * parameters * kBytes + 5 * node_bytes; }

  double nodes, features, nonzeros, factors, width;
  double row;     // of a node's vectors
  double hidden;  // of all factors
  double links, pairs, parameters;
  double node_bytes;    // of one array (nodes, factors, width)
  double hidden_bytes;  // of the hidden layer
  double weight_bytes;  // of the first layer
  double edge_bytes;    // of one array (links, factors)
};

// Rates of this machine for the arrays of a shape.
class Rates {
 public:
  Rates(const Sizes& sizes, double pair_blocks)
      : flops_(peak_flops()),
        tile_(read_bandwidth(int64_t{5} << 18, 512)),
        stream_(update_bandwidth(static_cast<int64_t>(sizes.epoch_bytes()))),
        rows_(rate(sizes.node_bytes, sizes.row)),
        factor_rows_(rate(sizes.node_bytes, sizes.width)),
        pair_rows_(rate(2 * sizes.node_bytes / pair_blocks, sizes.row)) {}

  // Seconds for multiplications and additions, and for bytes.
  double multiply_add(double count) const { return 2 * count / flops_; }
  double read_tile(double bytes) const { return bytes / tile_; }
  double read_rows(double bytes) const { return bytes / rows_; }
  double read_factor_rows(double bytes) const { return bytes / factor_rows_; }
  double read_pair_rows(double bytes) const { return bytes / pair_rows_; }
  double stream(double bytes) const { return bytes / stream_; }

 private:
  static double rate(double bytes, double width) {
    return read_bandwidth(static_cast<int64_t>(bytes), static_cast<int64_t>(width * kBytes));
  }

  double flops_, tile_, stream_, rows_, factor_rows_, pair_rows_;
};

// Rows gathered from a tile of the dense matrix in the second-level cache; the dense matrices come
// from further away, and what is written there moves twice.
double sparse_bound(const Sizes& sizes, const Rates& rates, double read, double written) {
  const double gathered = sizes.nonzeros * sizes.hidden;
  return std::max(rates.multiply_add(gathered),
                  rates.read_tile(gathered * kBytes) + rates.stream(read + 2 * written));
}

// Of its two entries, an edge's second one meets importance and selection (and in the gradient
// similarity) at an address that nothing foretells: a line each.
double edge_lines(const Sizes& sizes) { return 2 * kLineBytes * sizes.links; }

// z is read, sums and h are written.
double messages_bound(const Sizes& sizes, const Rates& rates) {
  return rates.read_factor_rows(2 * sizes.links * sizes.width * kBytes + edge_lines(sizes)) +
         rates.stream(5 * sizes.node_bytes);
}

// An edge reads one factor of its target's z and gradient of h; each of its ends one factor of the
// other's gradient and all of its z. z, sums and the gradient of h come once, that of z goes back
// too; of the edges' arrays two are read, one is changed, one written.
double messages_backward_bound(const Sizes& sizes, const Rates& rates) {
  return rates.read_rows(2 * sizes.links * (sizes.row + 2 * sizes.width) * kBytes +
                         edge_lines(sizes)) +
         rates.stream(5 * sizes.node_bytes + 5 * sizes.edge_bytes);
}

// z and h of the other end are read by both passes, from the block of nodes that the cache holds;
// each pass reads its own rows and changes their gradients; coefficients are written and read.
double pair_loss_bound(const Sizes& sizes, const Rates& rates) {
  const double elements = sizes.pairs * sizes.row;
  const double coefficient_bytes = 2 * sizes.pairs * sizes.factors * kBytes;
  return std::max(rates.multiply_add(6 * elements),
                  rates.read_pair_rows(4 * elements * kBytes) +
                      rates.stream(12 * sizes.node_bytes + 3 * coefficient_bytes));
}

}  // namespace

std::vector<double> stage_bounds(const Shape& shape, int64_t edges, int64_t pairs) {
  const Sizes sizes(shape, edges, pairs);
  const int64_t vector_bytes =
      2 * shape.factors * shape.width * static_cast<int64_t>(sizeof(float));
  const auto together =
      static_cast<double>(detail::nodes_per_block({shape.nodes, vector_bytes}, pairs));
  const Rates rates(sizes, std::max(1.0, sizes.nodes / together));
  const double second = rates.multiply_add(sizes.nodes * sizes.hidden * sizes.width);
  std::vector<double> bounds(kNumStages);
  bounds[kFirstLayer] = sparse_bound(sizes, rates, sizes.weight_bytes, sizes.hidden_bytes);
  bounds[kSecondLayer] = std::max(second, rates.stream(sizes.hidden_bytes + 2 * sizes.node_bytes));
  bounds[kImportance] = rates.read_rows(sizes.links * sizes.row * kBytes) +
                        rates.stream(sizes.node_bytes + 2 * sizes.edge_bytes);
  bounds[kMessages] = messages_bound(sizes, rates);
  bounds[kPairLoss] = pair_loss_bound(sizes, rates);
  bounds[kMessagesBackward] = messages_backward_bound(sizes, rates);
  bounds[kSecondLayerBackward] =
      std::max(2 * second, rates.stream(2 * sizes.hidden_bytes + sizes.node_bytes));
  bounds[kFirstLayerBackward] = sparse_bound(sizes, rates, sizes.hidden_bytes, sizes.weight_bytes);
  bounds[kAdam] = rates.stream(7 * sizes.parameters * kBytes);
  return bounds;
}

}  // namespace disenlink::bench
