// Dividing the links of a graph into training, validation and test parts, under a named protocol.
// docs/protocols.md says what each protocol does and why there are two.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "disenlink/graph.h"

namespace disenlink {

enum class Protocol {
  kStrict,     // unordered pairs, no pair in two parts, negatives are non-links of the whole graph
  kPublished,  // the authors' program: rows are split, so most test links are seen reversed
  kForeign,    // a split made elsewhere and read from files
};

std::string_view protocol_name(Protocol protocol);

// "strict" or "published"; throws UsageError otherwise.
Protocol parse_protocol(std::string_view name);

struct SplitOptions {
  Protocol protocol = Protocol::kStrict;
  double valid_share = 0.05;
  double test_share = 0.10;
  int64_t negatives = 5;  // per positive
  // Negatives from all unlinked pairs under kPublished too, as kStrict always draws them.
  bool uniform_negatives = false;
  uint64_t seed = 1;
};

struct SplitPart {
  std::vector<NodePair> positives;
  std::vector<NodePair> negatives;
};

struct EdgeSplit {
  Protocol protocol = Protocol::kStrict;
  uint64_t seed = 0;
  int64_t negatives_per_positive = 0;
  // negatives[i * m + j] has the head of positives[i]; else both ends were drawn.
  bool negatives_keep_head = false;
  int64_t num_nodes = 0;
  std::string graph_name;
  std::string graph_fingerprint;
  SplitPart train;
  SplitPart valid;
  SplitPart test;

  // What an encoder may see: the training rows and their distinct unordered pairs.
  MessageGraph message_graph() const;

  // Of the links of all parts in their order.
  std::string fingerprint() const;

  // Each part with the name of its files: "train", "valid", "test".
  std::array<std::pair<std::string_view, const SplitPart*>, 3> parts() const;
  std::array<std::pair<std::string_view, SplitPart*>, 3> parts();
};

// The same graph, options and seed give the same split on every machine and thread count. Throws
// Error where the graph has too few links or too few non-links.
EdgeSplit split_edges(const Graph& graph, const SplitOptions& options);

// Writes PART_pos.txt and PART_neg.txt (two tab-separated node names a line) and split.json. The
// folder appears complete or not at all.
void write_split(const EdgeSplit& split, const NodeNames& names,
                 const std::filesystem::path& folder, bool replace = false);

// Reads a folder of that form, also one made elsewhere: split.json and the training negatives may
// be missing, and nodes may be given by name or by row number. A split.json of another graph, or
// that counts other pairs than the files hold, is an error.
EdgeSplit read_split(const std::filesystem::path& folder, const Graph& graph);

// The same without a graph: nodes are whatever the files name. For audits.
EdgeSplit read_split(const std::filesystem::path& folder);

}  // namespace disenlink
