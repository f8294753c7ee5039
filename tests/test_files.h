// Temporary folders and expectations shared by the tests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "disenlink/error.h"

namespace disenlink::testing {

// A folder that lives as long as the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "disenlink-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Writes a file below the folder and returns its path.
  std::filesystem::path write(const std::string& name, std::string_view content) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::filesystem::remove(file);  // emptying a file instead makes some file systems flush it
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

 private:
  std::filesystem::path path_;
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

// Runs the body, expects an Error and returns its text.
template <typename Body>
std::string error_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "expected an Error, none was thrown";
  return {};
}

// The folder of real datasets, or empty where it is absent.
inline std::filesystem::path data_folder() {
  const char* chosen = std::getenv("DISENLINK_DATA");
  std::filesystem::path folder =
      chosen != nullptr ? std::filesystem::path(chosen)
                        : std::filesystem::path(DISENLINK_SOURCE_DIR) / ".." / "shared" / "data";
  return std::filesystem::is_directory(folder) ? folder : std::filesystem::path();
}

}  // namespace disenlink::testing

// First statement of a test that needs the real datasets.
#define DISENLINK_REQUIRE_DATA()                                                        \
  if (disenlink::testing::data_folder().empty()) {                                      \
    GTEST_SKIP() << "the real datasets are absent; set DISENLINK_DATA to their folder"; \
  }                                                                                     \
  static_assert(true, "")
