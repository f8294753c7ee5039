#include "data/npy_array.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/fail.h"
#include "data/endian.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kBlockItems = int64_t{1} << 16;
constexpr int64_t kMaxTextBytes = 256;

// IEEE binary16, which C++20 has no type for.
struct Half {
  uint16_t bits;
};

float to_float(Half half) {
  const int exponent = (half.bits >> 10) & 31;
  const int fraction = half.bits & 1023;
  float magnitude = 0;
  if (exponent == 31) {
    magnitude = fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                              : std::numeric_limits<float>::infinity();
  } else {
    magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                              : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  }
  return (half.bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <typename Stored>
bool convert(Stored stored, float& value) {
  if constexpr (std::is_same_v<Stored, Half>) {
    value = to_float(stored);
  } else if constexpr (std::is_same_v<Stored, double>) {
    constexpr double kLargest = std::numeric_limits<float>::max();
    const bool fits = std::abs(stored) <= kLargest || std::isnan(stored);
    value = fits ? static_cast<float>(stored)
                 : std::copysign(std::numeric_limits<float>::infinity(), stored > 0 ? 1.0F : -1.0F);
  } else {
    value = static_cast<float>(stored);
  }
  return true;
}

template <typename Stored>
bool convert(Stored stored, int64_t& value) {
  if constexpr (std::is_same_v<Stored, Half>) {
    return convert(to_float(stored), value);
  } else if constexpr (std::is_floating_point_v<Stored>) {
    constexpr Stored kBound = 9.2e18F;
    const bool is_integer = std::abs(stored) < kBound && std::trunc(stored) == stored;
    value = is_integer ? static_cast<int64_t>(stored) : 0;
    return is_integer;
  } else if constexpr (std::is_same_v<Stored, uint64_t>) {
    value = static_cast<int64_t>(stored);
    return stored <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  } else {
    value = stored;  // NOLINT(bugprone-signed-char-misuse): an int8 is a number, not a character
    return true;
  }
}

// Index of the first value that cannot be converted, or values.size().
template <typename Stored, typename Value>
size_t convert_all(const char* raw, bool swapped, std::span<Value> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (!convert(load_number<Stored>(raw + i * sizeof(Stored), swapped), values[i])) {
      return i;
    }
  }
  return values.size();
}

template <typename Value>
size_t convert_as(const NpyHeader& header, const char* raw, std::span<Value> values) {
  const auto run = [&]<typename Stored>(Stored) {
    return convert_all<Stored>(raw, header.swapped, values);
  };
  switch (header.kind * 16 + header.item_bytes) {
    case 'b' * 16 + 1:
      return run(uint8_t{});
    case 'i' * 16 + 1:
      return run(int8_t{});
    case 'i' * 16 + 2:
      return run(int16_t{});
    case 'i' * 16 + 4:
      return run(int32_t{});
    case 'i' * 16 + 8:
      return run(int64_t{});
    case 'u' * 16 + 1:
      return run(uint8_t{});
    case 'u' * 16 + 2:
      return run(uint16_t{});
    case 'u' * 16 + 4:
      return run(uint32_t{});
    case 'u' * 16 + 8:
      return run(uint64_t{});
    case 'f' * 16 + 2:
      return run(Half{});
    case 'f' * 16 + 4:
      return run(float{});
    default:
      return run(double{});
  }
}

// All values of an array; grows with the bytes that are really there.
template <typename Value>
std::vector<Value> read_all(NpyReader& reader) {
  std::vector<Value> values;
  while (reader.remaining() > 0) {
    const auto count = static_cast<size_t>(std::min(reader.remaining(), kBlockItems));
    const size_t filled = values.size();
    values.resize(filled + count);
    reader.read({values.data() + filled, count});
  }
  reader.finish();
  return values;
}

}  // namespace

NpyReader::NpyReader(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), header_(read_npy_header(*source_)) {}

void NpyReader::fill_raw(size_t bytes) {
  raw_.resize(bytes);
  const size_t got = source_->read(raw_);
  if (got != bytes) {
    fail_in(label(), "ends after {} of {} values",
            position_ + static_cast<int64_t>(got) / header_.item_bytes, header_.num_items);
  }
}

