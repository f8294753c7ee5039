#include "data/planted_links.h"

#include <algorithm>
#include <memory>
#include <nanoflann.hpp>

#include "core/fail.h"
#include "disenlink/interrupt.h"
#include "disenlink/random.h"
#include "graph/pair_set.h"
#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kSmallestBatch = 256;
constexpr int64_t kLargestBatch = int64_t{1} << 18;
// Drawing stops when fewer than one in kWorstRate of the last kWindow draws was a new link.
constexpr int64_t kWindow = int64_t{1} << 16;
constexpr int64_t kWorstRate = 100;

// Exact nearest neighbours on one factor.
class NearestNodes {
 public:
  NearestNodes(const PlantedPositions& positions, int64_t factor)
      : points_{positions, factor},
        tree_(static_cast<int32_t>(positions.dimensions()), points_,
              nanoflann::KDTreeSingleIndexAdaptorParams(kLeafSize)) {}

  struct Workspace {
    std::vector<uint32_t> nodes;
    std::vector<float> distances;
  };

  // The node that is `rank`-th nearest (from 0) without the node itself.
  NodeId find(NodeId node, int64_t rank, Workspace& workspace) const {
    const size_t wanted = static_cast<size_t>(rank) + 2;
    workspace.nodes.resize(wanted);
    workspace.distances.resize(wanted);
    tree_.knnSearch(points_.positions.of(points_.factor, node).data(), wanted,
                    workspace.nodes.data(), workspace.distances.data());
    std::erase(workspace.nodes, static_cast<uint32_t>(node));
    return static_cast<NodeId>(workspace.nodes[rank]);
  }

 private:
  static constexpr size_t kLeafSize = 16;

  struct Points {
    const PlantedPositions& positions;
    int64_t factor;

    size_t kdtree_get_point_count() const { return static_cast<size_t>(positions.num_nodes()); }
    float kdtree_get_pt(uint32_t node, size_t dimension) const {
      return positions.of(factor, node)[dimension];
    }
    template <typename Box>
    bool kdtree_get_bbox(Box&) const {
      return false;
    }
  };

  using Distance = nanoflann::L2_Simple_Adaptor<float, Points, float, uint32_t>;

  Points points_;
  nanoflann::KDTreeSingleIndexAdaptor<Distance, Points, -1, uint32_t> tree_;
};

struct Proposal {
  int32_t factor;
  NodeId source;
  int32_t rank;  // of the target among the nearest of the source
  NodeId target;
};

// Proposals come from one stream and are looked up in parallel; batches only bound the memory.
class ProposalStream {
 public:
  ProposalStream(const PlantedPositions& positions, const GenerateOptions& options)
      : options_(options), random_(options.seed, "links") {
    for (int64_t factor = 0; factor < options.factors; ++factor) {
      check_interrupt();
      nearest_.push_back(std::make_unique<NearestNodes>(positions, factor));
    }
  }

  std::span<const Proposal> next(int64_t count) {
    batch_.resize(count);
    for (Proposal& proposal : batch_) {
      proposal.factor = static_cast<int32_t>(random_.below(options_.factors));
      proposal.source = static_cast<NodeId>(random_.below(options_.nodes));
      proposal.rank = static_cast<int32_t>(random_.below(options_.nearest));
    }
    parallel_blocks(count, 1024, [&](int64_t begin, int64_t end) {
      check_interrupt();
      NearestNodes::Workspace workspace;
      for (Proposal& proposal : std::span(batch_).subspan(begin, end - begin)) {
        proposal.target =
            nearest_[proposal.factor]->find(proposal.source, proposal.rank, workspace);
      }
    });
    return batch_;
  }

 private:
  const GenerateOptions& options_;
  Random random_;
  std::vector<std::unique_ptr<NearestNodes>> nearest_;
  std::vector<Proposal> batch_;
};

[[noreturn]] void fail_to_reach(const GenerateOptions& options, int64_t found, int64_t draws) {
  fail(
      "generate: {} distinct links asked for, but {} draws gave only {}: {} nodes with {} factors "
      "and {} nearest nodes allow few more. Ask for fewer links, or raise nodes, factors or "
      "nearest",
      options.links, draws, found, options.nodes, options.factors, options.nearest);
}

}  // namespace

PlantedLinks draw_planted_links(const PlantedPositions& positions, const GenerateOptions& options) {
  PlantedLinks links;
  links.arcs.reserve(options.links);
  links.factors.reserve(options.links);
  PairSet linked(options.links);
  ProposalStream stream(positions, options);
  int64_t draws = 0;
  int64_t found_before_window = 0;
  for (;;) {
    const auto found = static_cast<int64_t>(links.arcs.size());
    const int64_t missing = options.links - found;
    if (missing == 0) {
      return links;
    }
    for (const Proposal& proposal :
         stream.next(std::clamp(missing + missing / 8, kSmallestBatch, kLargestBatch))) {
      const auto reached = static_cast<int64_t>(links.arcs.size());
      if (reached == options.links) {
        break;
      }
      if (++draws % kWindow == 0) {
        if ((reached - found_before_window) * kWorstRate < kWindow) {
          fail_to_reach(options, reached, draws);
        }
        found_before_window = reached;
      }
      const NodePair arc{proposal.source, proposal.target};
      if (linked.insert(unordered_key(arc))) {
        links.arcs.push_back(arc);
        links.factors.push_back(proposal.factor);
      }
    }
  }
}

}  // namespace disenlink::detail
