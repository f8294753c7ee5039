// Hand-made .npy bytes and zip archives for the tests.
#pragma once

#include <fmt/format.h>
#include <zip.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "test_files.h"

namespace disenlink::testing {

inline std::filesystem::path fixture(std::string_view name) {
  return std::filesystem::path(DISENLINK_SOURCE_DIR) / "tests" / "data" / "fixtures" / name;
}

inline std::string npy_with_header(std::string text) {
  text += '\n';
  std::string bytes = "\x93NUMPY";
  bytes +=
      {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return bytes + text;
}

// `shape` as Python writes it: "(3, 4)".
template <typename Number>
std::string npy(std::string_view type, std::string_view shape, const std::vector<Number>& values,
                bool fortran_order = false) {
  std::string bytes =
      npy_with_header(fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type,
                                  fortran_order ? "True" : "False", shape));
  return bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number));
}

struct ZipMember {
  std::string name;
  std::string bytes;
};

inline std::filesystem::path write_zip(const TemporaryFolder& folder, const std::string& name,
                                       const std::vector<ZipMember>& members,
                                       zip_int32_t method = ZIP_CM_DEFLATE,
                                       const char* password = nullptr) {
  std::filesystem::path path = folder.path() / name;
  int code = 0;
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  for (const ZipMember& member : members) {
    zip_source_t* source = zip_source_buffer(archive, member.bytes.data(), member.bytes.size(), 0);
    const auto index =
        static_cast<zip_uint64_t>(zip_file_add(archive, member.name.c_str(), source, 0));
    zip_set_file_compression(archive, index, method, 6);
    if (password != nullptr) {
      zip_file_set_encryption(archive, index, ZIP_EM_AES_256, password);
    }
  }
  if (zip_close(archive) != 0) {
    ADD_FAILURE() << "cannot write " << path << ": " << zip_strerror(archive);
    zip_discard(archive);
  }
  return path;
}

}  // namespace disenlink::testing
