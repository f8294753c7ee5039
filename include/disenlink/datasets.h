// The table of datasets: the 13 of the paper, extras, and the generated example.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "disenlink/graph.h"
#include "disenlink/read.h"

namespace disenlink {

// A row of the paper's Table 1.
struct PaperStatistics {
  int64_t nodes;
  int64_t edges;
  int64_t features;
  int64_t classes;
  double edge_homophily;
};

struct Dataset {
  std::string_view name;      // what users type
  std::string_view title;     // as the paper prints it
  std::string_view group;     // "paper", "extra" or "generated"
  std::string_view location;  // below the data folder
  std::string_view format;
  std::string_view source;  // where the files come from
  std::string_view labels;  // a label file below the data folder, where the format brings none
  ArcForm published_arcs;   // what the authors' program splits
  std::optional<PaperStatistics> paper;
  std::vector<std::string_view> samples;  // names of the graphs it consists of, if more than one
};

std::span<const Dataset> datasets();

// Throws UsageError with the known names where there is none of that name.
const Dataset& find_dataset(std::string_view name);

// The folder of the real datasets: `chosen`, else $DISENLINK_DATA, else ../shared/data. One of the
// first two that is no folder is an Error; the last may be absent.
std::filesystem::path data_folder(const std::filesystem::path& chosen = {});

// By name of the table, or by path; a name of the table comes first (./cora is always a path).
// `arxiv-year` alone is ten graphs: name one sample.
Graph load_dataset(std::string_view name_or_path, const std::filesystem::path& folder = {},
                   const ReadOptions& options = {});

}  // namespace disenlink
