#include "disenlink/split.h"

#include <cmath>

#include "core/fail.h"
#include "core/hash.h"
#include "graph/pair_set.h"
#include "split/protocols.h"

namespace disenlink {
namespace {

void check_options(const SplitOptions& options) {
  const auto is_share = [](double share) { return share > 0 && share < 1; };
  if (!is_share(options.valid_share) || !is_share(options.test_share) ||
      options.valid_share + options.test_share >= 1) {
    detail::fail_usage(
        "validation share {} and test share {} given, expected both above 0 and less than 1 "
        "together",
        options.valid_share, options.test_share);
  }
  if (options.negatives < 1) {
    detail::fail_usage("{} negatives per positive given, expected at least 1", options.negatives);
  }
}

}  // namespace

std::string_view protocol_name(Protocol protocol) {
  switch (protocol) {
    case Protocol::kStrict:
      return "strict";
    case Protocol::kPublished:
      return "published";
    default:
      return "foreign";
  }
}

Protocol parse_protocol(std::string_view name) {
  for (const Protocol protocol : {Protocol::kStrict, Protocol::kPublished}) {
    if (name == protocol_name(protocol)) {
      return protocol;
    }
  }
  detail::fail_usage("unknown protocol '{}', expected strict or published", name);
}

MessageGraph EdgeSplit::message_graph() const { return {num_nodes, train.positives}; }

std::string EdgeSplit::fingerprint() const {
  uint64_t value = detail::kHashStart;
  for (const auto& [name, part] : parts()) {
    value = detail::mix(value, part->positives.size());
    for (const NodePair pair : part->positives) {
      value = detail::mix(value, detail::pair_key(pair));
    }
  }
  return fmt::format("{:016x}", value);
}

std::array<std::pair<std::string_view, const SplitPart*>, 3> EdgeSplit::parts() const {
  return {{{"train", &train}, {"valid", &valid}, {"test", &test}}};
}

std::array<std::pair<std::string_view, SplitPart*>, 3> EdgeSplit::parts() {
  return {{{"train", &train}, {"valid", &valid}, {"test", &test}}};
}

EdgeSplit split_edges(const Graph& graph, const SplitOptions& options) {
  check_options(options);
  EdgeSplit split;
  split.protocol = options.protocol;
  split.seed = options.seed;
  split.negatives_per_positive = options.negatives;
  split.num_nodes = graph.num_nodes();
  split.graph_name = graph.name();
  split.graph_fingerprint = graph.fingerprint();
  if (options.protocol == Protocol::kPublished) {
    detail::split_published(graph, options, split);
  } else {
    detail::split_strict(graph, options, split);
  }
  return split;
}

namespace detail {

PartSizes part_sizes(int64_t num_links, const SplitOptions& options) {
  // The shares come as decimal fractions: without the allowance 0.85 * 100 would give 84.
  constexpr double kRounding = 1e-9;
  const double held_share = options.valid_share + options.test_share;
  const auto floor_of = [](double value) {
    return static_cast<int64_t>(std::floor(value + kRounding));
  };
  PartSizes sizes;
  sizes.train = floor_of((1 - held_share) * static_cast<double>(num_links));
  const int64_t held = num_links - sizes.train;
  sizes.test = floor_of(static_cast<double>(held) * options.test_share / held_share);
  sizes.valid = held - sizes.test;
  if (sizes.train < 1 || sizes.valid < 1 || sizes.test < 1) {
    fail(
        "{} links cannot be split into training ({}), validation ({}) and test ({}) links: every "
        "part needs at least one; larger shares (--valid-share, --test-share) may help",
        num_links, sizes.train, sizes.valid, sizes.test);
  }
  return sizes;
}

void deal_positives(std::vector<NodePair> shuffled, const PartSizes& sizes, EdgeSplit& split) {
  const auto test_begin = shuffled.begin() + sizes.train;
  const auto valid_begin = test_begin + sizes.test;
  split.test.positives.assign(test_begin, valid_begin);
  split.valid.positives.assign(valid_begin, shuffled.end());
  shuffled.resize(sizes.train);
  split.train.positives = std::move(shuffled);
}

}  // namespace detail
}  // namespace disenlink
