// What graph networks do on edges, chosen once at run time for the processor.
//
// Node values are (nodes, heads, width), edge values (edges, heads). Nothing of size edges x width
// is ever made. Every kernel gathers: one thread owns each row it writes, and sums run in the order
// of the lists.
#pragma once

#include <cstdint>

#include "kernels/directed_graph.h"

namespace disenlink::detail {

struct HeadShape {
  int64_t heads = 1;
  int64_t width = 1;  // of each
};

// One round of neighbourhood routing; a channel is a head. Arrays are (nodes, heads, width) unless
// said otherwise.
template <typename T>
struct RoutingRound {
  const T* c;       // unit vectors that neighbours send
  const T* before;  // what a node compares them with
  T inverse_temperature;
  T* shares;   // (edges, heads) softmax over heads of c[s].before[t] / temperature
  T* after;    // unit vectors of c[t] + sum over s of shares c[s]
  T* lengths;  // (nodes, heads) their lengths before normalising
};

template <typename T>
struct RoutingGradients {
  const T* after;  // given
  T* sums;         // by what `after` was normalised from
  T* logits;       // (edges, heads)
  T* before;
  T* c;
};

template <typename T>
struct GraphKernels {
  // out[n, h] = sum over the entries of n's list of weights[edge, h] x[other, h], the one x[other]
  // for every head when x is shared.
  void (*aggregate)(const EdgeLists&, HeadShape, bool shared, const T* weights, const T* x, T* out);

  // out[n] = sum over entries and heads of weights[edge, h] x[other, h]; out: (nodes, width).
  void (*aggregate_heads)(const EdgeLists&, HeadShape, const T* weights, const T* x, T* out);

  // out[edge, h] = a[other, h].b[n, h] over the lists of n; a: (nodes, width) when shared.
  void (*edge_dots)(const EdgeLists&, HeadShape, bool shared, const T* a, const T* b, T* out);

  // out[edge, h] = a[other, h] + b[n, h]
  void (*edge_sums)(const EdgeLists&, int64_t heads, const T* a, const T* b, T* out);

  // out[n, h] = sum of values[edge, h] over n's list
  void (*list_sums)(const EdgeLists&, int64_t heads, const T* values, T* out);

  // Softmax over each list, in place of the logits.
  void (*list_softmax)(const EdgeLists&, int64_t heads, T* values);

  // slopes: gradient by the softmax's result on entry, by its logits on return.
  void (*list_softmax_backward)(const EdgeLists&, int64_t heads, const T* weights, T* slopes);

  void (*route)(const EdgeLists& by_receiver, HeadShape, const RoutingRound<T>&);
  void (*route_backward)(const EdgeLists& by_receiver, const EdgeLists& by_sender, HeadShape,
                         const RoutingRound<T>&, const RoutingGradients<T>&);
};

// The best implementation for this processor, or the plain loops when $DISENLINK_SIMD is "ref".
template <typename T>
const GraphKernels<T>& graph_kernels();

// The plain loops.
template <typename T>
const GraphKernels<T>& reference_graph_kernels();

}  // namespace disenlink::detail
