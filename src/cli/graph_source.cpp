#include "cli/graph_source.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "core/fail.h"
#include "disenlink/datasets.h"
#include "disenlink/read.h"

namespace disenlink::cli {

void GraphSource::add_options(detail::OptionTable& table, bool positional) {
  table.add({.name = "dataset",
             .help = "A dataset's name (see `disenlink data list`), or a folder or file",
             .target = &dataset_,
             .value_name = "NAME|PATH",
             .positional = positional});
  table.add({.name = "data",
             .help = "Folder of the datasets; else $DISENLINK_DATA, else ../shared/data",
             .target = &data_folder_,
             .value_name = "FOLDER",
             .recorded = false});
  std::vector<std::string> formats;
  for (const FileFormat& format : file_formats()) {
    formats.emplace_back(format.name);
  }
  table.add({.name = "format",
             .help = "Format of a path, where the content does not tell",
             .target = &format_,
             .allowed = std::move(formats)});
  table.add({.name = "edges",
             .help = "Edge list: csv, tsv or blank-separated, gz too",
             .target = &edges_,
             .value_name = "FILE"});
  table.add({.name = "nodes",
             .help = "Node table with a header: id, numbers, words",
             .target = &nodes_,
             .value_name = "FILE"});
  table.add({.name = "features",
             .help = "Features as .npy or scipy .npz; row = node",
             .target = &features_,
             .value_name = "FILE"});
  table.add({.name = "labels",
             .help = "Labels, one integer a line; line = node",
             .target = &labels_,
             .value_name = "FILE"});
  table.add({.name = "label-column",
             .help = "Column of the node table that holds labels",
             .target = &label_column_});
  table.add({.name = "max-inflate",
             .help = "Refuse packed input that unpacks to more than this many GB",
             .target = &max_inflate_gb_,
             .least = 0.001,
             .most = 1e6,
             .recorded = false});
}

std::map<std::string, std::string> GraphSource::absolute_paths() const {
  std::map<std::string, std::string> paths;
  const auto add = [&](const char* name, const std::string& path) {
    if (!path.empty()) {
      paths[name] = std::filesystem::absolute(path).lexically_normal().string();
    }
  };
  add("edges", edges_);
  add("nodes", nodes_);
  add("features", features_);
  add("labels", labels_);
  const auto known = datasets();
  const bool is_name = std::any_of(known.begin(), known.end(),
                                   [&](const Dataset& row) { return row.name == dataset_; });
  add("dataset", is_name ? "" : dataset_);
  return paths;
}

ReadOptions GraphSource::read_options() const {
  return {.format = format_,
          .label_column = label_column_,
          .max_inflated_bytes = static_cast<int64_t>(max_inflate_gb_ * 1e9)};
}

Graph GraphSource::load() const {
  if (!dataset_.empty() && !edges_.empty()) {
    detail::fail_usage("give either --dataset or --edges, not both");
  }
  if (dataset_.empty() && edges_.empty()) {
    detail::fail_usage(
        "no graph given: name a dataset (see `disenlink data list`), a folder or file, or --edges "
        "FILE");
  }
  const bool has_part_files = !nodes_.empty() || !features_.empty() || !labels_.empty();
  if (!dataset_.empty() && has_part_files) {
    detail::fail_usage("--nodes, --features and --labels go with --edges, not with --dataset");
  }
  const ReadOptions options = read_options();
  Graph graph = edges_.empty()
                    ? load_dataset(dataset_, data_folder_, options)
                    : read_graph(GraphFiles{edges_, nodes_, features_, labels_}, options);
  for (const std::string& note : graph.notes()) {
    spdlog::info("note: {}", note);
  }
  return graph;
}

}  // namespace disenlink::cli
