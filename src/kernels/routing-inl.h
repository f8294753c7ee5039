// Neighbourhood routing between channels, and its gradient.
//
// One pass over the edges with whole vectors would wait for the third-level cache at every edge.
// Cut into panels of a few columns, all nodes' vectors stay in the second level: agreements channel
// by channel, softmax over the channels edge by edge, sums channel by channel. On the way back a
// panel's block owns its columns of every node, so it may add to senders as it meets them.
#if defined(DISENLINK_ROUTING_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_ROUTING_INL_H
#undef DISENLINK_ROUTING_INL_H
#else
#define DISENLINK_ROUTING_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "kernels/graph_kernels.h"
#include "kernels/parallel.h"
#include "kernels/plain_ops.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

// A vector of no length stays: its direction means nothing.
template <typename T>
constexpr T kLeastLength = static_cast<T>(1e-12);

template <class Ops, typename T>
class Router {
 public:
  Router(const DirectedGraph& graph, HeadShape shape, const RoutingTape<T>& tape)
      : graph_(graph),
        shape_(shape),
        tape_(tape),
        parts_(panels_of_head(shape)),
        panel_(graph.num_nodes() * kPanelWidth),
        edge_step_(filled_up(graph.num_edges())) {}

  void forward(const T* c, const T* first, T* result) const {
    pack(c, tape_.c);
    pack(first, compared(0));
    for (int64_t round = 0; round < tape_.rounds; ++round) {
      T* const shares = shares_of(round);
      dots(compared(round), shares);
      for_each_edge_block(4 * shape_.heads, [&](int64_t begin, int64_t count) HWY_ATTR {
        Ops::softmax_across(shares + begin, count, edge_step_, shape_.heads,
                            tape_.inverse_temperature);
      });
      add_neighbours(round);
    }
    unpack(compared(tape_.rounds), result);
  }

  void backward(const RoutingGradients<T>& gradients) const {
    pack(gradients.result, gradients.compared);
    std::fill_n(gradients.c_panels, shape_.heads * parts_ * panel_, T{0});
    for (int64_t round = tape_.rounds - 1; round >= 0; --round) {
      const T* const shares = shares_of(round);
      lengths_backward(round, gradients.compared);
      dots(gradients.compared, gradients.edges);
      for_each_edge_block(shape_.heads, [&](int64_t begin, int64_t count) HWY_ATTR {
        Ops::softmax_across_backward(shares + begin, gradients.edges + begin, count, edge_step_,
                                     shape_.heads, tape_.inverse_temperature);
      });
      scatter(round, gradients);
    }
    unpack(gradients.compared, gradients.first);
    unpack(gradients.c_panels, gradients.c);
  }

 private:
  static constexpr int64_t kWorkPerBlock = 1 << 18;

  T* compared(int64_t round) const {
    return tape_.compared + round * shape_.heads * parts_ * panel_;
  }
  T* shares_of(int64_t round) const { return tape_.shares + round * shape_.heads * edge_step_; }
  T* lengths_of(int64_t round, int64_t head) const {
    return tape_.lengths + (round * shape_.heads + head) * graph_.num_nodes();
  }

  template <typename Value>
  Panels<Value> panels_of(Value* values, int64_t head) const {
    return {values + head * parts_ * panel_, parts_, panel_};
  }

  // Calls body(begin, count) for blocks of edges, filled up to whole groups.
  template <typename Body>
  void for_each_edge_block(int64_t work_per_edge, Body&& body) const {
    const int64_t grain = kWorkPerBlock / (work_per_edge * kGroupSize) * kGroupSize + kGroupSize;
    parallel_blocks(edge_step_, grain,
                    [&](int64_t begin, int64_t end) { body(begin, end - begin); });
  }

