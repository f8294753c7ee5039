// The files of a split: PART_pos.txt, PART_neg.txt and split.json.
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/fail.h"
#include "core/input_file.h"
#include "core/json_text.h"
#include "core/output_file.h"
#include "core/text.h"
#include "data/csv_field.h"
#include "data/edge_list.h"
#include "disenlink/split.h"

namespace disenlink {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int kFormatVersion = 1;
constexpr size_t kWriteBlock = size_t{1} << 16;

void write_pairs(const std::vector<NodePair>& pairs, const NodeNames& names, const fs::path& path) {
  if (pairs.empty()) {
    return;
  }
  detail::OutputFile file(path);
  std::string block;
  const auto field = [&](NodeId node) { return detail::csv_field(names.name(node), "node name"); };
  for (const NodePair pair : pairs) {
    block += field(pair.source) + '\t' + field(pair.target) + '\n';
    if (block.size() > kWriteBlock) {
      file.write(block);
      block.clear();
    }
  }
  file.write(block);
  file.commit();
}

ordered_json describe(const EdgeSplit& split) {
  ordered_json counts;
  for (const auto& [name, part] : split.parts()) {
    counts[std::string(name)] = {{"positives", part->positives.size()},
                                 {"negatives", part->negatives.size()}};
  }
  return {{"format", kFormatVersion},
          {"protocol", protocol_name(split.protocol)},
          {"seed", split.seed},
          {"negatives_per_positive", split.negatives_per_positive},
          {"negatives_keep_head", split.negatives_keep_head},
          {"counts", counts},
          {"graph",
           {{"name", split.graph_name},
            {"nodes", split.num_nodes},
            {"fingerprint", split.graph_fingerprint}}}};
}

// A missing file is a part that was not made.
std::vector<NodePair> read_pairs(const fs::path& path, const NodeNames& names) {
  return fs::exists(path) ? detail::read_edge_list(path, names, {}) : std::vector<NodePair>{};
}

void read_all_pairs(const fs::path& folder, const NodeNames& names, EdgeSplit& split) {
  for (const auto& [name, part] : split.parts()) {
    const std::string prefix(name);
    part->positives = read_pairs(folder / (prefix + "_pos.txt"), names);
    part->negatives = read_pairs(folder / (prefix + "_neg.txt"), names);
  }
}

void require_split_folder(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    detail::fail_in(folder, "no such folder, expected one with train_pos.txt and test_pos.txt");
  }
  for (const char* name : {"train_pos.txt", "test_pos.txt"}) {
    detail::require_readable_file(folder / name);
  }
}

void set_even_negatives(EdgeSplit& split) {
  const size_t positives = split.test.positives.size();
  const size_t negatives = split.test.negatives.size();
  split.negatives_per_positive =
      negatives % positives == 0 ? static_cast<int64_t>(negatives / positives) : 0;
}

// What split.json says of one part; nothing where there is none.
struct PartCounts {
  std::string part;
  size_t positives = 0;
  size_t negatives = 0;
};

std::vector<PartCounts> counts_in(const nlohmann::json& description, const EdgeSplit& split) {
  std::vector<PartCounts> counts;
  for (const auto& [name, part] : split.parts()) {
    const auto& of_part = description.at("counts").at(std::string(name));
    counts.push_back({std::string(name), of_part.at("positives").get<size_t>(),
                      of_part.at("negatives").get<size_t>()});
  }
  return counts;
}

std::vector<PartCounts> read_description(const fs::path& folder, EdgeSplit& split) {
  const fs::path path = folder / "split.json";
  if (!fs::exists(path)) {
    split.protocol = Protocol::kForeign;
    return {};
  }
  try {
    const auto json = nlohmann::json::parse(detail::read_whole_file(path));
    const auto protocol = json.at("protocol").get<std::string>();
    split.protocol = protocol == "foreign" ? Protocol::kForeign : parse_protocol(protocol);
    split.seed = json.at("seed").get<uint64_t>();
    split.graph_name = json.at("graph").at("name").get<std::string>();
    split.num_nodes = json.at("graph").at("nodes").get<int64_t>();
    split.graph_fingerprint = json.at("graph").at("fingerprint").get<std::string>();
    split.negatives_keep_head =
        json.value("negatives_keep_head", split.protocol == Protocol::kPublished);
    return counts_in(json, split);
  } catch (const nlohmann::json::exception& problem) {
    detail::fail_in(path, "is not the description of a split: {}", detail::json_problem(problem));
  } catch (const UsageError& problem) {
    detail::fail_in(path, "{}", problem.what());
  }
}

