// What every fuzz target shares: the input becomes files of a folder in memory, and the reader may
// succeed or throw Error. Anything else is a finding.
#pragma once

#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "disenlink/error.h"
#include "disenlink/read.h"
#include "disenlink/threads.h"

namespace disenlink::fuzz {

// Stands between the files of an input for a format of several files.
inline constexpr std::string_view kNextFile = "\n%%\n";

// Small enough that a run of the fuzzer stays quick, large enough for every seed.
inline ReadOptions small_limits() { return {.max_inflated_bytes = int64_t{1} << 20}; }

class ScratchFolder {
 public:
  ScratchFolder() {
    // One thread: the readers' results do not depend on it, and each input costs less.
    set_num_threads(1);
    const std::filesystem::path memory = "/dev/shm";
    std::string pattern =
        ((std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path()) /
         "disenlink-fuzz-XXXXXX")
            .string();
    if (mkdtemp(pattern.data()) == nullptr) {
      std::abort();
    }
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(std::string_view name, std::string_view content) const {
    std::filesystem::path file = path_ / name;
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

  // The first name gets what stands before the first separator, and so on; a name without content
  // has no file.
  template <size_t kCount>
  void write_files(const std::array<std::string_view, kCount>& names,
                   std::string_view input) const {
    bool is_over = false;
    for (const std::string_view name : names) {
      if (is_over) {
        std::filesystem::remove(path_ / name);
        continue;
      }
      const size_t end = input.find(kNextFile);
      is_over = end == std::string_view::npos;
      write(name, input.substr(0, end));
      input.remove_prefix(is_over ? input.size() : end + kNextFile.size());
    }
  }

 private:
  std::filesystem::path path_;
};

inline const ScratchFolder& scratch() {
  static const ScratchFolder folder;
  return folder;
}

inline std::string_view text_of(const uint8_t* bytes, size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

template <typename Read>
int try_reading(Read&& read) {
  try {
    read();
  } catch (const Error&) {  // the one way a reader may refuse
  }
  return 0;
}

}  // namespace disenlink::fuzz

// A target: the body reads `input`.
#define DISENLINK_FUZZ_TARGET(input)                                                               \
  static void read_one(std::string_view input);                                                    \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {                       \
    return disenlink::fuzz::try_reading([&] { read_one(disenlink::fuzz::text_of(bytes, size)); }); \
  }                                                                                                \
  static void read_one(std::string_view input)
