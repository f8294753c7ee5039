// One process at a time in a folder.
#pragma once

#include <filesystem>

namespace disenlink::cli {

class FolderLock {
 public:
  // Makes the folder if need be. Throws Error where it cannot be written or another process has it.
  explicit FolderLock(const std::filesystem::path& folder);
  // A folder that it made and nobody used is gone again.
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::filesystem::path folder_;
  bool is_made_ = false;
  int file_ = -1;
};

}  // namespace disenlink::cli
