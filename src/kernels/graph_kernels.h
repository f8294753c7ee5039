// What graph networks do on edges, chosen once at run time for the processor.
//
// Node values are (nodes, heads, width), edge values (edges, heads). Nothing of size edges x width
// is ever made. Every kernel gathers: one thread owns each row it writes, and sums run in the order
// of the lists.
#pragma once

#include <cstdint>

#include "kernels/directed_graph.h"
#include "kernels/plain_ops.h"

namespace disenlink::detail {

struct HeadShape {
  int64_t heads = 1;
  int64_t width = 1;  // of each
};

// What some rounds of neighbourhood routing keep for the way back; a channel is a head. Vectors are
// in panels: (heads, parts, nodes, kPanelWidth), filled up with zeros.
template <typename T>
struct RoutingTape {
  int64_t rounds;
  T inverse_temperature;
  T* c;         // panels: unit vectors that neighbours send
  T* compared;  // (rounds + 1) panels: what a node compares them with, at last the result
  T* shares;    // (rounds, heads, edges filled up)
  T* lengths;   // (rounds, heads, nodes) before normalising
};

// Panels of a head.
constexpr int64_t panels_of_head(HeadShape shape) {
  return (shape.width + kPanelWidth - 1) / kPanelWidth;
}

// Edges filled up to whole groups.
constexpr int64_t filled_up(int64_t edges) {
  return (edges + kGroupSize - 1) / kGroupSize * kGroupSize;
}

template <typename T>
struct RoutingGradients {
  const T* result;  // given, (nodes, heads, width) as the last two
  T* compared;      // panels, for the work
  T* c_panels;      // panels, for the work
  T* edges;         // (heads, edges filled up), for the work
  T* c;
  T* first;
};

template <typename T>
struct GraphKernels {
  // out[n, h] = sum over the entries of n's list of weights[edge, h] x[other, h], the one x[other]
  // for every head when x is shared.
  void (*aggregate)(const EdgeLists&, HeadShape, bool shared, const T* weights, const T* x, T* out);

  // out[n] = sum over entries and heads of weights[edge, h] x[other, h]; out: (nodes, width).
  void (*aggregate_heads)(const EdgeLists&, HeadShape, const T* weights, const T* x, T* out);

  // out[n] = sum over n's list of x[other]; x, out: (nodes, width). Numbers of edges are not read,
  // here and in the next two.
  void (*list_row_sums)(const EdgeLists&, int64_t width, const T* x, T* out);

  // out[n] = tanh((b + sum over n's list of x[other]) / length of the list). x: (nodes, width),
  // b: (width), rows of out are out_step apart; no list may be empty.
  void (*mean_tanh)(const EdgeLists&, int64_t width, const T* x, const T* b, T* out,
                    int64_t out_step);

  // slopes: (nodes, width), gradient by what is divided; out and out_slopes, the gradient by it,
  // have rows out_step apart.
  void (*mean_tanh_backward)(const EdgeLists&, int64_t width, const T* out, const T* out_slopes,
                             int64_t out_step, T* slopes);

  // out[edge, h] = a[other, h].b[n, h] over the lists of n; a: (nodes, width) when shared.
  void (*edge_dots)(const EdgeLists&, HeadShape, bool shared, const T* a, const T* b, T* out);

  // out[edge, h] = a[other, h] + b[n, h]
  void (*edge_sums)(const EdgeLists&, int64_t heads, const T* a, const T* b, T* out);

  // out[n, h] = sum of values[edge, h] over n's list
  void (*list_sums)(const EdgeLists&, int64_t heads, const T* values, T* out);

  // Softmax over each list, in place of the logits; these two for lists that number the edges in
  // their own order.
  void (*list_softmax)(const EdgeLists&, int64_t heads, T* values);

  // slopes: gradient by the softmax's result on entry, by its logits on return.
  void (*list_softmax_backward)(const EdgeLists&, int64_t heads, const T* weights, T* slopes);

  // Neighbourhood routing, some times over:
  //   share[s -> t, h] = softmax over h of c[s, h].u[t, h] / temperature
  //   u[t, h] = unit vector of c[t, h] + sum over s of share c[s, h]
  // u is `first` at first and `result` at last; all (nodes, heads, width).
  void (*route)(const DirectedGraph&, HeadShape, const T* c, const T* first, const RoutingTape<T>&,
                T* result);
  void (*route_backward)(const DirectedGraph&, HeadShape, const RoutingTape<T>&,
                         const RoutingGradients<T>&);
};

// The best implementation for this processor, or the plain loops when $DISENLINK_SIMD is "ref".
template <typename T>
const GraphKernels<T>& graph_kernels();

// The plain loops.
template <typename T>
const GraphKernels<T>& reference_graph_kernels();

}  // namespace disenlink::detail
