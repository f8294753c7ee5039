#include "nn/edge_ops.h"

#include <torch/csrc/autograd/custom_function.h>

#include "kernels/graph_kernels.h"
#include "nn/tensor_type.h"

namespace disenlink::detail {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

void keep_graph(AutogradContext* context, const DirectedGraph* graph) {
  context->saved_data["graph"] = reinterpret_cast<int64_t>(graph);
}

const DirectedGraph& graph_of(AutogradContext* context) {
  return *reinterpret_cast<const DirectedGraph*>(context->saved_data["graph"].toInt());
}

// Calls body(kernels, T{}) for the type of the tensor.
template <typename Body>
void with_kernels(const Tensor& tensor, Body&& body) {
  with_type_of(tensor, [&](auto zero) { body(graph_kernels<decltype(zero)>(), zero); });
}

Tensor aggregate_along(const EdgeLists& lists, const Tensor& weights, const Tensor& x) {
  const HeadShape shape{weights.size(1), x.size(2)};
  Tensor out = torch::empty({x.size(0), shape.heads, shape.width}, x.options());
  with_kernels(x, [&](const auto& kernels, auto zero) {
    using T = decltype(zero);
    kernels.aggregate(lists, shape, x.size(1) != shape.heads, data_of<T>(weights), data_of<T>(x),
                      data_of<T>(out));
  });
  return out;
}

// Gradient by vectors that all heads share.
Tensor aggregate_heads_along(const EdgeLists& lists, const Tensor& weights, const Tensor& x) {
  const HeadShape shape{weights.size(1), x.size(2)};
  Tensor out = torch::empty({x.size(0), 1, shape.width}, x.options());
  with_kernels(x, [&](const auto& kernels, auto zero) {
    using T = decltype(zero);
    kernels.aggregate_heads(lists, shape, data_of<T>(weights), data_of<T>(x), data_of<T>(out));
  });
  return out;
}

Tensor dots_along(const EdgeLists& lists, const Tensor& a, const Tensor& b) {
  const HeadShape shape{b.size(1), b.size(2)};
  Tensor out = torch::empty({static_cast<int64_t>(lists.others.size()), shape.heads}, b.options());
  with_kernels(b, [&](const auto& kernels, auto zero) {
    using T = decltype(zero);
    kernels.edge_dots(lists, shape, a.size(1) != shape.heads, data_of<T>(a), data_of<T>(b),
                      data_of<T>(out));
  });
  return out;
}

Tensor sums_of_lists(const EdgeLists& lists, const Tensor& values) {
  const auto nodes = static_cast<int64_t>(lists.offsets.size()) - 1;
  Tensor out = torch::empty({nodes, values.size(1)}, values.options());
  with_kernels(values, [&](const auto& kernels, auto zero) {
    using T = decltype(zero);
    kernels.list_sums(lists, values.size(1), data_of<T>(values), data_of<T>(out));
  });
  return out;
}

struct Aggregate : torch::autograd::Function<Aggregate> {
  static Tensor forward(AutogradContext* context, const Tensor& weights, const Tensor& x,
                        const DirectedGraph* graph) {
    const Tensor edge_weights = weights.contiguous();
    const Tensor vectors = x.contiguous();
    keep_graph(context, graph);
    context->saved_data["weights_have_gradient"] = weights.requires_grad();
    context->saved_data["x_has_gradient"] = x.requires_grad();
    context->save_for_backward({edge_weights, vectors});
    return aggregate_along(graph->by_receiver(), edge_weights, vectors);
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const DirectedGraph& graph = graph_of(context);
    const Tensor slope = gradients[0].contiguous();
    Tensor by_weights;
    Tensor by_x;
    if (context->saved_data["weights_have_gradient"].toBool()) {
      by_weights = dots_along(graph.by_receiver(), saved[1], slope);
    }
    if (context->saved_data["x_has_gradient"].toBool()) {
      const bool shared = saved[1].size(1) != saved[0].size(1);
      by_x = shared ? aggregate_heads_along(graph.by_sender(), saved[0], slope)
                    : aggregate_along(graph.by_sender(), saved[0], slope);
    }
    return {by_weights, by_x, Tensor()};
  }
};

struct EdgeDots : torch::autograd::Function<EdgeDots> {
  static Tensor forward(AutogradContext* context, const Tensor& a, const Tensor& b,
                        const DirectedGraph* graph) {
    const Tensor senders = a.contiguous();
    const Tensor receivers = b.contiguous();
    keep_graph(context, graph);
    context->save_for_backward({senders, receivers});
    return dots_along(graph->by_receiver(), senders, receivers);
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const DirectedGraph& graph = graph_of(context);
    const Tensor slope = gradients[0].contiguous();
    return {aggregate_along(graph.by_sender(), slope, saved[1]),
            aggregate_along(graph.by_receiver(), slope, saved[0]), Tensor()};
  }
};

struct EdgeSums : torch::autograd::Function<EdgeSums> {
  static Tensor forward(AutogradContext* context, const Tensor& a, const Tensor& b,
                        const DirectedGraph* graph) {
    const Tensor senders = a.contiguous();
    const Tensor receivers = b.contiguous();
    keep_graph(context, graph);
    Tensor out = torch::empty({graph->num_edges(), a.size(1)}, a.options());
    with_kernels(a, [&](const auto& kernels, auto zero) {
      using T = decltype(zero);
      kernels.edge_sums(graph->by_receiver(), a.size(1), data_of<T>(senders), data_of<T>(receivers),
                        data_of<T>(out));
    });
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const DirectedGraph& graph = graph_of(context);
    const Tensor slope = gradients[0].contiguous();
    return {sums_of_lists(graph.by_sender(), slope), sums_of_lists(graph.by_receiver(), slope),
            Tensor()};
  }
};

struct EdgeSoftmax : torch::autograd::Function<EdgeSoftmax> {
  static Tensor forward(AutogradContext* context, const Tensor& logits,
                        const DirectedGraph* graph) {
    Tensor weights = logits.clone().contiguous();
    with_kernels(weights, [&](const auto& kernels, auto zero) {
      kernels.list_softmax(graph->by_receiver(), weights.size(1), data_of<decltype(zero)>(weights));
    });
    keep_graph(context, graph);
    context->save_for_backward({weights});
    return weights;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const Tensor weights = context->get_saved_variables()[0];
    Tensor slope = gradients[0].clone().contiguous();
    with_kernels(slope, [&](const auto& kernels, auto zero) {
      using T = decltype(zero);
      kernels.list_softmax_backward(graph_of(context).by_receiver(), weights.size(1),
                                    data_of<T>(weights), data_of<T>(slope));
    });
    return {slope, Tensor()};
  }
};

struct Route : torch::autograd::Function<Route> {
  static Tensor forward(AutogradContext* context, const Tensor& c, const Tensor& u,
                        const DirectedGraph* graph, int64_t rounds, double temperature) {
    const HeadShape shape{c.size(1), c.size(2)};
    const Tensor senders = c.contiguous();
    const Tensor first = u.contiguous();
    const auto panels = panels_like(c);
    const auto compared = torch::empty({rounds + 1, panels.numel()}, c.options());
    const auto shares =
        torch::empty({rounds, shape.heads, filled_up(graph->num_edges())}, c.options());
    const auto lengths = torch::empty({rounds, shape.heads, c.size(0)}, c.options());
    Tensor result = torch::empty_like(senders);
    keep_graph(context, graph);
    context->saved_data["temperature"] = temperature;
    context->save_for_backward({panels, compared, shares, lengths});
    with_kernels(c, [&](const auto& kernels, auto zero) {
      using T = decltype(zero);
      kernels.route(*graph, shape, data_of<T>(senders), data_of<T>(first),
                    tape_of<T>(panels, compared, shares, lengths, temperature), data_of<T>(result));
    });
    return result;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor slope = gradients[0].contiguous();
    const Tensor compared = torch::empty_like(saved[0]);
    const Tensor c_panels = torch::empty_like(saved[0]);
    const Tensor edges = torch::empty({saved[2].size(1), saved[2].size(2)}, slope.options());
    Tensor c = torch::empty_like(slope);
    Tensor first = torch::empty_like(slope);
    with_kernels(slope, [&](const auto& kernels, auto zero) {
      using T = decltype(zero);
      kernels.route_backward(graph_of(context), {slope.size(1), slope.size(2)},
                             tape_of<T>(saved[0], saved[1], saved[2], saved[3],
                                        context->saved_data["temperature"].toDouble()),
                             {data_of<T>(slope), data_of<T>(compared), data_of<T>(c_panels),
                              data_of<T>(edges), data_of<T>(c), data_of<T>(first)});
    });
    return {c, first, Tensor(), Tensor(), Tensor()};
  }