  // Calls body(head, first node, last node), head after head.
  template <typename Body>
  void for_each_head_block(int64_t work_per_edge, Body&& body) const {
    const int64_t nodes = graph_.num_nodes();
    const int64_t work = (graph_.num_edges() + nodes) * work_per_edge;
    const int64_t blocks = std::min(nodes, work / kWorkPerBlock + 1);
    const int64_t grain = (nodes + blocks - 1) / blocks;
    parallel_blocks(shape_.heads * blocks, 1, [&](int64_t index, int64_t) {
      const int64_t begin = index % blocks * grain;
      body(index / blocks, begin, std::min(nodes, begin + grain));
    });
  }

  // (nodes, heads, width) -> panels
  void pack(const T* from, T* to) const {
    for_each_head_block(1, [&](int64_t head, int64_t begin, int64_t end) HWY_ATTR {
      const Panels<T> panels = panels_of(to, head);
      for (int64_t node = begin; node < end; ++node) {
        const T* const vector = from + (node * shape_.heads + head) * shape_.width;
        for (int64_t part = 0; part < parts_; ++part) {
          T* const row = panels.row(part, node);
          const int64_t count = columns_of(part);
          Ops::copy(vector + part * kPanelWidth, count, row);
          std::fill(row + count, row + kPanelWidth, T{0});
        }
      }
    });
  }

  // Panels -> (nodes, heads, width)
  void unpack(const T* from, T* to) const {
    for_each_head_block(1, [&](int64_t head, int64_t begin, int64_t end) HWY_ATTR {
      const Panels<const T> panels = panels_of(from, head);
      for (int64_t node = begin; node < end; ++node) {
        T* const vector = to + (node * shape_.heads + head) * shape_.width;
        for (int64_t part = 0; part < parts_; ++part) {
          Ops::copy(panels.row(part, node), columns_of(part), vector + part * kPanelWidth);
        }
      }
    });
  }

  int64_t columns_of(int64_t part) const {
    return std::min(kPanelWidth, shape_.width - part * kPanelWidth);
  }

  // out[h, s -> t] = own[t, h].c[s, h]
  void dots(const T* own, T* out) const {
    const int64_t blocks_of_edges = edge_step_ / kGroupSize / kGroupsPerBlock + 1;
    parallel_blocks(shape_.heads * blocks_of_edges, 1, [&](int64_t index, int64_t) HWY_ATTR {
      const int64_t head = index / blocks_of_edges;
      const int64_t begin = index % blocks_of_edges * kGroupsPerBlock * kGroupSize;
      const int64_t end = std::min(edge_step_, begin + kGroupsPerBlock * kGroupSize);
      head_dots(panels_of(own, head), panels_of<const T>(tape_.c, head), begin, end,
                out + head * edge_step_);
    });
  }

  void head_dots(const Panels<const T>& own, const Panels<const T>& c, int64_t begin, int64_t end,
                 T* out) const {
    const int32_t* const receivers = graph_.receivers().data();
    const int32_t* const senders = graph_.by_receiver().others.data();
    const int64_t whole = std::min(end, graph_.num_edges() / kGroupSize * kGroupSize);
    for (; begin < whole; begin += kGroupSize) {
      Ops::panel_dots(own, receivers + begin, c, senders + begin, out + begin);
    }
    if (begin < end) {
      int32_t last_receivers[kGroupSize] = {};
      int32_t last_senders[kGroupSize] = {};
      std::copy(receivers + begin, receivers + graph_.num_edges(), last_receivers);
      std::copy(senders + begin, senders + graph_.num_edges(), last_senders);
      Ops::panel_dots(own, last_receivers, c, last_senders, out + begin);
    }
  }

