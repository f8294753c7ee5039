#include <algorithm>
#include <limits>
#include <optional>

#include "core/fail.h"
#include "core/text.h"
#include "data/npy_features.h"
#include "data/numpy.h"
#include "data/zip_archive.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEdges = "edges.npy";
constexpr std::string_view kFeatureNames[] = {"node_features.npy", "features.npy"};
constexpr std::string_view kLabelNames[] = {"node_labels.npy", "label.npy", "labels.npy"};
constexpr std::string_view kTarget = "target.npy";  // class numbers in some files, else a quantity
constexpr std::string_view kExpectedEntries =
    "expected edges.npy with node_features.npy or features.npy, and node_labels.npy, label.npy or "
    "labels.npy where there are labels";
constexpr std::string_view kAdjacencyEnd = "_adj.npy";
constexpr std::string_view kFeaturesEnd = "_feat.npy";
constexpr std::string_view kLabelsEnd = "_label.npy";

template <typename Names>
std::optional<std::string_view> first_present(const ZipArchive& archive, const Names& names) {
  const auto found = std::find_if(std::begin(names), std::end(names),
                                  [&](std::string_view name) { return archive.contains(name); });
  return found == std::end(names) ? std::nullopt : std::optional(*found);
}

Features read_features_entry(const ZipArchive& archive, std::string_view name) {
  NpyReader reader(archive.open(name));
  return read_feature_table(reader);
}

std::vector<int32_t> read_labels_entry(const ZipArchive& archive, std::string_view name) {
  const IntegerArray array = read_integers(archive.open(name));
  const std::vector<int64_t>& shape = array.header.shape;
  if (shape.size() == 2 && shape[1] != 1) {
    fail_in(array.label, "is a table of {}, expected one label a node", array.header.shape_text());
  }
  std::vector<int32_t> labels;
  labels.reserve(array.values.size());
  for (const int64_t label : array.values) {
    if (label < -1 || label > std::numeric_limits<int32_t>::max()) {
      fail_in(array.label, "node {} has label {}, expected a class number, or -1 for none",
              labels.size(), label);
    }
    labels.push_back(static_cast<int32_t>(label));
  }
  return labels;
}

void check_label_count(const ZipArchive& archive, const GraphParts& parts) {
  const auto count = static_cast<int64_t>(parts.labels.size());
  if (count != 0 && count != parts.num_nodes) {
    fail_in(archive.path(), "has {} labels for {} nodes", count, parts.num_nodes);
  }
}

// One link a row (E x 2), or sources in one row and targets in the other (2 x E).
std::vector<NodePair> read_edges_entry(const ZipArchive& archive, int64_t num_nodes) {
  const IntegerArray edges = read_integers(archive.open(kEdges));
  const std::vector<int64_t>& shape = edges.header.shape;
  if (shape.size() != 2 || (shape[0] != 2 && shape[1] != 2)) {
    fail_in(edges.label, "is an array of {}, expected links x 2", edges.header.shape_text());
  }
  const bool one_link_a_row = shape[1] == 2;
  const auto count = static_cast<size_t>(shape[one_link_a_row ? 0 : 1]);
  const bool ends_are_adjacent = one_link_a_row != edges.header.fortran_order;
  const size_t link_step = ends_are_adjacent ? 2 : 1;
  const size_t end_step = ends_are_adjacent ? 1 : count;
  std::vector<NodePair> arcs(count);
  for (size_t i = 0; i < count; ++i) {
    const int64_t source = edges.values[i * link_step];
    const int64_t target = edges.values[i * link_step + end_step];
    for (const int64_t node : {source, target}) {
      if (node < 0 || node >= num_nodes) {
        fail_in(edges.label, "link {} (from 0) names node {}, expected 0 to {}", i, node,
                num_nodes - 1);
      }
    }
    arcs[i] = {static_cast<NodeId>(source), static_cast<NodeId>(target)};
  }
  return arcs;
}

// `target` holds classes where it is stored as integers.
std::vector<int32_t> read_target(const ZipArchive& archive, std::vector<std::string>& notes) {
  if (!NpyReader(archive.open(kTarget)).header().is_integer()) {
    notes.emplace_back(
        "The array 'target' is not made of integers, so it was not taken as labels.");
    return {};
  }
  return read_labels_entry(archive, kTarget);
}

