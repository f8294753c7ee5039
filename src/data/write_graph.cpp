#include <fmt/format.h>

#include <iterator>

#include "core/output_file.h"
#include "data/csv_field.h"
#include "data/numpy.h"
#include "disenlink/read.h"

namespace disenlink {
namespace {

namespace fs = std::filesystem;

// Collects rows and writes them in large pieces.
class RowWriter {
 public:
  explicit RowWriter(const fs::path& path) : file_(path) {}

  template <typename... Args>
  void row(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), text, std::forward<Args>(args)...);
    buffer_ += '\n';
    if (buffer_.size() > kFlushBytes) {
      flush();
    }
  }

  void commit() {
    flush();
    file_.commit();
  }

 private:
  static constexpr size_t kFlushBytes = size_t{1} << 20;

  void flush() {
    file_.write(buffer_);
    buffer_.clear();
  }

  detail::OutputFile file_;
  std::string buffer_;
};

std::string node_field(const NodeNames& names, NodeId node) {
  return detail::csv_field(names.name(node), "node name");
}

// Nodes that only the edges mention would be lost where they have no link.
bool only_edges_name_nodes(const Graph& graph) {
  return graph.features().empty() && graph.labels().empty();
}

void write_edges(const Graph& graph, const fs::path& path) {
  RowWriter writer(path);
  const bool is_numbered = graph.names().is_numbered();
  for (const NodePair arc : graph.arcs()) {
    if (is_numbered) {
      writer.row("{},{}", arc.source, arc.target);
    } else {
      writer.row("{},{}", node_field(graph.names(), arc.source),
                 node_field(graph.names(), arc.target));
    }
  }
  writer.commit();
}

void write_nodes(const Graph& graph, const fs::path& path) {
  RowWriter writer(path);
  writer.row("id");
  for (int64_t node = 0; node < graph.num_nodes(); ++node) {
    writer.row("{}", node_field(graph.names(), static_cast<NodeId>(node)));
  }
  writer.commit();
}

void write_labels(const Graph& graph, const fs::path& path) {
  RowWriter writer(path);
  for (const int32_t label : graph.labels()) {
    writer.row("{}", label);
  }
  writer.commit();
}

void write_feature_names(const Features& features, const fs::path& path) {
  RowWriter writer(path);
  writer.row("feature");
  for (const std::string& name : features.column_names()) {
    writer.row("{}", detail::csv_field(name, "feature name"));
  }
  writer.commit();
}

void write_edge_factors(const Graph& graph, const fs::path& path) {
  RowWriter writer(path);
  writer.row("source,target,factor");
  for (size_t i = 0; i < graph.arcs().size(); ++i) {
    writer.row("{},{},{}", node_field(graph.names(), graph.arcs()[i].source),
               node_field(graph.names(), graph.arcs()[i].target), graph.planted_factors()[i]);
  }
  writer.commit();
}

}  // namespace

void write_graph(const Graph& graph, const fs::path& folder, bool replace) {
  detail::OutputFolder output(folder, replace,
                              {"edges.csv", "nodes.csv", "features.np[yz]", "labels.csv",
                               "feature_names.csv", "edge_factors.csv"});
  const fs::path& staging = output.staging();
  write_edges(graph, staging / "edges.csv");
  if (!graph.names().is_numbered() || only_edges_name_nodes(graph)) {
    write_nodes(graph, staging / "nodes.csv");
  }
  if (!graph.features().empty()) {
    detail::write_features(graph.features(), staging);
  }
  if (!graph.labels().empty()) {
    write_labels(graph, staging / "labels.csv");
  }
  if (!graph.features().column_names().empty()) {
    write_feature_names(graph.features(), staging / "feature_names.csv");
  }
  if (!graph.planted_factors().empty()) {
    write_edge_factors(graph, staging / "edge_factors.csv");
  }
  output.commit();
}

}  // namespace disenlink
