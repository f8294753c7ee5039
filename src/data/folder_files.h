// Finding the files of a format in a folder by the shape of their names.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace disenlink::detail {

struct FolderFile {
  std::filesystem::path path;
  std::string middle;  // what stands between prefix and suffix
};

// Files directly in the folder called prefix + middle + suffix, or that plus `.gz`, sorted by name;
// none where the folder is missing or not readable. Without a suffix the prefix is the whole name.
std::vector<FolderFile> files_called(const std::filesystem::path& folder, std::string_view prefix,
                                     std::string_view suffix = {});

// Throws Error where there is none, or more than one (listing them).
FolderFile single_file_called(const std::filesystem::path& folder, std::string_view prefix,
                              std::string_view suffix = {});

// The folder's own name, also where it is given as `.` or with a trailing slash.
std::string folder_name(const std::filesystem::path& folder);

}  // namespace disenlink::detail
