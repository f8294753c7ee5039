#include "data/folder_files.h"

#include <algorithm>

#include "core/fail.h"

namespace disenlink::detail {
namespace fs = std::filesystem;
namespace {

bool is_called(std::string_view name, std::string_view prefix, std::string_view suffix) {
  return suffix.empty() ? name == prefix
                        : name.size() >= prefix.size() + suffix.size() &&
                              name.starts_with(prefix) && name.ends_with(suffix);
}

std::string pattern(std::string_view prefix, std::string_view suffix) {
  return fmt::format("{}{}{}", prefix, suffix.empty() ? "" : "*", suffix);
}

}  // namespace

std::vector<FolderFile> files_called(const fs::path& folder, std::string_view prefix,
                                     std::string_view suffix) {
  std::vector<FolderFile> found;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const std::string file = entry->path().filename().string();
    std::string_view name = file;
    if (name.ends_with(".gz")) {
      name.remove_suffix(3);
    }
    std::error_code not_readable;
    if (is_called(name, prefix, suffix) && !entry->is_directory(not_readable)) {
      const size_t length = name.size() - prefix.size() - suffix.size();
      found.push_back({entry->path(), std::string(name.substr(prefix.size(), length))});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const FolderFile& a, const FolderFile& b) { return a.path < b.path; });
  return found;
}

FolderFile single_file_called(const fs::path& folder, std::string_view prefix,
                              std::string_view suffix) {
  std::vector<FolderFile> found = files_called(folder, prefix, suffix);
  if (found.empty()) {
    fail_in(folder, "has no file called {}", pattern(prefix, suffix));
  }
  if (found.size() > 1) {
    std::string names;
    for (const FolderFile& file : found) {
      names += (names.empty() ? "" : ", ") + file.path.filename().string();
    }
    fail_in(folder, "has {} files called {}: {}; expected one", found.size(),
            pattern(prefix, suffix), names);
  }
  return std::move(found.front());
}

std::string folder_name(const fs::path& folder) {
  std::error_code problem;
  const fs::path absolute = fs::weakly_canonical(folder, problem);
  return problem ? folder.string() : absolute.filename().string();
}

}  // namespace disenlink::detail
