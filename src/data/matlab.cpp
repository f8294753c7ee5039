#include "data/matlab.h"

#include <algorithm>
#include <utility>

#include "core/fail.h"
#include "core/input_file.h"
#include "core/text.h"
#include "data/endian.h"
#include "data/matlab_element.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

constexpr size_t kFileHeaderBytes = 128;
constexpr size_t kVersionAt = 124;
constexpr uint16_t kVersion5 = 0x0100;
constexpr uint16_t kVersion73 = 0x0200;
// Enough of a packed matrix to learn its name.
constexpr size_t kMatrixStartBytes = 512;

// True when the bytes are in the other order than the machine's.
bool read_file_header(const fs::path& path, std::string_view bytes) {
  if (bytes.size() < kFileHeaderBytes) {
    fail_in(path, "has {} bytes, a Matlab file has {} before its first variable", bytes.size(),
            kFileHeaderBytes);
  }
  // The letters M and I as one number: read in the right order, M is the high byte.
  constexpr uint16_t kInOrder = ('M' << 8) | 'I';
  const char* mark = bytes.data() + kVersionAt + 2;
  const bool swapped = load_number<uint16_t>(mark, false) != kInOrder;
  const auto version = load_number<uint16_t>(bytes.data() + kVersionAt, swapped);
  if (load_number<uint16_t>(mark, swapped) != kInOrder ||
      (version != kVersion5 && version != kVersion73)) {
    fail_in(path, "is no Matlab v5 file: bytes 124 to 127 are {}",
            quoted(bytes.substr(kVersionAt, 4)));
  }
  if (version == kVersion73) {
    fail_in(path, "is a Matlab 7.3 file (HDF5), expected v5; write it again with save('-v7')");
  }
  return swapped;
}

// The name of a matrix, or nothing for elements that are none.
std::string name_of(const MatlabElement& element, bool swapped, const std::string& label,
                    int64_t max_inflated_bytes) {
  std::string unpacked;
  std::string_view matrix = element.data;
  if (element.type == MatlabType::kCompressed) {
    unpacked = inflate_matrix(element.data, swapped, label, max_inflated_bytes, kMatrixStartBytes);
    matrix = unpacked;
  } else if (element.type != MatlabType::kMatrix) {
    return {};
  }
  MatlabElements parts(matrix, swapped, label);
  return read_matrix_header(parts).name;
}

void require_plain_matrix(const MatlabMatrixHeader& header, const std::string& label) {
  if (header.is_complex) {
    fail_in(label, "holds complex numbers, expected real ones");
  }
  if (header.dimensions.size() != 2) {
    fail_in(label, "has {} dimensions, expected 2", header.dimensions.size());
  }
}

void check_sparse(const MatlabSparse& matrix, size_t num_values, const std::string& label) {
  if (static_cast<int64_t>(matrix.offsets.size()) != matrix.num_columns + 1) {
    fail_in(label, "has {} column offsets, expected {}", matrix.offsets.size(),
            matrix.num_columns + 1);
  }
  if (matrix.offsets.front() != 0 ||
      !std::is_sorted(matrix.offsets.begin(), matrix.offsets.end())) {
    fail_in(label, "its column offsets do not ascend from 0");
  }
  if (matrix.offsets.back() > static_cast<int64_t>(num_values)) {
    fail_in(label, "its column offsets end at {}, but {} entries are stored", matrix.offsets.back(),
            num_values);
  }
}

}  // namespace

MatlabFile::MatlabFile(fs::path path, int64_t max_inflated_bytes)
    : path_(std::move(path)),
      max_inflated_bytes_(max_inflated_bytes),
      bytes_(read_whole_file(path_, max_inflated_bytes)) {
  swapped_ = read_file_header(path_, bytes_);
  MatlabElements elements(bytes_, swapped_, path_.string(), kFileHeaderBytes);
  while (!elements.at_end()) {
    const size_t offset = elements.position();
    const std::string label = fmt::format("{}: at byte {}", path_.string(), offset);
    variables_.push_back({name_of(elements.next(), swapped_, label, max_inflated_bytes_), offset});
  }
}

std::string MatlabFile::label_of(std::string_view name) const {
  return fmt::format("{}: variable {}", path_.string(), quoted(name));
}

std::string MatlabFile::matrix_bytes(std::string_view name) const {
  const auto found = std::find_if(variables_.begin(), variables_.end(),
                                  [&](const Variable& variable) { return variable.name == name; });
  if (found == variables_.end()) {
    std::string names;
    for (const Variable& variable : variables_) {
      names += (names.empty() ? "" : ", ") + detail::quoted(variable.name);
    }
    fail_in(path_, "has no variable {}; there are {}", quoted(name),
            names.empty() ? "none" : names.substr(0, 400));
  }
  MatlabElements elements(bytes_, swapped_, label_of(name), found->offset);
  const MatlabElement element = elements.next();
  if (element.type == MatlabType::kCompressed) {
    return inflate_matrix(element.data, swapped_, elements.label(), max_inflated_bytes_);
  }
  return std::string(element.data);
}

MatlabSparse MatlabFile::sparse(std::string_view name) const {
  const std::string bytes = matrix_bytes(name);
  MatlabElements elements(bytes, swapped_, label_of(name));
  const MatlabMatrixHeader header = read_matrix_header(elements);
  require_plain_matrix(header, elements.label());
  if (header.array_class != kMatlabSparseClass) {
    fail_in(elements.label(), "is of class {}, expected a sparse matrix ({})", header.array_class,
            kMatlabSparseClass);
  }
  MatlabSparse matrix;
  matrix.num_rows = header.dimensions[0];
  matrix.num_columns = header.dimensions[1];
  const std::vector<int64_t> rows = elements.next_whole_numbers();
  matrix.offsets = elements.next_whole_numbers();
  matrix.values = elements.next_numbers();
  check_sparse(matrix, std::min(rows.size(), matrix.values.size()), elements.label());
  // Room for more entries than are used may be stored.
  const auto used = static_cast<size_t>(matrix.offsets.back());
  matrix.values.resize(used);
  matrix.rows.reserve(used);
  for (size_t i = 0; i < used; ++i) {
    if (rows[i] < 0 || rows[i] >= matrix.num_rows) {
      fail_in(elements.label(), "entry {} (from 0) names row {}, expected 0 to {}", i, rows[i],
              matrix.num_rows - 1);
    }
    matrix.rows.push_back(static_cast<int32_t>(rows[i]));
  }
  return matrix;
}

MatlabTable MatlabFile::table(std::string_view name) const {
  const std::string bytes = matrix_bytes(name);
  MatlabElements elements(bytes, swapped_, label_of(name));
  const MatlabMatrixHeader header = read_matrix_header(elements);
  require_plain_matrix(header, elements.label());
  if (header.array_class < kMatlabFirstNumericClass ||
      header.array_class > kMatlabLastNumericClass) {
    fail_in(elements.label(), "is of class {}, expected a full matrix of numbers ({} to {})",
            header.array_class, kMatlabFirstNumericClass, kMatlabLastNumericClass);
  }
  MatlabTable table{.num_rows = header.dimensions[0],
                    .num_columns = header.dimensions[1],
                    .values = elements.next_numbers()};
  if (static_cast<int64_t>(table.values.size()) != table.num_rows * table.num_columns) {
    fail_in(elements.label(), "holds {} values, expected {} x {}", table.values.size(),
            table.num_rows, table.num_columns);
  }
  return table;
}

}  // namespace disenlink::detail
