#include "data/musae.h"

#include <algorithm>
#include <limits>

#include "core/fail.h"
#include "data/edge_list.h"
#include "data/folder_files.h"
#include "data/musae_parts.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "musae_";
constexpr std::string_view kEdges = "_edges.csv";
constexpr std::string_view kFeatures = "_features.json";
constexpr std::string_view kTarget = "_target.csv";

struct Sources {
  fs::path folder;
  std::vector<NodePair> arcs;
  FeatureLists features;
  TargetTable target;
};

// Largest id + 1. Ids are row numbers, so one far beyond the number of times that any node is
// named is damage, and would cost memory.
int64_t count_nodes(const Sources& sources) {
  int64_t largest = -1;
  const auto see = [&](NodeId node) { largest = std::max<int64_t>(largest, node); };
  for (const NodePair arc : sources.arcs) {
    see(arc.source);
    see(arc.target);
  }
  std::for_each(sources.features.nodes.begin(), sources.features.nodes.end(), see);
  std::for_each(sources.target.nodes.begin(), sources.target.nodes.end(), see);
  constexpr int64_t kFewNodes = 1000;
  const auto mentions = static_cast<int64_t>(
      2 * sources.arcs.size() + sources.features.nodes.size() + sources.target.nodes.size());
  if (largest > kFewNodes && largest > 2 * mentions) {
    fail_in(sources.folder,
            "names node {}, but the files hold only {} node numbers in all; expected nodes to be "
            "numbered from 0",
            largest, mentions);
  }
  return largest + 1;
}

// Distinct ids in ascending order: the columns that stay.
std::vector<int32_t> used_features(const FeatureLists& lists) {
  std::vector<int32_t> used = lists.features;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

Features make_features(const FeatureLists& lists, const std::vector<int32_t>& used,
                       int64_t num_nodes) {
  std::vector<int64_t> list_of_node(num_nodes, -1);
  for (size_t i = 0; i < lists.nodes.size(); ++i) {
    list_of_node[lists.nodes[i]] = static_cast<int64_t>(i);
  }
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;
  columns.reserve(lists.features.size());
  for (const int64_t list : list_of_node) {
    for (int64_t i = list < 0 ? 0 : lists.offsets[list]; list >= 0 && i < lists.offsets[list + 1];
         ++i) {
      columns.push_back(static_cast<int32_t>(
          std::lower_bound(used.begin(), used.end(), lists.features[i]) - used.begin()));
    }
    offsets.push_back(static_cast<int64_t>(columns.size()));
  }
  std::vector<float> ones(columns.size(), 1.0F);
  return Features::sparse(static_cast<int64_t>(used.size()), std::move(offsets), std::move(columns),
                          std::move(ones));
}

void add_features(const Sources& sources, GraphParts& parts) {
  const std::vector<int32_t> used = used_features(sources.features);
  parts.features = make_features(sources.features, used, parts.num_nodes);
  const auto num_used = static_cast<int64_t>(used.size());
  const int64_t num_ids = used.empty() ? 0 : used.back() + int64_t{1};
  if (num_used < num_ids) {
    // Columns are no longer the ids of the file, so they carry them as names.
    std::vector<std::string> names;
    std::transform(used.begin(), used.end(), std::back_inserter(names),
                   [](int32_t id) { return std::to_string(id); });
    parts.features.set_column_names(std::move(names));
    parts.notes.push_back(
        fmt::format("{} of {} feature columns are zero for every node and were dropped",
                    num_ids - num_used, num_ids));
  }
  const auto listed = static_cast<int64_t>(sources.features.nodes.size());
  if (listed < parts.num_nodes) {
    parts.notes.push_back(fmt::format("{} of {} nodes are not in the features file and have none",
                                      parts.num_nodes - listed, parts.num_nodes));
  }
}

void add_labels(const TargetTable& target, GraphParts& parts) {
  parts.notes.insert(parts.notes.end(), target.notes.begin(), target.notes.end());
  if (target.nodes.empty()) {
    return;
  }
  parts.labels.assign(parts.num_nodes, -1);
  for (size_t i = 0; i < target.nodes.size(); ++i) {
    parts.labels[target.nodes[i]] = target.labels[i];
  }
  const auto labelled = static_cast<int64_t>(target.nodes.size());
  if (labelled < parts.num_nodes) {
    parts.notes.push_back(fmt::format("{} of {} nodes are not in the target file: no label",
                                      parts.num_nodes - labelled, parts.num_nodes));
  }
}

}  // namespace

bool is_musae(const fs::path& folder) {
  return !files_called(folder, kPrefix, kEdges).empty() &&
         !files_called(folder, "", kFeatures).empty();
}

GraphParts read_musae(const fs::path& folder, const ReadOptions& options) {
  const FolderFile edges = single_file_called(folder, kPrefix, kEdges);
  Sources sources{.folder = folder, .arcs = {}, .features = {}, .target = {}};
  sources.features = read_feature_lists(single_file_called(folder, "", kFeatures).path, options);
  if (!files_called(folder, kPrefix, kTarget).empty()) {
    sources.target = read_target_table(single_file_called(folder, kPrefix, kTarget).path, options);
  }
  // How many nodes there are is only known after the edges, so any number is a name.
  sources.arcs =
      read_edge_list(edges.path, NodeNames::numbered(std::numeric_limits<NodeId>::max()), options);

  GraphParts parts;
  parts.name = edges.middle;
  parts.num_nodes = count_nodes(sources);
  add_features(sources, parts);
  add_labels(sources.target, parts);
  parts.arcs = std::move(sources.arcs);
  return parts;
}

}  // namespace disenlink::detail
