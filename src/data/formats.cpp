#include "data/formats.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "core/fail.h"
#include "core/input_file.h"
#include "core/text.h"
#include "data/edge_list.h"
#include "data/facebook100.h"
#include "data/folder_files.h"
#include "data/geom_gcn.h"
#include "data/graph_files.h"
#include "data/musae.h"
#include "data/numpy.h"
#include "data/planetoid.h"
#include "data/simple_folder.h"

namespace disenlink {
namespace detail {
namespace {

namespace fs = std::filesystem;

enum class Place {
  kFolder,      // a folder of files with known names
  kPackedFile,  // one binary file, also looked for inside a folder
  kTextFile,    // one text file; any text looks like one, so it has to be named
};

struct Format {
  FileFormat shown;
  Place place;
  bool (*recognise)(const fs::path& path);
  GraphParts (*read)(const fs::path& path, const ReadOptions& options);
};

bool is_matlab_file(const fs::path& path) {
  constexpr std::string_view kMagic = "MATLAB ";
  std::array<char, kMagic.size()> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  return std::string_view(head.data(), head.size()) == kMagic;
}

bool is_text_file(const fs::path& path) {
  std::array<char, 4096> head;
  InputFile file(path);
  const size_t length = file.read(head);
  return std::string_view(head.data(), length).find('\0') == std::string_view::npos;
}

GraphParts read_edges_alone(const fs::path& path, const ReadOptions& options) {
  return read_graph_files({.edges = path}, options);
}

// In the order in which a folder that fits several is taken.
constexpr std::array<Format, 8> kFormats = {{
    {{"folder",
      "a folder with edges.csv, .tsv or .txt and, where there are any, features.npz or .npy, "
      "labels.csv, nodes.csv or .tsv, feature_names.csv and edge_factors.csv"},
     Place::kFolder,
     is_simple_folder,
     read_simple_folder},
    {{"planetoid",
      "a folder with the pickles ind.NAME.x, .y, .tx, .ty, .allx, .ally, .graph and "
      "the text ind.NAME.test.index"},
     Place::kFolder,
     is_planetoid,
     read_planetoid},
    {{"geom-gcn", "a folder with out1_graph_edges.txt and out1_node_feature_label.txt"},
     Place::kFolder,
     is_geom_gcn,
     read_geom_gcn},
    {{"musae",
      "a folder with musae_NAME_edges.csv, musae_NAME_features.json and, where there are "
      "labels, musae_NAME_target.csv"},
     Place::kFolder,
     is_musae,
     read_musae},
    {{"npz",
      "an .npz with the arrays edges, node_features (or features) and, where there are "
      "labels, node_labels (or label)"},
     Place::kPackedFile,
     is_npz_graph,
     read_npz_graph},
    {{"npy-zip", "a zip with NAME_adj.npy, NAME_feat.npy and NAME_label.npy"},
     Place::kPackedFile,
     is_npy_zip,
     read_npy_zip},
    {{"facebook100", "a Matlab .mat with the sparse matrix A and the table local_info"},
     Place::kPackedFile,
     is_matlab_file,
     read_facebook100},
    {{"edge-list", "a text file with one link a row: two node ids between commas, tabs or blanks"},
     Place::kTextFile,
     is_text_file,
     read_edges_alone},
}};

const Format& find_format(std::string_view name) {
  const auto found =
      std::ranges::find(kFormats, name, [](const Format& f) { return f.shown.name; });
  if (found == kFormats.end()) {
    std::string known;
    for (const Format& format : kFormats) {
      known.append(known.empty() ? "" : ", ").append(format.shown.name);
    }
    fail_usage("unknown format {}; known are {}", quoted(name), known);
  }
  return *found;
}

// One way to read what the user named.
struct Candidate {
  const Format* format;
  fs::path path;
};

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    std::error_code not_readable;
    if (entry->is_regular_file(not_readable)) {
      files.push_back(entry->path());
    }
  }
  if (problem) {
    fail_in(folder, "cannot be read: {}", problem.message());
  }
  std::ranges::sort(files);
  return files;
}

void add_candidates(const Format& format, const fs::path& path, bool is_folder,
                    std::vector<Candidate>& candidates) {
  if (is_folder == (format.place == Place::kFolder)) {
    if (format.recognise(path)) {
      candidates.push_back({&format, path});
    }
  } else if (is_folder && format.place == Place::kPackedFile) {
    for (const fs::path& file : files_in(path)) {
      if (format.recognise(file)) {
        candidates.push_back({&format, file});
      }
    }
  }
}

std::vector<Candidate> candidates_of(const fs::path& path, bool is_folder,
                                     std::string_view format_name) {
  std::vector<Candidate> candidates;
  if (!format_name.empty()) {
    const Format& format = find_format(format_name);
    if (is_folder == (format.place == Place::kFolder)) {
      return {{&format, path}};  // its reader says best what is wrong
    }
    add_candidates(format, path, is_folder, candidates);
    return candidates;
  }
  for (const Format& format : kFormats) {
    add_candidates(format, path, is_folder, candidates);
  }
  return candidates;
}

[[noreturn]] void fail_unrecognised(const fs::path& path, bool is_folder,
                                    std::string_view format_name) {
  if (!format_name.empty()) {
    fail_in(path, "is a {}, but the format {} is {}",
            is_folder ? "folder without such a file" : "file", quoted(format_name),
            find_format(format_name).shown.description);
  }
  std::string expected;
  for (const Format& format : kFormats) {
    if (format.place != (is_folder ? Place::kTextFile : Place::kFolder)) {
      expected += fmt::format("{}{}: {}", expected.empty() ? "" : "; ", format.shown.name,
                              format.shown.description);
    }
  }
  fail_in(path, "{}is in no known format; expected one of {}",
          is_folder ? "" : "holds zero bytes, as no text in UTF-8 does, and ", expected);
}

std::string note_on_choice(const std::vector<Candidate>& candidates) {
  const auto shown = [](const Candidate& candidate) {
    return fmt::format("{} ({})", candidate.path.filename().string(), candidate.format->shown.name);
  };
  std::string others;
  for (size_t i = 1; i < candidates.size(); ++i) {
    others += (others.empty() ? "" : ", ") + shown(candidates[i]);
  }
  return fmt::format(
      "The folder can be read in {} ways: {} is taken, left aside: {}. Name the file or the format "
      "to choose.",
      candidates.size(), shown(candidates[0]), others);
}

std::string name_of(const fs::path& path, bool is_folder) {
  if (is_folder) {
    return folder_name(path);
  }
  return path.extension() == ".gz" ? path.stem().stem().string() : path.stem().string();
}

}  // namespace

