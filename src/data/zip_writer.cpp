#include "data/zip_writer.h"

#include <zip.h>

#include <cstdint>
#include <memory>

#include "core/fail.h"

namespace disenlink::detail {
namespace {

// 1 January 1980, the first date of the format.
constexpr zip_uint16_t kFirstDosDate = (1 << 5) | 1;
constexpr zip_uint32_t kDeflateLevel = 6;

void require(bool succeeded, zip_t* archive) {
  if (!succeeded) {
    fail("cannot make a zip archive: {}", zip_strerror(archive));
  }
}

void add_entry(zip_t* archive, const ZipContent& content) {
  std::vector<zip_buffer_fragment_t> fragments;
  for (const std::string_view part : content.parts) {
    if (!part.empty()) {
      auto* bytes = reinterpret_cast<zip_uint8_t*>(const_cast<char*>(part.data()));
      fragments.push_back({bytes, part.size()});
    }
  }
  zip_source_t* source = zip_source_buffer_fragment(archive, fragments.data(), fragments.size(), 0);
  require(source != nullptr, archive);
  const zip_int64_t index = zip_file_add(archive, content.name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    require(false, archive);
  }
  const auto entry = static_cast<zip_uint64_t>(index);
  require(zip_set_file_compression(archive, entry, ZIP_CM_DEFLATE, kDeflateLevel) == 0, archive);
  require(zip_file_set_dostime(archive, entry, 0, kFirstDosDate, 0) == 0, archive);
}

std::string read_source(zip_source_t* source) {
  zip_stat_t facts;
  zip_stat_init(&facts);
  if (zip_source_stat(source, &facts) != 0 || zip_source_open(source) != 0) {
    fail("cannot make a zip archive: {}", zip_error_strerror(zip_source_error(source)));
  }
  std::string bytes(facts.size, '\0');
  const zip_int64_t got = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (got != static_cast<zip_int64_t>(bytes.size())) {
    fail("cannot make a zip archive: {} of {} bytes", got, bytes.size());
  }
  return bytes;
}

}  // namespace

std::string make_zip(const std::vector<ZipContent>& contents) {
  zip_error_t error;
  zip_error_init(&error);
  const std::unique_ptr<zip_source_t, void (*)(zip_source_t*)> target(
      zip_source_buffer_create(nullptr, 0, 0, &error), &zip_source_free);
  if (target == nullptr) {
    fail("cannot make a zip archive: {}", zip_error_strerror(&error));
  }
  zip_source_keep(target.get());  // the archive takes one reference of its own
  std::unique_ptr<zip_t, void (*)(zip_t*)> archive(
      zip_open_from_source(target.get(), ZIP_TRUNCATE, &error), &zip_discard);
  if (archive == nullptr) {
    zip_source_free(target.get());
    fail("cannot make a zip archive: {}", zip_error_strerror(&error));
  }
  for (const ZipContent& content : contents) {
    add_entry(archive.get(), content);
  }
  require(zip_close(archive.get()) == 0, archive.get());
  static_cast<void>(archive.release());  // zip_close has freed it
  return read_source(target.get());
}

}  // namespace disenlink::detail
