#include "data/byte_source.h"

#include <array>
#include <cstdio>
#include <memory>

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGzipMagic = "\x1f\x8b";

std::optional<int64_t> plain_file_size(const fs::path& path) {
  std::error_code problem;
  if (!fs::is_regular_file(path, problem) || file_starts_with(path, kGzipMagic)) {
    return std::nullopt;
  }
  const uintmax_t size = fs::file_size(path, problem);
  return problem ? std::nullopt : std::optional(static_cast<int64_t>(size));
}

}  // namespace

bool file_starts_with(const fs::path& path, std::string_view bytes) noexcept {
  std::error_code problem;
  std::array<char, 8> start{};
  if (bytes.size() > start.size() || !fs::is_regular_file(path, problem)) {
    return false;
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  return file != nullptr && std::fread(start.data(), 1, bytes.size(), file.get()) == bytes.size() &&
         std::string_view(start.data(), bytes.size()) == bytes;
}

FileSource::FileSource(const fs::path& path, int64_t max_inflated_bytes)
    : file_(path, max_inflated_bytes), label_(path.string()), size_(plain_file_size(path)) {}

}  // namespace disenlink::detail
