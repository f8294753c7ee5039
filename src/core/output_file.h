// Writing files so that a reader never sees half of one: everything goes to a temporary name beside
// the target and is renamed by commit(). Without commit() nothing stays behind.
#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace disenlink::detail {

class OutputFile {
 public:
  // Creates missing parent folders. Throws Error where the place is not writable. A device or pipe
  // stays what it is and gets the bytes as they come; a symbolic link, what it leads to.
  explicit OutputFile(std::filesystem::path target);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Throws Error, for example when the disk is full.
  void write(std::string_view bytes);

  // Flushes to the disk and takes the target's place.
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty for a device or pipe
  std::FILE* stream_ = nullptr;
};

void write_whole_file(const std::filesystem::path& target, std::string_view content);

// A folder that appears complete or not at all.
class OutputFolder {
 public:
  // An existing, non-empty target is an error unless replace is set, and also then where it holds
  // anything but `own`: patterns (as of a shell) of what such a folder is made of.
  OutputFolder(std::filesystem::path target, bool replace, const std::vector<const char*>& own);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  // Where to write until commit().
  const std::filesystem::path& staging() const { return staging_; }

  void commit();

  // Instead: each entry takes the place of that name in `folder`, whose other files stay.
  void commit_entries_to(const std::filesystem::path& folder);

 private:
  std::filesystem::path target_;
  std::filesystem::path staging_;
};

}  // namespace disenlink::detail
