// Reading zip archives (.npz are zip files too), safe against hostile ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/byte_source.h"

namespace disenlink::detail {

// Looks at the first bytes only; never throws.
bool starts_as_zip(const std::filesystem::path& path) noexcept;

class ZipArchive {
 public:
  // Reads the directory. Throws Error where there is none or it is damaged.
  ZipArchive(std::filesystem::path path, int64_t max_inflated_bytes);

  const std::filesystem::path& path() const { return path_; }
  const std::vector<std::string>& names() const { return names_; }
  bool contains(std::string_view name) const;

  // Stored or deflated, one entry at a time or several; the archive must outlive what it opens.
  // An entry may not announce more than max_inflated_bytes or more than deflate can pack into its
  // bytes, nor unpack to more than it announces; its checksum is verified at its end.
  std::unique_ptr<ByteSource> open(std::string_view name) const;

  // For messages: 'a.npy', 'b.npy'
  std::string names_text() const;

 private:
  struct Discard {
    void operator()(void* archive) const;
  };

  std::filesystem::path path_;
  int64_t max_inflated_bytes_;
  std::unique_ptr<void, Discard> archive_;  // zip_t
  std::vector<std::string> names_;          // by index
};

}  // namespace disenlink::detail
