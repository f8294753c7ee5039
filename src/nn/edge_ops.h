// What graph networks do along edges, with gradients, in float or double. Node values are (nodes,
// heads, width), edge values (edges, heads) in the order of the graph's receivers. The graph must
// outlive the backward pass.
#pragma once

#include <torch/types.h>

#include "kernels/directed_graph.h"

namespace disenlink::detail {

// out[t, h] = sum over edges s -> t of weights[edge, h] x[s, h]. Where x is (nodes, 1, width) and
// there are more heads, each head sums the same vectors.
torch::Tensor aggregate(const DirectedGraph& graph, const torch::Tensor& weights,
                        const torch::Tensor& x);

// The same for (nodes, width) and one head.
torch::Tensor propagate(const DirectedGraph& graph, const torch::Tensor& weights,
                        const torch::Tensor& x);

// out[edge, h] = a[s, h].b[t, h]
torch::Tensor edge_dots(const DirectedGraph& graph, const torch::Tensor& a, const torch::Tensor& b);

// out[edge, h] = a[s, h] + b[t, h]; a, b: (nodes, heads)
torch::Tensor edge_sums(const DirectedGraph& graph, const torch::Tensor& a, const torch::Tensor& b);

// Rounds of neighbourhood routing between channels, (nodes, channels, width), each:
//   share[s -> t, k] = softmax over k of c[s, k].u[t, k] / temperature
//   u[t, k] = unit vector of c[t, k] + sum over s of share c[s, k]
torch::Tensor route(const DirectedGraph& graph, const torch::Tensor& c, const torch::Tensor& u,
                    int64_t rounds, double temperature);

// Softmax over the edges into each node, for each head.
torch::Tensor edge_softmax(const DirectedGraph& graph, const torch::Tensor& logits);

}  // namespace disenlink::detail