 private:
  static Tensor panels_like(const Tensor& vectors) {
    const int64_t parts = panels_of_head({vectors.size(1), vectors.size(2)});
    return torch::empty({vectors.size(1) * parts, vectors.size(0), kPanelWidth}, vectors.options());
  }

  template <typename T>
  static RoutingTape<T> tape_of(const Tensor& c, const Tensor& compared, const Tensor& shares,
                                const Tensor& lengths, double temperature) {
    return {shares.size(0),     static_cast<T>(1 / temperature),
            data_of<T>(c),      data_of<T>(compared),
            data_of<T>(shares), data_of<T>(lengths)};
  }
};

}  // namespace

Tensor route(const DirectedGraph& graph, const Tensor& c, const Tensor& u, int64_t rounds,
             double temperature) {
  return Route::apply(c, u, &graph, rounds, temperature);
}

Tensor aggregate(const DirectedGraph& graph, const Tensor& weights, const Tensor& x) {
  return Aggregate::apply(weights, x, &graph);
}

Tensor propagate(const DirectedGraph& graph, const Tensor& weights, const Tensor& x) {
  return aggregate(graph, weights.view({-1, 1}), x.unsqueeze(1)).squeeze(1);
}

Tensor edge_dots(const DirectedGraph& graph, const Tensor& a, const Tensor& b) {
  return EdgeDots::apply(a, b, &graph);
}

Tensor edge_sums(const DirectedGraph& graph, const Tensor& a, const Tensor& b) {
  return EdgeSums::apply(a, b, &graph);
}

Tensor edge_softmax(const DirectedGraph& graph, const Tensor& logits) {
  return EdgeSoftmax::apply(logits, &graph);
}

}  // namespace disenlink::detail
