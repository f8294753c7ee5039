// The kernels of DisenLink, chosen once at run time for the processor.
//
// Every kernel gathers: one thread owns each row it writes, sums run in the order of the lists, so
// results are the same bits for any number of threads. T is float, or double for gradient checks.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/factor_layout.h"
#include "kernels/matrix_product.h"

namespace disenlink::detail {

// Importance of every factor for every edge, and the factor of largest importance.
template <typename T>
struct EdgeFactors {
  T* importance;      // (edges, factors) softmax of q
  int32_t* selected;  // (edges)
};

// What message passing leaves behind; sums and totals stay unnormalised, so that one message can be
// taken out again.
template <typename T>
struct Messages {
  T* sums;    // (nodes, factors, width) weighted sum of neighbours' z; by_sender: already divided
  T* totals;  // (nodes, factors) sum of the weights of a node's edges
  T* h;       // (nodes, factors, width)
};

// Gradients that meet in the nodes and edges. All start at zero.
template <typename T>
struct NodeGradients {
  T* z;            // (nodes, factors, width)
  T* h;            // (nodes, factors, width)
  T* totals;       // (nodes, factors)
  T* edge_weight;  // (edges, factors); only leave-one-out adds to it before message passing does
};

// Pairs to score, in two orders. By head: strip after strip, where a strip has the tails of one
// block of nodes, each ordered by head. By tail: the pairs of each strip once more, block after
// block of heads, each ordered by tail. So the vectors of a block stay in the cache, and what the
// heads of a strip leave for its tails is read in a row.
struct PairBatch {
  int64_t num_pairs;
  int64_t blocks;
  int64_t nodes_per_block;  // the last block may have fewer
  int64_t most_in_strip;    // pairs
  // By head.
  const int64_t* head_offsets;  // (blocks of tails, nodes) and the end
  const NodeId* tails;          // (pairs)
  const uint8_t* is_link;       // (pairs)
  const int32_t* places;        // (pairs) in the order by tail
  const int32_t* own_links;     // (pairs) place among the own links, or -1; null = none
  // By tail.
  const int64_t* tail_offsets;  // (blocks of tails, blocks of heads, nodes_per_block) and the end
  const NodeId* heads;          // (pairs)
  const int32_t* own_links_by_tail;  // (pairs) the same; null = none
  // Own links: pairs that are an edge and do not see its message, ordered by edge.
  int64_t num_own_links;
  const int32_t* edge_of_own_link;  // (own links)
  const int64_t* own_link_offsets;  // (edges + 1); null = none
  double link_weight;               // of a link in the loss
  double other_weight;              // of an unlinked pair
  PairLoss loss;
};

template <typename T>
struct PairResults {
  // Gradients of the loss by h_u.h_v and by z_u.z_v, side by side: (pairs of a strip, 2, factors).
  T* coefficients;
  T* own_slopes;      // (own links, factors) the former, of these
  double* node_loss;  // (nodes) their sum is the loss
  int64_t* clipped;   // (nodes) exponents that met the bound

  static int64_t coefficients_per_pair(const FactorShape& shape) { return 2 * shape.factors; }
};

// Compressed rows.
template <typename T>
struct SparseMatrix {
  int64_t rows;
  int64_t columns;
  const int64_t* offsets;  // (rows + 1)
  const int32_t* indices;
  const T* values;
};

template <typename T>
struct FactorKernels {
  void (*edge_factors)(const EdgeIndex&, const FactorShape&, const FactorForm&, const T* z,
                       EdgeFactors<T> out);

  void (*pass_messages)(const EdgeIndex&, const FactorShape&, const FactorForm&, const T* z,
                        EdgeFactors<T> factors, Messages<T> out);

  // Adds to gradients.z what reaches z through h, the totals and the importances.
  // q_gradient: (edges, factors) work space.
  void (*pass_messages_backward)(const EdgeIndex&, const FactorShape&, const FactorForm&,
                                 const T* z, EdgeFactors<T> factors, Messages<T> messages,
                                 NodeGradients<T> gradients, T* q_gradient);

  // Scores, loss, and the gradients of z, h (and totals, edge weights under leave-one-out).
  void (*pair_loss)(const EdgeIndex&, const FactorShape&, const FactorForm&, const T* z,
                    EdgeFactors<T> factors, Messages<T> messages, const PairBatch&,
                    PairResults<T> out, NodeGradients<T> gradients);

  // Logits alone; contributions may be null or (pairs, factors).
  void (*pair_scores)(const FactorShape&, const FactorForm&, const T* z, const T* h,
                      const NodePair* pairs, int64_t num_pairs, T* logits, T* contributions);

  // logits += exp(q) * products, elementwise; q = similarities / temperature, bounded. similarities
  // are overwritten.
  void (*add_weighted)(const FactorForm&, T* similarities, const T* products, int64_t count,
                       T* logits);

  // out: (x.rows, width) = x w + b, negative values as 0 if relu. shifts: null, or what every value
  // of a row is lowered by.
  void (*sparse_project)(const SparseMatrix<T>& x, const T* shifts, int64_t width, const T* w,
                         const T* b, bool relu, T* out);

  // by_column: the transpose of x. slope: (rows of x, width), gradient of x w + b.
  void (*sparse_project_backward)(const SparseMatrix<T>& by_column, const T* shifts, int64_t width,
                                  const T* slope, T* w_gradient, T* b_gradient);

  // z[n, k] = a[n, k] w[k] + b[k]. a: (nodes, factors, hidden), w: (factors, hidden, width).
  void (*factor_linear)(const FactorShape&, int64_t hidden, const T* a, const T* w, const T* b,
                        T* z);

  // a is what a ReLU gave: on return it holds the gradient of the ReLU's input, so that no second
  // buffer of this size is needed. w_gradient and b_gradient are overwritten.
  void (*factor_linear_backward)(const FactorShape&, int64_t hidden, T* a, const T* w,
                                 const T* z_gradient, T* w_gradient, T* b_gradient);

  // (rows, columns) -> (columns)
  void (*column_sums)(int64_t rows, int64_t columns, const T* values, T* sums);

  void (*multiply)(const MatrixProduct<T>&);

  // One Adam step of count parameters; `epoch` counts from 1.
  void (*adam)(T* value, T* mean, T* square, const T* gradient, int64_t count, int64_t epoch,
               double learning_rate, double weight_decay);
};

// The best implementation for this processor, or the plain loops when $DISENLINK_SIMD is "ref".
template <typename T>
const FactorKernels<T>& factor_kernels();

// The plain loops.
template <typename T>
const FactorKernels<T>& reference_kernels();

}  // namespace disenlink::detail
