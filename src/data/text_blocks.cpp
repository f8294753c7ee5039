#include "data/text_blocks.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/fail.h"
#include "disenlink/interrupt.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kUsualLineBytes = 256;
constexpr int64_t kLongestLineBytes = int64_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Fills [filled, wanted) of the buffer from the file; returns how far it got.
int64_t read_at(const std::filesystem::path& path, int file, int64_t offset,
                std::vector<char>& buffer, int64_t filled, int64_t wanted) {
  while (filled < wanted) {
    const ssize_t got = pread(file, buffer.data() + filled, wanted - filled, offset + filled);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      fail_in(path, "cannot be read: {}", std::strerror(errno));
    }
    if (got == 0) {
      break;
    }
    filled += got;
  }
  return filled;
}

// Ends the last line and sets the text to [begin, end).
void set_text(TextBlock& block, size_t begin, size_t end, bool is_start_of_file) {
  if (begin < end && block.bytes[end - 1] != '\n') {
    block.bytes[end++] = '\n';
  }
  block.text = std::string_view(block.bytes.data() + begin, end - begin);
  if (is_start_of_file && block.text.starts_with(kByteOrderMark)) {
    block.text.remove_prefix(kByteOrderMark.size());
  }
}

}  // namespace

TextBlocks::TextBlocks(const std::filesystem::path& path, int64_t max_inflated_bytes)
    : path_(path) {
  require_readable_file(path);
  file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) {
    fail_in(path, "cannot be opened: {}", std::strerror(errno));
  }
  std::error_code problem;
  file_bytes_ = static_cast<int64_t>(std::filesystem::file_size(path, problem));
  unsigned char magic[2] = {};
  if (pread(file_, magic, 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b) {
    packed_ = std::make_unique<InputFile>(path, max_inflated_bytes);
  }
}

TextBlocks::~TextBlocks() { close(file_); }

bool TextBlocks::next(TextBlock& block) {
  check_interrupt();
  block.text = {};
  block.is_overlong = false;
  {
    const std::lock_guard lock(mutex_);
    block.number = next_number_++;
    if (packed_) {
      return unpack(block);
    }
  }
  if (block.number * kTextBlockBytes >= file_bytes_) {
    return false;
  }
  read_plain(block);
  return true;
}

void TextBlocks::read_plain(TextBlock& block) const {
  const int64_t begin = block.number * kTextBlockBytes;
  const int64_t length = std::min(kTextBlockBytes, file_bytes_ - begin);
  // A block owns the lines that begin in it; the byte before tells whether one begins at once.
  const int64_t before = begin > 0 ? 1 : 0;
  int64_t filled = 0;
  int64_t ahead = kUsualLineBytes;
  size_t end = std::string_view::npos;
  for (bool at_end = false; end == std::string_view::npos; ahead *= 8) {
    const int64_t wanted = before + length + ahead;
    block.bytes.resize(std::max(block.bytes.size(), wanted + 1 + kTextPadding));
    filled = read_at(path_, file_, begin - before, block.bytes, filled, wanted);
    at_end = filled < wanted;
    const std::string_view all(block.bytes.data(), static_cast<size_t>(filled));
    end = all.find('\n', static_cast<size_t>(before + length - 1));
    end = end != std::string_view::npos ? end + 1 : at_end ? all.size() : end;
    if (end == std::string_view::npos && ahead > kLongestLineBytes) {
      block.is_overlong = true;
      return;
    }
  }
  const std::string_view all(block.bytes.data(), end);
  const size_t first = before == 0 ? 0 : all.find('\n') + 1;
  // No line begins here when the first end of line found is the last.
  if (before == 0 || (first != 0 && first < static_cast<size_t>(before + length))) {
    set_text(block, first, end, begin == 0);
  }
}

bool TextBlocks::unpack(TextBlock& block) {
  size_t filled = tail_.size();
  block.bytes.resize(std::max(block.bytes.size(), filled + kTextBlockBytes + 1 + kTextPadding));
  std::copy(tail_.begin(), tail_.end(), block.bytes.begin());
  tail_.clear();
  const size_t got =
      packed_->read({block.bytes.data() + filled, static_cast<size_t>(kTextBlockBytes)});
  filled += got;
  if (filled == 0) {
    return false;
  }
  const std::string_view all(block.bytes.data(), filled);
  size_t end = filled;
  if (got > 0) {
    end = all.rfind('\n') + 1;  // 0 where there is none
    tail_.assign(all.substr(end));
    block.is_overlong = static_cast<int64_t>(tail_.size()) > kLongestLineBytes;
  }
  set_text(block, 0, end, !had_text_);
  had_text_ = had_text_ || end > 0;
  return true;
}

int64_t TextBlocks::useful_threads() const {
  constexpr int64_t kUsualPacking = 4;
  return file_bytes_ * (packed_ ? kUsualPacking : 1) / kTextBlockBytes + 1;
}

int64_t TextBlocks::estimate_rows(int64_t rows, int64_t num_blocks) const {
  const int64_t bytes = num_blocks * kTextBlockBytes;
  if (packed_ || bytes >= file_bytes_) {
    return rows;
  }
  const double rows_per_byte = static_cast<double>(rows) / static_cast<double>(bytes);
  return static_cast<int64_t>(rows_per_byte * 1.01 * static_cast<double>(file_bytes_)) + 64;
}

}  // namespace disenlink::detail
