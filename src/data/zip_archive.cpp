#include "data/zip_archive.h"

#include <zip.h>

#include <algorithm>

#include "core/fail.h"
#include "core/text.h"
#include "data/inflate_limit.h"
#include "disenlink/interrupt.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxNamesInMessage = 20;

class ZipEntry : public ByteSource {
 public:
  ZipEntry(zip_file_t* file, std::string label, int64_t size)
      : file_(file, &zip_fclose), label_(std::move(label)), size_(size) {}

  size_t read(std::span<char> buffer) override;
  std::optional<int64_t> size() const override { return size_; }
  const std::string& label() const override { return label_; }

 private:
  std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file_;
  std::string label_;
  int64_t size_;
  int64_t offset_ = 0;
};

size_t ZipEntry::read(std::span<char> buffer) {
  check_interrupt();
  size_t filled = 0;
  while (filled < buffer.size()) {
    const zip_int64_t got = zip_fread(file_.get(), buffer.data() + filled, buffer.size() - filled);
    if (got < 0) {
      fail_in(label_, "damaged after {} unpacked bytes ({})",
              offset_ + static_cast<int64_t>(filled), zip_file_strerror(file_.get()));
    }
    if (got == 0) {
      break;
    }
    filled += static_cast<size_t>(got);
  }
  offset_ += static_cast<int64_t>(filled);
  if (offset_ > size_) {
    fail_in(label_, "unpacks to more than the {} bytes it announces", size_);
  }
  if (filled < buffer.size() && offset_ < size_) {
    fail_in(label_, "unpacks to {} bytes, but announces {}", offset_, size_);
  }
  return filled;
}

zip_stat_t directory_entry(zip_t* archive, zip_uint64_t index, const std::string& label) {
  constexpr zip_uint64_t kNeeded =
      ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  zip_stat_t facts;
  zip_stat_init(&facts);
  if (zip_stat_index(archive, index, 0, &facts) != 0 || (facts.valid & kNeeded) != kNeeded) {
    fail_in(label, "is not described by the archive's directory");
  }
  return facts;
}

// An archive is read with the sizes its directory announces, so they must be possible.
void check_sizes(const zip_stat_t& facts, const std::string& label, int64_t file_bytes,
                 int64_t max_inflated_bytes) {
  if (facts.comp_size > static_cast<zip_uint64_t>(file_bytes)) {
    fail_in(label, "announces {} packed bytes, but the archive has only {}", facts.comp_size,
            file_bytes);
  }
  if (facts.comp_method == ZIP_CM_STORE && facts.size != facts.comp_size) {
    fail_in(label, "is stored but announces {} bytes in {}", facts.size, facts.comp_size);
  }
  check_inflated_size(label, facts.size, facts.comp_size, max_inflated_bytes);
}

void check_packing(const zip_stat_t& facts, const std::string& label) {
  if (facts.encryption_method != ZIP_EM_NONE) {
    fail_in(label, "is encrypted; unpack it with its password first");
  }
  if (facts.comp_method != ZIP_CM_STORE && facts.comp_method != ZIP_CM_DEFLATE) {
    fail_in(label, "is packed by method {}, expected 0 (stored) or 8 (deflated)",
            facts.comp_method);
  }
}

}  // namespace

bool starts_as_zip(const fs::path& path) noexcept {
  return file_starts_with(path, "PK\x03\x04") || file_starts_with(path, "PK\x05\x06");
}

void ZipArchive::Discard::operator()(void* archive) const {
  zip_discard(static_cast<zip_t*>(archive));
}

ZipArchive::ZipArchive(fs::path path, int64_t max_inflated_bytes)
    : path_(std::move(path)), max_inflated_bytes_(max_inflated_bytes) {
  require_readable_file(path_);
  int code = 0;
  archive_.reset(zip_open(path_.c_str(), ZIP_RDONLY, &code));
  if (archive_ == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    fail_in(path_, "is no zip archive or a damaged one ({})", reason);
  }
  auto* archive = static_cast<zip_t*>(archive_.get());
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_int64_t index = 0; index < count; ++index) {
    const char* name = zip_get_name(archive, static_cast<zip_uint64_t>(index), ZIP_FL_ENC_RAW);
    names_.emplace_back(name != nullptr ? name : "");
  }
}

bool ZipArchive::contains(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::unique_ptr<ByteSource> ZipArchive::open(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) {
    fail_in(path_, "has no entry {}; there are {}", quoted(name), names_text());
  }
  if (std::find(found + 1, names_.end(), name) != names_.end()) {
    fail_in(path_, "has more than one entry {}", quoted(name));
  }
  const std::string label = fmt::format("{}: entry {}", path_.string(), quoted(name));
  auto* archive = static_cast<zip_t*>(archive_.get());
  const auto index = static_cast<zip_uint64_t>(found - names_.begin());
  const zip_stat_t facts = directory_entry(archive, index, label);
  std::error_code problem;
  const auto file_bytes = static_cast<int64_t>(fs::file_size(path_, problem));
  check_packing(facts, label);
  check_sizes(facts, label, file_bytes, max_inflated_bytes_);
  zip_file_t* file = zip_fopen_index(archive, index, 0);
  if (file == nullptr) {
    fail_in(label, "cannot be opened ({})", zip_strerror(archive));
  }
  return std::make_unique<ZipEntry>(file, label, static_cast<int64_t>(facts.size));
}

std::string ZipArchive::names_text() const {
  std::string text;
  for (size_t i = 0; i < std::min(names_.size(), kMaxNamesInMessage); ++i) {
    text += (i > 0 ? ", " : "") + detail::quoted(names_[i]);
  }
  if (names_.size() > kMaxNamesInMessage) {
    text += fmt::format(" and {} more", names_.size() - kMaxNamesInMessage);
  }
  return names_.empty() ? "none" : text;
}

}  // namespace disenlink::detail
