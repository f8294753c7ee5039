#include "disenlink/datasets.h"

#include <algorithm>
#include <cstdlib>

#include "core/fail.h"
#include "core/text.h"
#include "data/formats.h"
#include "data/node_table.h"
#include "disenlink/generate.h"

namespace disenlink {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPaper = "paper";
constexpr std::string_view kExtra = "extra";
constexpr std::string_view kGenerated = "generated";
constexpr std::string_view kDefaultFolder = "../shared/data";

// Repositories that several datasets come from.
constexpr std::string_view kAuthors = "github.com/sjz5202/DisenLink";
constexpr std::string_view kGeomGcn = "github.com/graphdml-uiuc-jlu/geom-gcn";
constexpr std::string_view kHeterophilous = "github.com/yandex-research/heterophilous-graphs";

Dataset paper(std::string_view name, std::string_view title, std::string_view location,
              std::string_view format, std::string_view source, ArcForm arcs,
              std::optional<PaperStatistics> statistics) {
  return {name, title, kPaper, location, format, source, {}, arcs, statistics, {}};
}

Dataset extra(std::string_view name, std::string_view title, std::string_view location,
              std::string_view format, std::string_view source, ArcForm arcs) {
  return {name, title, kExtra, location, format, source, {}, arcs, {}, {}};
}

std::vector<Dataset> make_table() {
  using enum ArcForm;
  std::vector<Dataset> table = {
      paper("cora", "Cora", "cora", "planetoid", kAuthors, kSymmetric,
            {{2708, 5278, 1433, 7, 0.81}}),
      paper("citeseer", "CiteSeer", "citeseer", "planetoid", kAuthors, kSymmetric,
            {{3327, 4552, 3703, 6, 0.74}}),
      paper("photo", "Photo", "photo/amap.zip", "npy-zip", "github.com/macuihua/datasets",
            kSymmetric, {{7650, 238162, 745, 8, 0.82}}),
      paper("chameleon", "Chameleon", "chameleon/chameleon_directed.npz", "npz", kHeterophilous,
            kWithReverse, {{2277, 36101, 2325, 5, 0.23}}),
      paper("chameleon-128", "Chameleon", "chameleon/chameleon.npz", "npz", kAuthors, kAsStored,
            {{2277, 36101, 2325, 5, 0.23}}),
      paper("squirrel", "Squirrel", "squirrel/squirrel_directed.npz", "npz", kHeterophilous,
            kWithReverse, {{5201, 216933, 2089, 5, 0.22}}),
      paper(
          "crocodile", "Crocodile", "crocodile", "musae",
          "github.com/benedekrozemberczki/MUSAE; features from github.com/williewheeler/gnn-demos",
          kWithReverse, {{11631, 180020, 500, 6, 0.25}}),
      paper("texas", "Texas", "texas", "geom-gcn", kGeomGcn, kAsStored,
            {{183, 309, 1703, 5, 0.11}}),
      paper("wisconsin", "Wisconsin", "wisconsin", "geom-gcn", kGeomGcn, kAsStored,
            {{251, 499, 1703, 5, 0.20}}),
      paper("twitch-engb", "Twitch-ENGB", "twitch-engb", "musae", kAuthors, kWithReverse,
            {{7126, 36324, 2545, 2, 0.55}}),
      paper("twitch-de", "Twitch-DE", "twitch-de", "musae", kAuthors, kWithReverse,
            {{9498, 153138, 2514, 2, 0.63}}),
      paper("johns-hopkins55", "Johns Hopkins55", "johns-hopkins55/JohnsHopkins55.mat",
            "facebook100", kAuthors, kAsStored, {{5180, 373172, 2406, 2, 0.50}}),
      paper("amherst41", "Amherst41", "amherst41/Amherst41.mat", "facebook100", kAuthors, kAsStored,
            {{2235, 181908, 1193, 2, 0.46}}),
      paper("arxiv-year", "Arxiv-Year", "arxiv-year", "folder", kAuthors, kAsStored,
            {{55104, 153565, 128, 5, 0.22}}),
  };
  constexpr std::string_view kSamples[] = {
      "arxiv-year/year0", "arxiv-year/year1", "arxiv-year/year2", "arxiv-year/year3",
      "arxiv-year/year4", "arxiv-year/year5", "arxiv-year/year6", "arxiv-year/year7",
      "arxiv-year/year8", "arxiv-year/year9"};
  table.back().samples.assign(std::begin(kSamples), std::end(kSamples));
  for (const std::string_view sample : kSamples) {
    table.push_back(paper(sample, "Arxiv-Year", sample, "folder", kAuthors, kAsStored, {}));
  }
  const Dataset extras[] = {
      extra("cornell", "Cornell", "cornell/cornell.npz", "npz", kHeterophilous, kAsStored),
      extra("cornell-faulty", "Cornell (Geom-GCN files)", "cornell", "geom-gcn", kGeomGcn,
            kAsStored),
      extra("chameleon-filtered", "Chameleon (filtered)",
            "chameleon-filtered/chameleon_filtered_directed.npz", "npz", kHeterophilous, kAsStored),
      extra("twitch-es", "Twitch-ES", "twitch-es", "musae", kAuthors, kWithReverse),
      extra("twitch-fr", "Twitch-FR", "twitch-fr", "musae", kAuthors, kWithReverse),
      extra("twitch-ru", "Twitch-RU", "twitch-ru", "musae", kAuthors, kWithReverse),
      extra("twitch-tw", "Twitch-TW", "twitch-tw", "musae", kAuthors, kWithReverse),
      extra("cornell5", "Cornell5", "cornell5/Cornell5.mat", "facebook100", kAuthors, kAsStored),
      extra(
          "github", "GitHub", "github", "musae",
          "github.com/bkamins/JuliaForDataAnalysis; the same files as in benedekrozemberczki/MUSAE",
          kAsStored),
  };
  table.insert(table.end(), std::begin(extras), std::end(extras));
  table.back().labels = "github/simple/labels.csv";
  table.push_back({"example",
                   "Example",
                   kGenerated,
                   {},
                   {},
                   "made by this program (disenlink data generate)",
                   {},
                   kAsStored,
                   {},
                   {}});
  return table;
}

const Dataset* lookup(std::string_view name) {
  const auto found = std::ranges::find(datasets(), name, &Dataset::name);
  return found == datasets().end() ? nullptr : &*found;
}

// Samples are left out where the whole they belong to is listed.
std::string known_names() {
  std::string names;
  for (const Dataset& dataset : datasets()) {
    if (dataset.name.find('/') == std::string_view::npos) {
      names.append(names.empty() ? "" : ", ").append(dataset.name);
    }
  }
  return names;
}

std::string did_you_mean(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Dataset& dataset : datasets()) {
    known.push_back(dataset.name);
  }
  return detail::did_you_mean(name, known);
}