void check_counts(const fs::path& folder, const std::vector<PartCounts>& counts,
                  const EdgeSplit& split) {
  const auto check = [&](const std::string& file, size_t found, size_t expected) {
    if (found != expected) {
      detail::fail_in(folder / file,
                      "has {} pairs, but split.json counts {}; without split.json it is read as "
                      "a split made elsewhere",
                      found, expected);
    }
  };
  for (size_t i = 0; i < counts.size(); ++i) {
    const SplitPart& part = *split.parts()[i].second;
    check(counts[i].part + "_pos.txt", part.positives.size(), counts[i].positives);
    check(counts[i].part + "_neg.txt", part.negatives.size(), counts[i].negatives);
  }
}

}  // namespace

void write_split(const EdgeSplit& split, const NodeNames& names, const fs::path& folder,
                 bool replace) {
  detail::OutputFolder output(folder, replace, {"*_pos.txt", "*_neg.txt", "split.json"});
  for (const auto& [name, part] : split.parts()) {
    const std::string prefix(name);
    write_pairs(part->positives, names, output.staging() / (prefix + "_pos.txt"));
    write_pairs(part->negatives, names, output.staging() / (prefix + "_neg.txt"));
  }
  detail::write_whole_file(output.staging() / "split.json", detail::json_text(describe(split)));
  output.commit();
}

EdgeSplit read_split(const fs::path& folder, const Graph& graph) {
  require_split_folder(folder);
  EdgeSplit split;
  const std::vector<PartCounts> counts = read_description(folder, split);
  if (!split.graph_fingerprint.empty() && split.graph_fingerprint != graph.fingerprint()) {
    detail::fail_in(folder / "split.json",
                    "was made for graph '{}' with fingerprint {}, but graph '{}' has {}",
                    split.graph_name, split.graph_fingerprint, graph.name(), graph.fingerprint());
  }
  split.graph_name = graph.name();
  split.graph_fingerprint = graph.fingerprint();
  split.num_nodes = graph.num_nodes();
  try {
    read_all_pairs(folder, graph.names(), split);
  } catch (const Error&) {
    if (graph.names().is_numbered()) {
      throw;
    }
    // Not names: perhaps row numbers. If they are not either, the first error is the useful one.
    try {
      read_all_pairs(folder, NodeNames::numbered(graph.num_nodes()), split);
    } catch (const Error&) {
      read_all_pairs(folder, graph.names(), split);
    }
  }
  check_counts(folder, counts, split);
  set_even_negatives(split);
  return split;
}

EdgeSplit read_split(const fs::path& folder) {
  require_split_folder(folder);
  EdgeSplit split;
  const std::vector<PartCounts> counts = read_description(folder, split);
  // The files of our own have no header, though a node may be called "source".
  const detail::FirstRow first_row =
      counts.empty() ? detail::FirstRow::kMayBeHeader : detail::FirstRow::kLink;
  // One numbering for all files: names as they occur.
  std::unordered_map<std::string, NodeId> numbers;
  const auto number_of = [&](const std::string& name) {
    return numbers.try_emplace(name, static_cast<NodeId>(numbers.size())).first->second;
  };
  const auto read_into = [&](std::vector<NodePair>& pairs, const fs::path& path) {
    if (fs::exists(path)) {
      const detail::EdgeList list = detail::read_edge_list(path, {}, first_row);
      for (const NodePair pair : list.arcs) {
        pairs.push_back(
            {number_of(list.names.name(pair.source)), number_of(list.names.name(pair.target))});
      }
    }
  };
  for (const auto& [name, part] : split.parts()) {
    read_into(part->positives, folder / (std::string(name) + "_pos.txt"));
    read_into(part->negatives, folder / (std::string(name) + "_neg.txt"));
  }
  split.num_nodes = static_cast<int64_t>(numbers.size());
  check_counts(folder, counts, split);
  set_even_negatives(split);
  return split;
}

}  // namespace disenlink
