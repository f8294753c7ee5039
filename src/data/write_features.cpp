#include <fmt/format.h>

#include <limits>

#include "core/fail.h"
#include "core/output_file.h"
#include "data/endian.h"
#include "data/numpy.h"
#include "data/zip_writer.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

static_assert(kLittleEndianHost, "arrays are written in the machine's order and announced as '<'");

// Version 1.0; padded so that the values begin at a multiple of 64 bytes.
std::string npy_header(std::string_view type, std::string_view shape) {
  constexpr size_t kAlignment = 64;
  constexpr size_t kPrefixBytes = 10;
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  const size_t unpadded = kPrefixBytes + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string header = "\x93NUMPY";
  header +=
      {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

template <typename Number>
std::string_view as_bytes(std::span<const Number> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

std::string vector_header(std::string_view type, size_t length) {
  return npy_header(type, fmt::format("({},)", length));
}

// The entries of scipy.sparse.save_npz.
std::string scipy_csr(const Features& features) {
  const std::span<const int64_t> offsets = features.offsets();
  const bool narrow = features.num_nonzeros() <= std::numeric_limits<int32_t>::max();
  std::vector<int32_t> narrow_offsets;
  if (narrow) {
    narrow_offsets.assign(offsets.begin(), offsets.end());
  }
  const int64_t shape[] = {features.num_rows(), features.num_columns()};
  const std::string indices_header = vector_header("<i4", features.columns().size());
  const std::string indptr_header = vector_header(narrow ? "<i4" : "<i8", offsets.size());
  const std::string format_header = npy_header("|S3", "()");
  const std::string shape_header = vector_header("<i8", 2);
  const std::string data_header = vector_header("<f4", features.values().size());
  const std::string_view indptr =
      narrow ? as_bytes(std::span<const int32_t>(narrow_offsets)) : as_bytes(offsets);
  return make_zip({{"indices.npy", {indices_header, as_bytes(features.columns())}},
                   {"indptr.npy", {indptr_header, indptr}},
                   {"format.npy", {format_header, "csr"}},
                   {"shape.npy", {shape_header, as_bytes(std::span<const int64_t>(shape))}},
                   {"data.npy", {data_header, as_bytes(features.values())}}});
}

}  // namespace

fs::path write_features(const Features& features, const fs::path& folder) {
  if (features.empty()) {
    fail_in(folder, "there are no features to write");
  }
  if (features.is_sparse()) {
    write_whole_file(folder / "features.npz", scipy_csr(features));
    return "features.npz";
  }
  OutputFile file(folder / "features.npy");
  file.write(
      npy_header("<f4", fmt::format("({}, {})", features.num_rows(), features.num_columns())));
  file.write(as_bytes(features.values()));
  file.commit();
  return "features.npy";
}

}  // namespace disenlink::detail
