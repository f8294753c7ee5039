#include "cli/new_nodes.h"

#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <set>
#include <string_view>
#include <unordered_map>

#include "core/fail.h"
#include "core/text.h"
#include "data/edge_list.h"
#include "data/node_table.h"

namespace disenlink::cli {
namespace {

constexpr int32_t kNoColumn = -1;
constexpr std::string_view kMissing = "=missing";  // of a column: whether its value is missing

// "town" of "town=bern": the column of a table that an attribute was made of.
std::string_view table_column(std::string_view attribute) {
  return attribute.substr(0, attribute.find('='));
}

// The attributes of training that the same column became, or the columns, where it is none of them.
std::string known_beside(const Features& known, std::string_view attribute) {
  std::set<std::string_view> words;
  std::set<std::string_view> columns;
  for (const std::string& name : known.column_names()) {
    columns.insert(table_column(name));
    if (table_column(name) == table_column(attribute)) {
      words.insert(name);
    }
  }
  constexpr size_t kMostNamed = 20;
  std::vector<std::string> named;
  for (const std::string_view name : words.empty() ? columns : words) {
    named.push_back(named.size() < kMostNamed ? detail::quoted(name) : "...");
    if (named.size() > kMostNamed) {
      break;
    }
  }
  return fmt::format("{}", fmt::join(named, ", "));
}

void note_absent_columns(const Features& known, const Features& added) {
  std::set<std::string_view> given;
  for (const std::string& name : added.column_names()) {
    given.insert(table_column(name));
  }
  std::set<std::string_view> absent;
  for (const std::string& name : known.column_names()) {
    if (!given.contains(table_column(name))) {
      absent.insert(table_column(name));
    }
  }
  for (const std::string_view column : absent) {
    spdlog::warn("the new nodes have no column {}; they are scored without it",
                 detail::quoted(column));
  }
}

// Column of the training features for each column of the new table, or kNoColumn.
std::vector<int32_t> match_columns(const Features& known, const Features& added,
                                   const std::string& path) {
  std::vector<int32_t> columns(added.num_columns());
  if (known.column_names().empty()) {
    if (known.num_columns() != added.num_columns()) {
      detail::fail_in(path, "has {} feature columns, but the model was trained on {}",
                      added.num_columns(), known.num_columns());
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      columns[i] = static_cast<int32_t>(i);
    }
    return columns;
  }
  std::unordered_map<std::string, int32_t> places;
  for (const std::string& name : known.column_names()) {
    places.emplace(name, static_cast<int32_t>(places.size()));
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string& name = added.column_names()[i];
    const auto found = places.find(name);
    if (found == places.end() && !name.ends_with(kMissing)) {
      detail::fail_in(path, "{} was not in training; known are {}", detail::quoted(name),
                      known_beside(known, name));
    }
    // Nothing was missing in training: a value that is missing now counts as 0.
    columns[i] = found == places.end() ? kNoColumn : found->second;
  }
  note_absent_columns(known, added);
  return columns;
}

// Rows of `known`, then those of `added`, in the columns of `known` and in its form.
Features stack(const Features& known, const Features& added, const std::vector<int32_t>& columns) {
  const int64_t rows = known.num_rows() + added.num_rows();
  const auto for_each_new = [&](int64_t row, auto&& use) {
    const auto use_column = [&](int64_t column, float value) {
      if (columns[column] != kNoColumn) {
        use(columns[column], value);
      }
    };
    if (added.is_sparse()) {
      const SparseRow entries = added.sparse_row(row);
      for (size_t i = 0; i < entries.columns.size(); ++i) {
        use_column(entries.columns[i], entries.values[i]);
      }
    } else {
      for (int64_t i = 0; i < added.num_columns(); ++i) {
        use_column(i, added.dense_row(row)[i]);
      }
    }
  };
  if (!known.is_sparse()) {
    std::vector<float> values(known.values().begin(), known.values().end());
    values.resize(rows * known.num_columns(), 0.0F);
    for (int64_t row = 0; row < added.num_rows(); ++row) {
      float* out = values.data() + (known.num_rows() + row) * known.num_columns();
      for_each_new(row, [&](int32_t column, float value) { out[column] = value; });
    }
    return Features::dense(rows, known.num_columns(), std::move(values));
  }
  std::vector<int64_t> offsets(known.offsets().begin(), known.offsets().end());
  std::vector<int32_t> indices(known.columns().begin(), known.columns().end());
  std::vector<float> values(known.values().begin(), known.values().end());
  for (int64_t row = 0; row < added.num_rows(); ++row) {
    for_each_new(row, [&](int32_t column, float value) {
      indices.push_back(column);
      values.push_back(value);
    });
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  return Features::sparse(known.num_columns(), std::move(offsets), std::move(indices),
                          std::move(values));
}

NodeNames all_names(const NodeNames& known, const NodeNames& added, const std::string& path) {
  std::vector<std::string> names;
  for (int64_t node = 0; node < known.size(); ++node) {
    names.push_back(known.name(node));
  }
  for (int64_t node = 0; node < added.size(); ++node) {
    names.push_back(added.name(node));
    if (known.find(names.back())) {
      detail::fail_in(path, "node {} was in training; new nodes need new ids",
                      detail::quoted(names.back()));
    }
  }
  return NodeNames::from_list(std::move(names));
}

}  // namespace

ExtendedGraph extend(ModelFolder& trained, const std::string& nodes_file,
                     const std::string& edges_file) {
  const Graph& graph = trained.graph();
  ExtendedGraph result;
  result.first_new = graph.num_nodes();
  if (nodes_file.empty()) {
    if (!edges_file.empty()) {
      detail::fail_usage("--new-edges goes with --new-nodes");
    }
    result.names = graph.names();
    result.known = graph.adjacency();
    return result;
  }
  const detail::NodeTable table =
      detail::read_node_table(nodes_file, trained.source().graph().read_options());
  result.names = all_names(graph.names(), table.names, nodes_file);
  result.features = stack(graph.features(), table.features,
                          match_columns(graph.features(), table.features, nodes_file));
  std::vector<NodePair> links = graph.adjacency().pairs();
  std::vector<NodePair> messages = trained.split().train.positives;
  if (!edges_file.empty()) {
    for (const NodePair pair : detail::read_edge_list(edges_file, result.names, {})) {
      links.push_back(pair);
      messages.push_back(pair);
    }
  }
  result.known = Adjacency::from_arcs(result.names.size(), links);
  result.message_graph = {result.names.size(), std::move(messages)};
  trained.model().encode(result.message_graph, result.features);
  return result;
}

}  // namespace disenlink::cli
