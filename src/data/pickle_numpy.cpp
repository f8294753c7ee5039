#include "data/pickle_numpy.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/text.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kMaxExtent = std::numeric_limits<int32_t>::max();

struct ElementType {
  char kind;  // i, u, f or b
  int64_t size;
  bool is_swapped;
};

PickleValue item(const Pickle& pickle, PickleValue value, PickleKind kind, size_t index,
                 const char* expected) {
  const auto items = pickle.items(value);
  if (!value.is(kind) || index >= items.size()) {
    pickle.fail_at(value, "found {}, expected {}", pickle.describe(value), expected);
  }
  return items[index];
}

int64_t integer(const Pickle& pickle, PickleValue value, PickleValue within, const char* expected) {
  if (!value.is(PickleKind::kInteger)) {
    pickle.fail_at(within, "found {}, expected {}", pickle.describe(value), expected);
  }
  return value.payload;
}

// One or two sizes.
std::vector<int64_t> shape_of(const Pickle& pickle, PickleValue tuple) {
  std::vector<int64_t> shape;
  for (const PickleValue extent : pickle.items(tuple)) {
    shape.push_back(integer(pickle, extent, tuple, "the size of an array"));
    if (shape.back() < 0 || shape.back() > kMaxExtent) {
      pickle.fail_at(tuple, "an array of size {}, expected 0 to {}", shape.back(), kMaxExtent);
    }
  }
  if (!tuple.is(PickleKind::kTuple) || shape.empty() || shape.size() > 2) {
    pickle.fail_at(tuple, "found {} as shape of an array, expected one or two sizes",
                   pickle.describe(tuple));
  }
  return shape;
}

// dtype('i4', ...) with the state (version, '<', ...).
ElementType element_type_of(const Pickle& pickle, PickleValue value) {
  if (!pickle.is_object_of(value, PickleGlobal::kDtype)) {
    pickle.fail_at(value, "found {}, expected a numpy dtype", pickle.describe(value));
  }
  const PickleValue arguments =
      item(pickle, value, PickleKind::kObject, 1, "a numpy dtype with arguments");
  const PickleValue code = item(pickle, arguments, PickleKind::kTuple, 0, "the code of a dtype");
  const PickleValue state = item(pickle, value, PickleKind::kObject, 2, "a numpy dtype with state");
  const PickleValue order =
      item(pickle, state, PickleKind::kTuple, 1, "the byte order of a numpy dtype");
  constexpr std::string_view kSupported[] = {"b1", "i1", "i2", "i4", "i8", "u1",
                                             "u2", "u4", "u8", "f4", "f8"};
  const std::string_view name = pickle.string(code);
  if (std::find(std::begin(kSupported), std::end(kSupported), name) == std::end(kSupported)) {
    pickle.fail_at(value, "array elements of type {}, expected integers, booleans, f4 or f8",
                   quoted(name));
  }
  return {name[0], name[1] - '0', pickle.string(order) == ">"};
}

// Python 3 wraps the bytes of protocol 2 as _codecs.encode(text, 'latin1').
std::string decode_latin1(const Pickle& pickle, PickleValue text) {
  const std::string_view utf8 = pickle.string(text);
  std::string bytes;
  bytes.reserve(utf8.size());
  for (size_t i = 0; i < utf8.size(); ++i) {
    const auto lead = static_cast<uint8_t>(utf8[i]);
    if (lead < 0x80) {
      bytes += utf8[i];
      continue;
    }
    const bool has_tail = i + 1 < utf8.size() && (static_cast<uint8_t>(utf8[i + 1]) & 0xc0) == 0x80;
    if ((lead != 0xc2 && lead != 0xc3) || !has_tail) {
      pickle.fail_at(text, "byte {} of array data is not a latin1 character in UTF-8", i);
    }
    ++i;
    bytes += static_cast<char>(((lead & 0x03) << 6) | (static_cast<uint8_t>(utf8[i]) & 0x3f));
  }
  return bytes;
}

std::string bytes_of(const Pickle& pickle, PickleValue value) {
  if (value.is(PickleKind::kBytes)) {
    return std::string(pickle.string(value));
  }
  if (!pickle.is_object_of(value, PickleGlobal::kEncode)) {
    pickle.fail_at(value, "found {}, expected the bytes of an array", pickle.describe(value));
  }
  const PickleValue arguments = pickle.items(value)[1];
  const PickleValue text = item(pickle, arguments, PickleKind::kTuple, 0, "a text to encode");
  const PickleValue encoding = item(pickle, arguments, PickleKind::kTuple, 1, "an encoding");
  if (!text.is(PickleKind::kText) || pickle.string(encoding) != "latin1") {
    pickle.fail_at(value, "found {} in {}, expected a text in 'latin1'", pickle.describe(text),
                   pickle.describe(encoding));
  }
  return decode_latin1(pickle, text);
}

template <typename Number>
double load(const char* bytes) {
  Number value;
  std::memcpy(&value, bytes, sizeof(Number));
  return static_cast<double>(value);
}

using Load = double (*)(const char*);

Load load_of(ElementType type) {
  switch (type.kind) {
    case 'f':
      return type.size == 4 ? load<float> : load<double>;
    case 'i':
      return type.size == 1   ? load<int8_t>
             : type.size == 2 ? load<int16_t>
             : type.size == 4 ? load<int32_t>
                              : load<int64_t>;
    default:
      return type.size == 1   ? load<uint8_t>
             : type.size == 2 ? load<uint16_t>
             : type.size == 4 ? load<uint32_t>
                              : load<uint64_t>;
  }
}