template <typename Value>
void NpyReader::read_values(std::span<Value> values) {
  if (!header_.is_number()) {
    fail_in(label(), "is an array of text, expected numbers");
  }
  fill_raw(values.size() * static_cast<size_t>(header_.item_bytes));
  const size_t bad = convert_as<Value>(header_, raw_.data(), values);
  if (bad < values.size()) {
    float found = 0;
    convert_as<float>(header_, raw_.data() + bad * static_cast<size_t>(header_.item_bytes),
                      {&found, 1});
    fail_in(label(), "value {} (from 0) is {}, expected an integer of 64 bits",
            position_ + static_cast<int64_t>(bad), found);
  }
  position_ += static_cast<int64_t>(values.size());
}

void NpyReader::read(std::span<float> values) { read_values(values); }
void NpyReader::read(std::span<int64_t> values) { read_values(values); }

std::string NpyReader::read_text() {
  if (header_.is_number() || header_.num_items != 1 || header_.item_bytes > kMaxTextBytes) {
    fail_in(label(), "expected one short text, found {} values", header_.shape_text());
  }
  fill_raw(static_cast<size_t>(header_.item_bytes));
  position_ = 1;
  const size_t step = header_.kind == 'U' ? 4 : 1;
  std::string text;
  for (size_t i = 0; i < raw_.size(); i += step) {
    const uint32_t letter = step == 1 ? static_cast<uint8_t>(raw_[i])
                                      : load_number<uint32_t>(raw_.data() + i, header_.swapped);
    text += letter < 128 ? static_cast<char>(letter) : '?';
  }
  return text.substr(0, text.find('\0'));
}

void NpyReader::finish() {
  char extra = 0;
  if (source_->read({&extra, 1}) != 0) {
    fail_in(label(), "more bytes follow its {} values", header_.num_items);
  }
}

IntegerArray read_integers(std::unique_ptr<ByteSource> source) {
  NpyReader reader(std::move(source));
  const size_t dimensions = reader.header().shape.size();
  if (dimensions != 1 && dimensions != 2) {
    fail_in(reader.label(), "has {} dimensions, expected 1 or 2", dimensions);
  }
  return {reader.header(), reader.label(), read_all<int64_t>(reader)};
}

std::vector<float> read_floats(std::unique_ptr<ByteSource> source) {
  NpyReader reader(std::move(source));
  if (reader.header().shape.size() != 1) {
    fail_in(reader.label(), "has {} dimensions, expected 1", reader.header().shape.size());
  }
  return read_all<float>(reader);
}

void require_table(const NpyReader& reader) {
  const NpyHeader& header = reader.header();
  if (header.shape.size() != 2) {
    fail_in(reader.label(), "has {} dimensions, expected 2 (one row a node)", header.shape.size());
  }
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (header.num_items == 0 || header.shape[0] > kMost || header.shape[1] > kMost) {
    fail_in(reader.label(), "is a table of {}, expected 1 to {} rows and columns",
            header.shape_text(), kMost);
  }
}

void for_each_nonzero(NpyReader& reader, const NonzeroVisitor& visit) {
  const bool by_columns = reader.header().fortran_order;
  const int64_t line_length = reader.header().shape[by_columns ? 0 : 1];
  std::vector<float> block(static_cast<size_t>(std::min(reader.remaining(), kBlockItems)));
  int64_t position = 0;
  const auto visit_value = [&](int64_t at, float value) {
    const int64_t line = at / line_length;
    const int64_t place = at % line_length;
    const int64_t row = by_columns ? place : line;
    const int64_t column = by_columns ? line : place;
    if (!std::isfinite(value)) {
      fail_in(reader.label(), "row {}, column {} (from 0) is {}, expected a finite 32-bit number",
              row, column, value);
    }
    visit(row, column, value);
  };
  while (reader.remaining() > 0) {
    block.resize(static_cast<size_t>(std::min(reader.remaining(), kBlockItems)));
    reader.read(block);
    for (size_t i = 0; i < block.size(); ++i) {
      if (block[i] != 0) {
        visit_value(position + static_cast<int64_t>(i), block[i]);
      }
    }
    position += static_cast<int64_t>(block.size());
  }
  reader.finish();
}

}  // namespace disenlink::detail
