#include "core/input_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "core/fail.h"
#include "disenlink/interrupt.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

constexpr size_t kChunkBytes = size_t{1} << 18;
// Longer lines are binary data under a text name.
constexpr size_t kMaxLineBytes = size_t{1} << 28;

}  // namespace

void require_readable_file(const fs::path& path) {
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (status.type() == fs::file_type::not_found) {
    fail_in(path, "no such file");
  }
  if (problem) {
    fail_in(path, "cannot be read: {}", problem.message());
  }
  if (fs::is_directory(status)) {
    fail_in(path, "is a folder, expected a file");
  }
  if (access(path.c_str(), R_OK) != 0) {
    fail_in(path, "cannot be read: {}", std::strerror(errno));
  }
  if (fs::is_regular_file(status) && fs::file_size(path, problem) == 0) {
    fail_in(path, "is empty");
  }
}

struct InputFile::State {
  fs::path path;
  int64_t max_inflated_bytes = 0;
  gzFile stream = nullptr;
  int64_t offset = 0;

  ~State() {
    if (stream != nullptr) {
      gzclose(stream);
    }
  }
};

InputFile::InputFile(fs::path path, int64_t max_inflated_bytes)
    : state_(std::make_unique<State>()) {
  require_readable_file(path);
  state_->path = std::move(path);
  state_->max_inflated_bytes = max_inflated_bytes;
  state_->stream = gzopen(state_->path.c_str(), "rb");
  if (state_->stream == nullptr) {
    fail_in(state_->path, "cannot be opened: {}", std::strerror(errno));
  }
  gzbuffer(state_->stream, kChunkBytes);
}

InputFile::~InputFile() = default;
InputFile::InputFile(InputFile&&) noexcept = default;

size_t InputFile::read(std::span<char> buffer) {
  check_interrupt();
  // gzread counts in int.
  const auto wanted = static_cast<unsigned>(std::min<size_t>(buffer.size(), size_t{1} << 30));
  const int got = gzread(state_->stream, buffer.data(), wanted);
  int code = Z_OK;
  const char* reason = gzerror(state_->stream, &code);
  if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) {
    if (code == Z_ERRNO) {
      fail_in(state_->path, "cannot be read: {}", std::strerror(errno));
    }
    fail_in(state_->path, "damaged or truncated gzip data after {} unpacked bytes ({})",
            state_->offset, code == Z_BUF_ERROR ? "unexpected end of file" : reason);
  }
  state_->offset += got;
  const bool is_packed = gzdirect(state_->stream) == 0;
  if (is_packed && state_->offset > state_->max_inflated_bytes) {
    fail_in(state_->path, "unpacks to more than {} bytes, the limit for packed input",
            state_->max_inflated_bytes);
  }
  return static_cast<size_t>(got);
}

const fs::path& InputFile::path() const { return state_->path; }
int64_t InputFile::offset() const { return state_->offset; }

std::string read_whole_file(const fs::path& path, int64_t max_inflated_bytes) {
  InputFile file(path, max_inflated_bytes);
  std::string content;
  size_t filled = 0;
  for (;;) {
    content.resize(std::max(filled + kChunkBytes, content.capacity()));
    const size_t got = file.read({content.data() + filled, content.size() - filled});
    filled += got;
    if (got == 0) {
      content.resize(filled);
      return content;
    }
  }
}

LineReader::LineReader(const fs::path& path, int64_t max_inflated_bytes)
    : file_(path, max_inflated_bytes) {}

bool LineReader::refill() {
  buffer_.erase(0, position_);
  position_ = 0;
  const size_t kept = buffer_.size();
  if (kept > kMaxLineBytes) {
    fail_at_line(path(), line_number_ + 1, "line is longer than {} bytes", kMaxLineBytes);
  }
  buffer_.resize(kept + kChunkBytes);
  const size_t got = file_.read({buffer_.data() + kept, kChunkBytes});
  buffer_.resize(kept + got);
  return got > 0;
}

bool LineReader::next(std::string_view& line) {
  size_t searched = position_;
  size_t end = buffer_.find('\n', searched);
  while (end == std::string::npos && !at_end_) {
    searched = buffer_.size() - position_;
    at_end_ = !refill();
    end = buffer_.find('\n', searched);
  }
  if (end == std::string::npos) {
    if (position_ == buffer_.size()) {
      return false;
    }
    end = buffer_.size();
  }
  line = std::string_view(buffer_).substr(position_, end - position_);
  position_ = std::min(end + 1, buffer_.size());
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  if (++line_number_ == 1 && line.starts_with("\xef\xbb\xbf")) {
    line.remove_prefix(3);
  }
  if (line_number_ == 1 && line.find('\r') != std::string_view::npos) {
    fail_at_line(path(), 1, "has a carriage return within a line; lines must end with a line feed");
  }
  return true;
}

}  // namespace disenlink::detail
