// Where the bytes of one binary array come from: a file of its own or an entry of an archive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "core/input_file.h"

namespace disenlink::detail {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills the buffer unless the end comes first; 0 at the end. Throws Error on damaged data.
  virtual size_t read(std::span<char> buffer) = 0;

  // All bytes, as far as that is known before reading them.
  virtual std::optional<int64_t> size() const = 0;

  // How errors call it: the file, or the file and its entry.
  virtual const std::string& label() const = 0;
};

// A plain or gzipped file.
class FileSource : public ByteSource {
 public:
  FileSource(const std::filesystem::path& path, int64_t max_inflated_bytes);

  size_t read(std::span<char> buffer) override { return file_.read(buffer); }
  std::optional<int64_t> size() const override { return size_; }
  const std::string& label() const override { return label_; }

 private:
  InputFile file_;
  std::string label_;
  std::optional<int64_t> size_;
};

// True for a regular file that begins with these bytes; never throws.
bool file_starts_with(const std::filesystem::path& path, std::string_view bytes) noexcept;

}  // namespace disenlink::detail