// True when the path is a zip whose directory satisfies the condition; never throws for others.
template <typename Condition>
bool is_zip_with(const fs::path& path, Condition&& condition) {
  if (!starts_as_zip(path)) {
    return false;
  }
  try {
    return condition(ZipArchive(path, kDefaultMaxInflatedBytes));
  } catch (const Error&) {
    return false;
  }
}

bool is_entry_of(std::string_view name, std::string_view end) {
  return name.ends_with(end) && !name.starts_with("__MACOSX/");
}

std::optional<std::string> find_by_end(const ZipArchive& archive, std::string_view end) {
  std::optional<std::string> found;
  for (const std::string& name : archive.names()) {
    if (!is_entry_of(name, end)) {
      continue;
    }
    if (found) {
      fail_in(archive.path(), "has two entries that end in {}: {} and {}", end,
              detail::quoted(*found), detail::quoted(name));
    }
    found = name;
  }
  return found;
}

// Every non-zero is an arc; row by row whatever the order in the file.
void read_dense_adjacency(const ZipArchive& archive, const std::string& name, GraphParts& parts) {
  NpyReader reader(archive.open(name));
  require_table(reader);
  if (reader.header().shape[0] != reader.header().shape[1]) {
    fail_in(reader.label(), "is a table of {}, expected as many rows as columns",
            reader.header().shape_text());
  }
  parts.num_nodes = reader.header().shape[0];
  for_each_nonzero(reader, [&](int64_t row, int64_t column, float) {
    parts.arcs.push_back({static_cast<NodeId>(row), static_cast<NodeId>(column)});
  });
  if (reader.header().fortran_order) {
    std::sort(parts.arcs.begin(), parts.arcs.end());
  }
}

}  // namespace

bool is_npz_graph(const fs::path& path) {
  return is_zip_with(path, [](const ZipArchive& archive) { return archive.contains(kEdges); });
}

GraphParts read_npz_graph(const fs::path& path, const ReadOptions& options) {
  const ZipArchive archive(path, options.max_inflated_bytes);
  const auto features = first_present(archive, kFeatureNames);
  const auto labels = first_present(archive, kLabelNames);
  if (!archive.contains(kEdges) || (!features && !labels)) {
    fail_in(path, "has the entries {}; {}", archive.names_text(), kExpectedEntries);
  }
  GraphParts parts;
  parts.name = path.stem().string();
  if (features) {
    parts.features = read_features_entry(archive, *features);
    parts.num_nodes = parts.features.num_rows();
  }
  if (labels) {
    parts.labels = read_labels_entry(archive, *labels);
  } else if (archive.contains(kTarget)) {
    parts.labels = read_target(archive, parts.notes);
  }
  if (!features) {
    parts.num_nodes = static_cast<int64_t>(parts.labels.size());
  }
  check_label_count(archive, parts);
  parts.arcs = read_edges_entry(archive, parts.num_nodes);
  return parts;
}

bool is_npy_zip(const fs::path& path) {
  return is_zip_with(path, [](const ZipArchive& archive) {
    return std::any_of(archive.names().begin(), archive.names().end(),
                       [](const std::string& name) { return is_entry_of(name, kAdjacencyEnd); });
  });
}

GraphParts read_npy_zip(const fs::path& path, const ReadOptions& options) {
  const ZipArchive archive(path, options.max_inflated_bytes);
  const auto adjacency = find_by_end(archive, kAdjacencyEnd);
  if (!adjacency) {
    fail_in(path,
            "has the entries {}; expected one that ends in {}, and {} and {} where there are "
            "features and labels",
            archive.names_text(), kAdjacencyEnd, kFeaturesEnd, kLabelsEnd);
  }
  GraphParts parts;
  parts.name = path.stem().string();
  read_dense_adjacency(archive, *adjacency, parts);
  if (const auto features = find_by_end(archive, kFeaturesEnd)) {
    parts.features = read_features_entry(archive, *features);
    if (parts.features.num_rows() != parts.num_nodes) {
      fail_in(path, "has features of {} nodes, but links of {}", parts.features.num_rows(),
              parts.num_nodes);
    }
  }
  if (const auto labels = find_by_end(archive, kLabelsEnd)) {
    parts.labels = read_labels_entry(archive, *labels);
  }
  check_label_count(archive, parts);
  return parts;
}

}  // namespace disenlink::detail
