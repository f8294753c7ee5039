#include <fmt/format.h>

#include <algorithm>

#include "core/percent.h"
#include "core/text.h"
#include "disenlink/statistics.h"
#include "graph/column_ranges.h"
#include "graph/row_hash.h"

namespace disenlink {
namespace {

using detail::ColumnRange;
using detail::percent;
using Sentences = std::vector<std::string>;

constexpr double kLargeHubShare = 0.1;   // of all links
constexpr int64_t kSmallestHub = 20;     // in tiny graphs every node has a large share
constexpr double kUnequalScales = 1000;  // largest over smallest column magnitude

// Texas's node table, which Geom-GCN's Cornell folder holds as well: the sum of its row hashes (no
// order of rows matters), and the same with every node's number of neighbours mixed in.
constexpr uint64_t kTexasNodes = 0x5da12c40f73f01e1ULL;
constexpr uint64_t kTexasNodesAndLinks = 0x77308b34df871753ULL;

void about_rows(const GraphStatistics& s, Sentences& out) {
  const int64_t repeated = s.raw_edge_rows - s.distinct_directed_edges;
  if (repeated > 0) {
    out.push_back(
        fmt::format("{} of {} link rows repeat an earlier row: a split by rows can put one copy in "
                    "training and "
                    "another in the test; split by pairs, which counts every link once.",
                    repeated, s.raw_edge_rows));
  }
  if (s.self_loops > 0) {
    out.push_back(
        fmt::format("{} of {} link rows link a node to itself: they are no links between two nodes "
                    "and are left "
                    "out wherever links are counted as pairs.",
                    s.self_loops, s.raw_edge_rows));
  }
}

void about_directions(const GraphStatistics& s, Sentences& out) {
  if (s.reciprocated_fraction == 1) {
    out.push_back(fmt::format(
        "Every link is stored in both directions ({} rows for {} links): a split by rows leaks, "
        "because the reverse of most test links is in the training part and scores come out too "
        "high; split by pairs.",
        s.raw_edge_rows - s.self_loops, s.undirected_unique_edges));
  } else if (s.reciprocated_fraction > 0) {
    out.push_back(fmt::format(
        "{:.1f} % of the link rows are stored in both directions: a split by rows leaks for these, "
        "because the reverse of a test link can be in the training part; split by pairs.",
        100 * s.reciprocated_fraction));
  }
}

void about_shape(const Graph& graph, const GraphStatistics& s, Sentences& out) {
  if (s.isolated_nodes > 0) {
    out.push_back(fmt::format(
        "{} of {} nodes have no link to another node: what is predicted for them rests on their "
        "features alone.",
        s.isolated_nodes, s.nodes));
  }
  if (s.components > 1 && s.components > s.isolated_nodes) {
    out.push_back(fmt::format(
        "The graph falls into {} components; the largest holds {} of {} nodes ({:.1f} %). No path "
        "leads from one to another, so measures based on paths say nothing across them.",
        s.components, s.largest_component, s.nodes, percent(s.largest_component, s.nodes)));
  }
  const double hub_percent = percent(s.max_degree, s.undirected_unique_edges);
  if (s.max_degree >= kSmallestHub && hub_percent >= 100 * kLargeHubShare) {
    int64_t hub = 0;
    while (graph.adjacency().degree(static_cast<NodeId>(hub)) < s.max_degree) {
      ++hub;
    }
    out.push_back(fmt::format(
        "Node {} takes part in {} of {} links ({:.1f} %): scoring by degree alone already looks "
        "good here; compare with a baseline such as preferential attachment.",
        detail::quoted(graph.names().name(hub)), s.max_degree, s.undirected_unique_edges,
        hub_percent));
  }
}

void about_scales(const Features& features, std::span<const ColumnRange> ranges, Sentences& out) {
  const auto column_name = [&](const ColumnRange* range) {
    const auto column = static_cast<size_t>(range - ranges.data());
    return features.column_names().empty() ? fmt::format("{}", column)
                                           : detail::quoted(features.column_names()[column]);
  };
  const ColumnRange* smallest = nullptr;
  const ColumnRange* largest = nullptr;
  for (const ColumnRange& range : ranges) {
    if (range.is_constant()) {
      continue;
    }
    if (smallest == nullptr || range.magnitude() < smallest->magnitude()) {
      smallest = &range;
    }
    if (largest == nullptr || range.magnitude() > largest->magnitude()) {
      largest = &range;
    }
  }
  if (smallest != nullptr && largest->magnitude() > kUnequalScales * smallest->magnitude()) {
    out.push_back(fmt::format(
        "Features differ widely in scale: column {} goes from {:g} to {:g}, column {} only from "
        "{:g} to {:g}. The large ones drown the small ones; bring the columns to one scale first.",
        column_name(largest), largest->smallest, largest->largest, column_name(smallest),
        smallest->smallest, smallest->largest));
  }
}

void about_features(const Graph& graph, const GraphStatistics& s, Sentences& out) {
  if (graph.features().empty()) {
    out.push_back(
        "There are no features: a model has only the links to learn from. If the nodes have "
        "attributes, give them as a node table or a features file.");
    return;
  }
  if (s.zero_feature_rows > 0) {
    out.push_back(fmt::format(
        "{} of {} nodes have no non-zero feature: a model that looks at features cannot tell them "
        "apart.",
        s.zero_feature_rows, s.nodes));
  }
  if (s.duplicate_nodes > 0) {
    out.push_back(fmt::format(
        "{} of {} nodes have the same features and the same neighbours as another node: whoever "
        "has seen one copy knows the links of the other, so test scores come out too high; remove "
        "the copies where that matters.",
        s.duplicate_nodes, s.nodes));
  }
  const auto ranges = detail::column_ranges(graph.features());
  const auto constant = std::ranges::count_if(ranges, &ColumnRange::is_constant);
  if (constant > 0) {
    out.push_back(fmt::format(
        "{} of {} feature columns have the same value for every node: they tell nothing and can be "
        "dropped.",
        constant, s.features));
  }
  about_scales(graph.features(), ranges, out);
}

void about_labels(const GraphStatistics& s, Sentences& out) {
  if (!s.classes) {
    out.push_back(
        "There are no labels: homophily cannot be measured. Link prediction does not need them.");
  } else if (*s.unlabelled > 0) {
    out.push_back(fmt::format(
        "{} of {} nodes have no label: their links are left out of the homophily. Link prediction "
        "does not need labels.",
        *s.unlabelled, s.nodes));
  }
}

bool has_texas_nodes_but_other_links(const Graph& graph) {
  if (graph.labels().empty()) {
    return false;
  }
  uint64_t nodes = 0;
  uint64_t nodes_and_links = 0;
  for (int64_t i = 0; i < graph.num_nodes(); ++i) {
    const uint64_t row = detail::mix(detail::hash_row(graph.features(), i),
                                     static_cast<uint64_t>(graph.labels()[i]));
    nodes += row;
    nodes_and_links +=
        detail::mix(row, static_cast<uint64_t>(graph.adjacency().degree(static_cast<NodeId>(i))));
  }
  return nodes == kTexasNodes && nodes_and_links != kTexasNodesAndLinks;
}

void about_faulty_cornell(const Graph& graph, Sentences& out) {
  if (has_texas_nodes_but_other_links(graph)) {
    out.push_back(
        "Features and labels are those of the Texas graph, but the links are not: this is the "
        "faulty Cornell of the Geom-GCN files, whose node file is a copy of Texas's. Features and "
        "labels say nothing about these nodes; use the dataset 'cornell', which has the right "
        "ones.");
  }
}

}  // namespace

std::vector<std::string> oddities(const Graph& graph, const GraphStatistics& statistics) {
  Sentences sentences;
  about_faulty_cornell(graph, sentences);
  about_directions(statistics, sentences);
  about_rows(statistics, sentences);
  about_shape(graph, statistics, sentences);
  about_features(graph, statistics, sentences);
  about_labels(statistics, sentences);
  return sentences;
}

}  // namespace disenlink
