#include "cli/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/fail.h"

namespace disenlink::cli {

FolderLock::FolderLock(const std::filesystem::path& folder) : folder_(folder) {
  std::error_code problem;
  is_made_ = std::filesystem::create_directories(folder, problem);
  // The folder itself is locked, so that nothing is left behind in it.
  file_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file_ < 0) {
    detail::fail_in(folder, "cannot be used as a folder: {}", std::strerror(errno));
  }
  if (access(folder.c_str(), W_OK) != 0) {
    close(file_);
    detail::fail_in(folder, "cannot be written: {}", std::strerror(EACCES));
  }
  if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
    close(file_);
    detail::fail_in(folder,
                    "another process is at work in this folder; wait for it or choose one "
                    "of your own (--out)");
  }
}

FolderLock::~FolderLock() {
  close(file_);
  std::error_code ignored;
  if (is_made_ && std::filesystem::is_empty(folder_, ignored)) {
    std::filesystem::remove(folder_, ignored);
  }
}

}  // namespace disenlink::cli
