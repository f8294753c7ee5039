// Reading files, plain or gzipped (recognised by content, not by name).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace disenlink::detail {

// A hostile file may unpack without end; no reader takes more than this unless told otherwise.
inline constexpr int64_t kDefaultMaxInflatedBytes = int64_t{8} << 30;

// Throws Error where the path is missing, a folder, not readable, or empty.
void require_readable_file(const std::filesystem::path& path);

class InputFile {
 public:
  // Checks as require_readable_file does.
  explicit InputFile(std::filesystem::path path,
                     int64_t max_inflated_bytes = kDefaultMaxInflatedBytes);
  ~InputFile();
  InputFile(InputFile&&) noexcept;

  // Fills as much of the buffer as there is; 0 at the end. Throws Error on a damaged or truncated
  // gzip stream.
  size_t read(std::span<char> buffer);

  const std::filesystem::path& path() const;
  // Bytes handed out so far, after unpacking.
  int64_t offset() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string read_whole_file(const std::filesystem::path& path,
                            int64_t max_inflated_bytes = kDefaultMaxInflatedBytes);

// Lines without their end (\n or \r\n); the byte-order mark of the first is dropped.
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& path,
                      int64_t max_inflated_bytes = kDefaultMaxInflatedBytes);

  // The next line, valid until the next call; false at the end.
  bool next(std::string_view& line);

  const std::filesystem::path& path() const { return file_.path(); }
  // Number of the line last returned, from 1.
  int64_t line_number() const { return line_number_; }

 private:
  bool refill();

  InputFile file_;
  std::string buffer_;
  size_t position_ = 0;
  bool at_end_ = false;
  int64_t line_number_ = 0;
};

}  // namespace disenlink::detail
