// A text file in blocks of whole lines, for parsing in parallel. Plain files are read by the
// threads that parse; packed ones are unpacked in order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/input_file.h"

namespace disenlink::detail {

inline constexpr int64_t kTextBlockBytes = int64_t{1} << 19;
// Bytes after the text of a block that may be read, whatever they hold.
inline constexpr size_t kTextPadding = 64;

struct TextBlock {
  int64_t number = 0;  // from 0, in the order of the file
  std::vector<char> bytes;
  std::string_view text;     // whole lines, the last one ended too; within bytes
  bool is_overlong = false;  // a line goes on far beyond the block; text is not whole
};

class TextBlocks {
 public:
  explicit TextBlocks(const std::filesystem::path& path,
                      int64_t max_inflated_bytes = kDefaultMaxInflatedBytes);
  ~TextBlocks();

  // Fills the next block, from any thread; false at the end.
  bool next(TextBlock& block);

  // More threads than this would find nothing to do.
  int64_t useful_threads() const;

  // How many rows the file has, judged by those of its first `num_blocks` blocks.
  int64_t estimate_rows(int64_t rows, int64_t num_blocks) const;

 private:
  void read_plain(TextBlock& block) const;
  bool unpack(TextBlock& block);

  std::filesystem::path path_;
  int file_ = -1;
  int64_t file_bytes_ = 0;
  std::mutex mutex_;  // guards all below
  int64_t next_number_ = 0;
  std::unique_ptr<InputFile> packed_;
  std::string tail_;  // the unfinished last line of the block before
  bool had_text_ = false;
};

}  // namespace disenlink::detail