  // The next vectors to compare with, and their lengths.
  void add_neighbours(int64_t round) const {
    const EdgeLists& lists = graph_.by_receiver();
    for_each_head_block(shape_.width, [&](int64_t head, int64_t begin, int64_t end) HWY_ATTR {
      const Panels<const T> c = panels_of<const T>(tape_.c, head);
      const Panels<T> out = panels_of(compared(round + 1), head);
      const T* const shares = shares_of(round) + head * edge_step_;
      T* const lengths = lengths_of(round, head);
      for (int64_t node = begin; node < end; ++node) {
        const int64_t first = lists.offsets[node];
        Ops::panel_sum(out, c, node, lists.others.data() + first, shares + first,
                       lists.offsets[node + 1] - first);
        lengths[node] = normalise(out, node);
      }
    });
  }

  // Returns the length that the vector had.
  T normalise(const Panels<T>& vectors, int64_t node) const {
    T square = 0;
    for (int64_t part = 0; part < parts_; ++part) {
      square += Ops::dot(vectors.row(part, node), vectors.row(part, node), kPanelWidth);
    }
    const T length = std::max(kLeastLength<T>, std::sqrt(square));
    for (int64_t part = 0; part < parts_; ++part) {
      T* const row = vectors.row(part, node);
      Ops::blend(row, 1 / length, row, T{0}, row, kPanelWidth);
    }
    return length;
  }

  // Through the unit length: from gradients of the vectors to those of the sums, in place.
  void lengths_backward(int64_t round, T* slopes) const {
    for_each_head_block(1, [&](int64_t head, int64_t begin, int64_t end) HWY_ATTR {
      const Panels<T> slope = panels_of(slopes, head);
      const Panels<T> vectors = panels_of(compared(round + 1), head);
      const T* const lengths = lengths_of(round, head);
      for (int64_t node = begin; node < end; ++node) {
        T along = 0;
        for (int64_t part = 0; lengths[node] > kLeastLength<T> && part < parts_; ++part) {
          along += Ops::dot(slope.row(part, node), vectors.row(part, node), kPanelWidth);
        }
        for (int64_t part = 0; part < parts_; ++part) {
          T* const row = slope.row(part, node);
          Ops::blend(row, 1 / lengths[node], row, -along / lengths[node], vectors.row(part, node),
                     kPanelWidth);
        }
      }
    });
  }

  // From gradients of sums and agreements to those of what was sent and compared with.
  void scatter(int64_t round, const RoutingGradients<T>& gradients) const {
    const EdgeLists& lists = graph_.by_receiver();
    parallel_blocks(shape_.heads * parts_, 1, [&](int64_t index, int64_t) HWY_ATTR {
      const int64_t head = index / parts_;
      const T* const shares = shares_of(round) + head * edge_step_;
      const T* const slopes = gradients.edges + head * edge_step_;
      const int64_t panel = index * panel_;
      for (int64_t node = 0; node < graph_.num_nodes(); ++node) {
        const int64_t first = lists.offsets[node];
        T* const own = gradients.compared + panel + node * kPanelWidth;
        Ops::axpy(gradients.c_panels + panel + node * kPanelWidth, T{1}, own, kPanelWidth);
        Ops::panel_scatter(own, compared(round) + panel + node * kPanelWidth, tape_.c + panel,
                           gradients.c_panels + panel, lists.others.data() + first, shares + first,
                           slopes + first, lists.offsets[node + 1] - first);
      }
    });
  }

  static constexpr int64_t kGroupsPerBlock = 512;

  const DirectedGraph& graph_;
  HeadShape shape_;
  RoutingTape<T> tape_;
  int64_t parts_;  // panels of a head
  int64_t panel_;  // values of one
  int64_t edge_step_;
};

template <class Ops, typename T>
void route(const DirectedGraph& graph, HeadShape shape, const T* c, const T* first,
           const RoutingTape<T>& tape, T* result) {
  Router<Ops, T>(graph, shape, tape).forward(c, first, result);
}

template <class Ops, typename T>
void route_backward(const DirectedGraph& graph, HeadShape shape, const RoutingTape<T>& tape,
                    const RoutingGradients<T>& gradients) {
  Router<Ops, T>(graph, shape, tape).backward(gradients);
}

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