fs::path require_files(const Dataset& dataset, const fs::path& folder, std::string_view location) {
  fs::path path = folder / location;
  std::error_code problem;
  if (!fs::exists(path, problem)) {
    detail::fail(
        "dataset {}: {} does not exist. Name the folder of the datasets with --data FOLDER or the "
        "variable DISENLINK_DATA. Without it you can use 'example', which is generated, or give "
        "the path of a graph file or folder of your own",
        detail::quoted(dataset.name), path.string());
  }
  return path;
}

Graph load(const Dataset& dataset, const fs::path& chosen, ReadOptions options) {
  if (!dataset.samples.empty()) {
    detail::fail_usage("dataset {} consists of {} separate graphs; name one of {} to {}",
                       detail::quoted(dataset.name), dataset.samples.size(),
                       dataset.samples.front(), dataset.samples.back());
  }
  if (dataset.group == kGenerated) {
    return generate_graph();
  }
  const fs::path folder = data_folder(chosen);
  if (options.format.empty()) {
    options.format = dataset.format;
  }
  GraphParts parts =
      detail::read_graph_parts(require_files(dataset, folder, dataset.location), options);
  if (!dataset.labels.empty()) {
    parts.labels =
        detail::read_label_lines(require_files(dataset, folder, dataset.labels), options);
  }
  parts.name = dataset.name;
  parts.published_arcs = dataset.published_arcs;
  return Graph(std::move(parts));
}

}  // namespace

std::span<const Dataset> datasets() {
  static const std::vector<Dataset> table = make_table();
  return table;
}

const Dataset& find_dataset(std::string_view name) {
  if (const Dataset* dataset = lookup(name)) {
    return *dataset;
  }
  detail::fail_usage("unknown dataset {}{}; known are {}", detail::quoted(name), did_you_mean(name),
                     known_names());
}

fs::path data_folder(const fs::path& chosen) {
  const char* variable = std::getenv("DISENLINK_DATA");
  const bool is_from_variable = chosen.empty() && variable != nullptr && *variable != '\0';
  fs::path folder = is_from_variable ? fs::path(variable) : chosen;
  if (folder.empty()) {
    return kDefaultFolder;
  }
  std::error_code problem;
  if (!fs::is_directory(folder, problem)) {
    detail::fail_in(folder, "is no folder; it was given as the folder of the datasets by {}",
                    is_from_variable ? "the variable DISENLINK_DATA" : "--data");
  }
  return folder;
}

Graph load_dataset(std::string_view name_or_path, const fs::path& folder,
                   const ReadOptions& options) {
  if (const Dataset* dataset = lookup(name_or_path)) {
    return load(*dataset, folder, options);
  }
  const fs::path path(name_or_path);
  std::error_code problem;
  if (fs::exists(path, problem) || problem) {  // what cannot be looked at is a path too
    return read_graph(path, options);
  }
  if (path.has_parent_path() || path.has_extension()) {
    detail::fail_in(path, "no such file or folder, and no dataset of that name; known are {}",
                    known_names());
  }
  return load(find_dataset(name_or_path), folder, options);
}

}  // namespace disenlink