GraphParts read_graph_parts(const fs::path& path, const ReadOptions& options) {
  std::error_code problem;
  if (!fs::exists(path, problem)) {
    fail_in(path, "{}",
            problem ? "cannot be read: " + problem.message() : "no such file or folder");
  }
  const bool is_folder = fs::is_directory(path, problem);
  if (!is_folder) {
    require_readable_file(path);
  }
  const std::vector<Candidate> candidates = candidates_of(path, is_folder, options.format);
  if (candidates.empty()) {
    fail_unrecognised(path, is_folder, options.format);
  }
  GraphParts parts = candidates[0].format->read(candidates[0].path, options);
  parts.name = name_of(path, is_folder);
  if (candidates.size() > 1) {
    parts.notes.push_back(note_on_choice(candidates));
  }
  return parts;
}

}  // namespace detail

std::vector<FileFormat> file_formats() {
  std::vector<FileFormat> formats;
  formats.reserve(std::size(detail::kFormats));
  for (const detail::Format& format : detail::kFormats) {
    formats.push_back(format.shown);
  }
  return formats;
}

Graph read_graph(const std::filesystem::path& path, const ReadOptions& options) {
  return Graph(detail::read_graph_parts(path, options));
}

Graph read_graph(const GraphFiles& files, const ReadOptions& options) {
  GraphParts parts = detail::read_graph_files(files, options);
  parts.name = detail::name_of(files.edges, false);
  return Graph(std::move(parts));
}

}  // namespace disenlink
