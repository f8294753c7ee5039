#include "data/simple_folder.h"

#include <span>
#include <string_view>

#include "core/fail.h"
#include "core/text.h"
#include "data/delimited.h"
#include "data/graph_files.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

using FileNames = std::span<const std::string_view>;

constexpr std::string_view kEdges[] = {"edges.csv",    "edges.tsv",    "edges.txt",
                                       "edges.csv.gz", "edges.tsv.gz", "edges.txt.gz"};
constexpr std::string_view kNodes[] = {"nodes.csv", "nodes.tsv", "nodes.csv.gz", "nodes.tsv.gz"};
constexpr std::string_view kFeatures[] = {"features.npz", "features.npy"};
constexpr std::string_view kLabels[] = {"labels.csv", "labels.csv.gz"};
constexpr std::string_view kFeatureNames[] = {"feature_names.csv", "feature_names.csv.gz"};
constexpr std::string_view kEdgeFactors[] = {"edge_factors.csv", "edge_factors.csv.gz"};

std::vector<fs::path> present(const fs::path& folder, FileNames names) {
  std::vector<fs::path> found;
  for (const std::string_view name : names) {
    std::error_code problem;
    if (fs::exists(folder / name, problem)) {
      found.push_back(folder / name);
    }
  }
  return found;
}

// The first that exists; an empty path where none does.
fs::path first_present(const fs::path& folder, FileNames names, std::vector<std::string>& notes) {
  const std::vector<fs::path> found = present(folder, names);
  if (found.size() > 1) {
    notes.push_back(fmt::format("{} is taken, {} is left aside", found[0].filename().string(),
                                found[1].filename().string()));
  }
  return found.empty() ? fs::path() : found.front();
}

RowReader open_table(const fs::path& path, std::string_view header, const ReadOptions& options) {
  RowReader rows(path, ',', CommentLines::kNone, options.max_inflated_bytes);
  std::vector<std::string_view> fields;
  std::string found;
  if (rows.next(fields)) {
    for (const std::string_view field : fields) {
      found.append(found.empty() ? "" : ",").append(field);
    }
  }
  if (found != header) {
    fail_at_line(path, 1, "header is {}, expected {}", detail::quoted(found), quoted(header));
  }
  return rows;
}

void check_width(const RowReader& rows, const std::vector<std::string_view>& fields,
                 size_t expected) {
  if (fields.size() != expected) {
    fail_at_line(rows.path(), rows.line_number(), "row has {} fields, expected {}", fields.size(),
                 expected);
  }
}

std::vector<std::string> read_feature_names(const fs::path& path, const ReadOptions& options) {
  RowReader rows = open_table(path, "feature", options);
  std::vector<std::string> names;
  for (std::vector<std::string_view> fields; rows.next(fields);) {
    check_width(rows, fields, 1);
    names.emplace_back(fields[0]);
  }
  return names;
}

// Row for row like the edges, so that a factor cannot end up at another link unnoticed.
std::vector<int32_t> read_edge_factors(const fs::path& path, const GraphParts& parts,
                                       const ReadOptions& options) {
  RowReader rows = open_table(path, "source,target,factor", options);
  std::vector<int32_t> factors;
  for (std::vector<std::string_view> fields; rows.next(fields);) {
    check_width(rows, fields, 3);
    if (factors.size() == parts.arcs.size()) {
      fail_at_line(path, rows.line_number(), "is a row more than the {} links", factors.size());
    }
    const NodePair arc = parts.arcs[factors.size()];
    if (parts.names.find(fields[0]) != arc.source || parts.names.find(fields[1]) != arc.target) {
      fail_at_line(path, rows.line_number(), "links {} to {}, but link {} of the edges is {} to {}",
                   quoted(fields[0]), quoted(fields[1]), factors.size() + 1,
                   detail::quoted(parts.names.name(arc.source)),
                   detail::quoted(parts.names.name(arc.target)));
    }
    const auto factor = parse_number<int32_t>(fields[2]);
    if (!factor || *factor < 0 || *factor >= kMostPlantedFactors) {
      fail_at_line(path, rows.line_number(), "factor is {}, expected a number from 0 to {}",
                   quoted(fields[2]), kMostPlantedFactors - 1);
    }
    factors.push_back(*factor);
  }
  if (factors.size() != parts.arcs.size()) {
    fail_in(path, "has {} rows, expected one for each of the {} links", factors.size(),
            parts.arcs.size());
  }
  return factors;
}

}  // namespace

bool is_simple_folder(const fs::path& folder) { return !present(folder, kEdges).empty(); }

GraphParts read_simple_folder(const fs::path& folder, const ReadOptions& options) {
  std::vector<std::string> notes;
  const auto find = [&](FileNames names) { return first_present(folder, names, notes); };
  const fs::path edges = find(kEdges);
  if (edges.empty()) {
    fail_in(folder, "has no edges.csv, edges.tsv or edges.txt (or one of them with .gz)");
  }
  GraphParts parts = read_graph_files(
      {.edges = edges, .nodes = find(kNodes), .features = find(kFeatures), .labels = find(kLabels)},
      options);
  if (const fs::path path = find(kFeatureNames); !path.empty()) {
    std::vector<std::string> names = read_feature_names(path, options);
    if (static_cast<int64_t>(names.size()) != parts.features.num_columns()) {
      fail_in(path, "names {} columns, but the features have {}", names.size(),
              parts.features.num_columns());
    }
    parts.features.set_column_names(std::move(names));
  }
  if (const fs::path path = find(kEdgeFactors); !path.empty()) {
    parts.planted_factors = read_edge_factors(path, parts, options);
  }
  parts.notes.insert(parts.notes.end(), notes.begin(), notes.end());
  return parts;
}

}  // namespace disenlink::detail