std::vector<double> numbers_of(std::string bytes, ElementType type) {
  const auto count = static_cast<int64_t>(bytes.size()) / type.size;
  const Load load_one = load_of(type);
  std::vector<double> numbers(count);
  for (int64_t i = 0; i < count; ++i) {
    char* element = bytes.data() + i * type.size;
    if (type.is_swapped) {
      std::reverse(element, element + type.size);
    }
    numbers[i] = load_one(element);
  }
  return numbers;
}

// Column by column, as Fortran keeps tables, becomes row by row.
std::vector<double> transposed(const std::vector<double>& values, int64_t rows, int64_t columns) {
  std::vector<double> result(values.size());
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      result[row * columns + column] = values[column * rows + row];
    }
  }
  return result;
}

PickleValue state_entry(const Pickle& pickle, PickleValue matrix, PickleValue state,
                        const char* name) {
  const auto found = pickle.find(state, name);
  if (!found) {
    pickle.fail_at(matrix, "a CSR matrix without '{}'", name);
  }
  return *found;
}

std::vector<double> vector_entry(const Pickle& pickle, PickleValue matrix, PickleValue state,
                                 const char* name) {
  const PickleValue entry = state_entry(pickle, matrix, state, name);
  PickledArray array = pickled_array(pickle, entry);
  if (array.shape.size() != 1) {
    pickle.fail_at(entry, "'{}' of a CSR matrix has two dimensions, expected one", name);
  }
  return std::move(array.values);
}

void check_csr(const Pickle& pickle, PickleValue matrix, const PickledCsr& csr,
               const std::vector<double>& offsets, const std::vector<double>& columns,
               size_t num_values) {
  if (static_cast<int64_t>(offsets.size()) != csr.num_rows + 1 || offsets.front() != 0 ||
      !std::is_sorted(offsets.begin(), offsets.end())) {
    pickle.fail_at(matrix, "row offsets of the CSR matrix do not fit its {} rows", csr.num_rows);
  }
  if (columns.size() != num_values || offsets.back() != static_cast<double>(num_values)) {
    pickle.fail_at(matrix, "the CSR matrix announces {} entries, has {} columns and {} values",
                   offsets.back(), columns.size(), num_values);
  }
  for (const double column : columns) {
    if (!(column >= 0 && column < static_cast<double>(csr.num_columns))) {
      pickle.fail_at(matrix, "the CSR matrix names column {}, expected 0 to {}", column,
                     csr.num_columns - 1);
    }
  }
}

}  // namespace

PickledArray pickled_array(const Pickle& pickle, PickleValue value) {
  if (!pickle.is_object_of(value, PickleGlobal::kReconstruct)) {
    pickle.fail_at(value, "found {}, expected a numpy array", pickle.describe(value));
  }
  // State: version, shape, type, column by column?, bytes.
  const PickleValue state =
      item(pickle, value, PickleKind::kObject, 2, "a numpy array with its content");
  const PickleValue data = item(pickle, state, PickleKind::kTuple, 4, "the state of an array");
  const ElementType type = element_type_of(pickle, pickle.items(state)[2]);
  PickledArray array{.shape = shape_of(pickle, pickle.items(state)[1]), .values = {}};
  std::string bytes = bytes_of(pickle, data);
  const int64_t count = array.shape[0] * (array.shape.size() == 2 ? array.shape[1] : 1);
  const auto num_bytes = static_cast<int64_t>(bytes.size());
  if (num_bytes % type.size != 0 || num_bytes / type.size != count) {
    pickle.fail_at(data, "{} bytes for an array of {} elements of {} bytes", num_bytes, count,
                   type.size);
  }
  array.values = numbers_of(std::move(bytes), type);
  for (size_t i = 0; i < array.values.size(); ++i) {
    if (!std::isfinite(array.values[i])) {
      pickle.fail_at(data, "element {} of the array is {}, expected a finite number", i,
                     array.values[i]);
    }
  }
  const PickleValue by_column = pickle.items(state)[3];
  if (by_column.payload != 0 && array.shape.size() == 2) {
    array.values = transposed(array.values, array.shape[0], array.shape[1]);
  }
  return array;
}

PickledCsr pickled_csr(const Pickle& pickle, PickleValue value) {
  if (!pickle.is_object_of(value, PickleGlobal::kCsrMatrix)) {
    pickle.fail_at(value, "found {}, expected a scipy csr_matrix", pickle.describe(value));
  }
  const PickleValue state =
      item(pickle, value, PickleKind::kObject, 2, "a scipy csr_matrix with its content");
  const PickleValue shape = pickle.find(state, "_shape").value_or(PickleValue{});
  const std::vector<int64_t> extents = shape_of(pickle, shape);
  if (extents.size() != 2) {
    pickle.fail_at(value, "the CSR matrix has {} dimension, expected 2", extents.size());
  }
  PickledCsr csr;
  csr.num_rows = extents[0];
  csr.num_columns = extents[1];
  const std::vector<double> offsets = vector_entry(pickle, value, state, "indptr");
  const std::vector<double> columns = vector_entry(pickle, value, state, "indices");
  const std::vector<double> values = vector_entry(pickle, value, state, "data");
  check_csr(pickle, value, csr, offsets, columns, values.size());
  csr.offsets.assign(offsets.begin(), offsets.end());
  csr.columns.assign(columns.begin(), columns.end());
  for (const double number : values) {
    if (std::abs(number) > std::numeric_limits<float>::max()) {
      pickle.fail_at(value, "the CSR matrix holds {}, too large for a 32-bit float", number);
    }
    csr.values.push_back(static_cast<float>(number));
  }
  return csr;
}

}  // namespace disenlink::detail
