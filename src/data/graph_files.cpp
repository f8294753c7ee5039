#include "data/graph_files.h"

#include <optional>

#include "core/fail.h"
#include "data/edge_list.h"
#include "data/node_table.h"
#include "data/numpy.h"
#include "disenlink/error.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

// What fixes the number of nodes.
struct NodeSource {
  fs::path path;
  int64_t rows;
  bool has_header = false;
};

void append(std::vector<std::string>& notes, std::vector<std::string> more) {
  notes.insert(notes.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

void require_single_source(bool is_given_twice, std::string_view what, const fs::path& table,
                           const fs::path& file) {
  if (is_given_twice) {
    fail_in(file, "gives {}, but the node table {} has {} as well; expected them in one place",
            what, table.string(), what);
  }
}

void check_rows(const std::optional<NodeSource>& known, const fs::path& path, int64_t rows) {
  if (known && known->rows != rows) {
    fail_in(path, "has {} rows, but {} has {}; expected one row a node in both", rows,
            known->path.string(), known->rows);
  }
}

std::optional<NodeSource> read_nodes(const GraphFiles& files, const ReadOptions& options,
                                     GraphParts& parts) {
  std::optional<NodeSource> source;
  if (!files.nodes.empty()) {
    NodeTable table = read_node_table(files.nodes, options);
    source = {files.nodes, table.names.size(), true};
    parts.names = std::move(table.names);
    parts.features = std::move(table.features);
    parts.labels = std::move(table.labels);
    append(parts.notes, std::move(table.notes));
  }
  if (!files.features.empty()) {
    require_single_source(!parts.features.empty(), "features", files.nodes, files.features);
    parts.features = read_features(files.features, options);
    check_rows(source, files.features, parts.features.num_rows());
    source = source ? source : NodeSource{files.features, parts.features.num_rows()};
  }
  if (!files.labels.empty()) {
    require_single_source(!parts.labels.empty(), "labels", files.nodes, files.labels);
    parts.labels = read_label_lines(files.labels, options);
    check_rows(source, files.labels, static_cast<int64_t>(parts.labels.size()));
    source = source ? source : NodeSource{files.labels, static_cast<int64_t>(parts.labels.size())};
  }
  return source;
}

// The edge reader knows only how many nodes there are; a user also wants to know which file said
// so.
std::vector<NodePair> read_known_edges(const fs::path& edges, const NodeNames& names,
                                       const NodeSource& source, const ReadOptions& options) {
  try {
    return read_edge_list(edges, names, options);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    fail("{}; nodes are the {} rows of {}{}", error.what(), source.rows, source.path.string(),
         source.has_header ? " below its header" : "");
  }
}

}  // namespace

GraphParts read_graph_files(const GraphFiles& files, const ReadOptions& options) {
  if (files.edges.empty()) {
    fail_usage("no file of edges is given; a graph needs one");
  }
  GraphParts parts;
  const std::optional<NodeSource> source = read_nodes(files, options, parts);
  if (!source) {
    EdgeList list = read_edge_list(files.edges, options);
    parts.num_nodes = list.num_nodes;
    parts.arcs = std::move(list.arcs);
    parts.names = std::move(list.names);
    parts.notes = std::move(list.notes);
    return parts;
  }
  parts.num_nodes = source->rows;
  if (files.nodes.empty()) {
    parts.names = NodeNames::numbered(source->rows);
  }
  parts.arcs = read_known_edges(files.edges, parts.names, *source, options);
  return parts;
}

}  // namespace disenlink::detail
