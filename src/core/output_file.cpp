#include "core/output_file.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "core/fail.h"
#include "disenlink/interrupt.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

fs::path temporary_beside(const fs::path& target) {
  fs::path temporary = target;
  temporary += fmt::format(".tmp-{}", getpid());
  return temporary;
}

void create_parent(const fs::path& target) {
  if (!target.has_parent_path()) {
    return;
  }
  std::error_code problem;
  fs::create_directories(target.parent_path(), problem);
  if (problem) {
    fail_in(target.parent_path(), "cannot create this folder: {}", problem.message());
  }
}

[[noreturn]] void fail_writing(const fs::path& target, int code) {
  fail_in(target, "cannot write: {}; nothing was changed", std::strerror(code));
}

// Moves a finished file or folder to where an older one may be. A file is replaced in one step; a
// folder has to be moved away first.
void take_place(const fs::path& finished, const fs::path& target) {
  std::error_code problem;
  std::error_code ignored;
  fs::path old = target;
  old += fmt::format(".old-{}", getpid());
  const bool had_old = fs::is_directory(target, ignored);
  if (had_old) {
    fs::rename(target, old, problem);
  }
  if (!problem) {
    fs::rename(finished, target, problem);
  }
  if (problem) {
    if (had_old && fs::exists(old, ignored)) {
      fs::rename(old, target, ignored);
    }
    fail_in(target, "cannot write: {}; nothing was changed", problem.message());
  }
  fs::remove_all(old, ignored);
}

// Where a symbolic link leads, so that the link itself stays.
fs::path place_of(fs::path path) {
  path = path.has_filename() ? std::move(path) : path.parent_path();
  std::error_code problem;
  const fs::path real =
      fs::is_symlink(path, problem) ? fs::weakly_canonical(path, problem) : fs::path();
  return real.empty() ? path : real;
}

bool is_device_or_pipe(const fs::path& path) {
  std::error_code ignored;
  return fs::is_other(fs::status(path, ignored));
}

void require_own_files(const fs::path& folder, const std::vector<const char*>& own) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    const bool is_own = std::any_of(own.begin(), own.end(), [&](const char* pattern) {
      return fnmatch(pattern, name.c_str(), 0) == 0;
    });
    if (!entry.is_directory() && !is_own) {
      fail_in(folder, "holds '{}', which is no part of what would replace it; nothing was changed",
              name);
    }
  }
}

}  // namespace

OutputFile::OutputFile(fs::path target)
    : target_(is_device_or_pipe(target) ? std::move(target) : place_of(std::move(target))),
      temporary_(is_device_or_pipe(target_) ? fs::path() : temporary_beside(target_)) {
  if (fs::is_directory(target_)) {
    fail_in(target_, "is a folder, expected a file name to write to");
  }
  create_parent(target_);
  stream_ = std::fopen(temporary_.empty() ? target_.c_str() : temporary_.c_str(), "wb");
  if (stream_ == nullptr) {
    fail_writing(target_, errno);
  }
}

OutputFile::~OutputFile() {
  if (stream_ != nullptr) {
    std::fclose(stream_);
    std::error_code ignored;
    if (!temporary_.empty()) {
      fs::remove(temporary_, ignored);
    }
  }
}

void OutputFile::write(std::string_view bytes) {
  check_interrupt();
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream_) != bytes.size()) {
    fail_writing(target_, errno);
  }
}

void OutputFile::commit() {
  if (std::fflush(stream_) != 0) {
    fail_writing(target_, errno);
  }
  const bool takes_place = !temporary_.empty();
  if (takes_place &&
      (fsync(fileno(stream_)) != 0 || std::rename(temporary_.c_str(), target_.c_str()) != 0)) {
    fail_writing(target_, errno);
  }
  std::fclose(stream_);
  stream_ = nullptr;
}

void write_whole_file(const fs::path& target, std::string_view content) {
  OutputFile file(target);
  file.write(content);
  file.commit();
}

OutputFolder::OutputFolder(fs::path target, bool replace, const std::vector<const char*>& own)
    : target_(place_of(std::move(target))), staging_(temporary_beside(target_)) {
  std::error_code problem;
  if (fs::exists(target_, problem) && !fs::is_directory(target_, problem)) {
    fail_in(target_, "is a file, expected a folder to write to");
  }
  if (!replace && fs::is_directory(target_, problem) && !fs::is_empty(target_, problem)) {
    fail_in(target_, "already holds files; choose another folder or allow replacing it (--force)");
  }
  if (fs::is_directory(target_, problem)) {
    require_own_files(target_, own);
  }
  create_parent(target_);
  fs::remove_all(staging_, problem);
  fs::create_directory(staging_, problem);
  if (problem) {
    fail_in(target_, "cannot create this folder: {}", problem.message());
  }
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  fs::remove_all(staging_, ignored);
}

void OutputFolder::commit() { take_place(staging_, target_); }

void OutputFolder::commit_entries_to(const fs::path& folder) {
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(staging_)) {
    entries.push_back(entry.path());
  }
  for (const fs::path& entry : entries) {
    take_place(entry, folder / entry.filename());
  }
}

}  // namespace disenlink::detail
