#include "data/matlab_element.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "core/fail.h"
#include "data/endian.h"
#include "data/inflate_limit.h"
#include "disenlink/interrupt.h"

namespace disenlink::detail {
namespace {

constexpr size_t kTagBytes = 8;
constexpr size_t kSmallDataBytes = 4;
constexpr size_t kInflateChunkBytes = size_t{1} << 20;

// Inflates as it is asked to; the output never grows beyond what was asked for.
class Inflater {
 public:
  Inflater(std::string_view packed, const std::string& label) : label_(label) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    if (packed.size() > std::numeric_limits<uInt>::max() || inflateInit(&stream_) != Z_OK) {
      fail_in(label_, "cannot be unpacked");
    }
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Up to `count` bytes; fewer at the end of the stream.
  std::string take(size_t count) {
    std::string output;
    int state = Z_OK;
    while (output.size() < count && state == Z_OK) {
      check_interrupt();
      const size_t filled = output.size();
      output.resize(filled + std::min(count - filled, kInflateChunkBytes));
      stream_.next_out = reinterpret_cast<Bytef*>(output.data() + filled);
      stream_.avail_out = static_cast<uInt>(output.size() - filled);
      state = inflate(&stream_, Z_NO_FLUSH);
      output.resize(output.size() - stream_.avail_out);
      if (state != Z_OK && state != Z_STREAM_END) {
        fail_in(label_, "damaged or truncated packed data ({})",
                stream_.msg != nullptr ? stream_.msg : "unexpected end");
      }
    }
    return output;
  }

 private:
  z_stream stream_{};
  const std::string& label_;
};

template <typename Stored, typename Value>
std::vector<Value> decode_as(std::string_view data, bool swapped) {
  std::vector<Value> values(data.size() / sizeof(Stored));
  for (size_t i = 0; i < values.size(); ++i) {
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): an int8 is a number here, not a character
    values[i] = static_cast<Value>(load_number<Stored>(data.data() + i * sizeof(Stored), swapped));
  }
  return values;
}

}  // namespace

MatlabElement MatlabElements::next() {
  if (bytes_.size() - position_ < kTagBytes) {
    fail_in(label_, "ends within the tag of an element");
  }
  const auto first = load_number<uint32_t>(bytes_.data() + position_, swapped_);
  const uint32_t small_size = first >> 16;  // a small element: size and type share one word
  if (small_size > 0) {
    if (small_size > kSmallDataBytes) {
      fail_in(label_, "a small element announces {} bytes, at most {} fit", small_size,
              kSmallDataBytes);
    }
    const MatlabElement element{static_cast<MatlabType>(first & 0xffff),
                                bytes_.substr(position_ + kSmallDataBytes, small_size)};
    position_ += kTagBytes;
    return element;
  }
  const size_t size = load_number<uint32_t>(bytes_.data() + position_ + 4, swapped_);
  position_ += kTagBytes;
  if (size > bytes_.size() - position_) {
    fail_in(label_, "an element announces {} bytes, but {} are left", size,
            bytes_.size() - position_);
  }
  const MatlabElement element{static_cast<MatlabType>(first), bytes_.substr(position_, size)};
  const bool is_padded = element.type != MatlabType::kCompressed;
  const size_t stored = is_padded ? (size + kTagBytes - 1) / kTagBytes * kTagBytes : size;
  position_ = std::min(position_ + stored, bytes_.size());
  return element;
}

template <typename Value>
std::vector<Value> MatlabElements::decode(const MatlabElement& element) const {
  const auto run = [&]<typename Stored>(Stored) -> std::vector<Value> {
    if constexpr (std::is_floating_point_v<Stored> && std::is_integral_v<Value>) {
      fail_in(label_, "found floating-point numbers, expected whole ones");
    } else {
      if (element.data.size() % sizeof(Stored) != 0) {
        fail_in(label_, "{} bytes are no whole number of {}-byte values", element.data.size(),
                sizeof(Stored));
      }
      return decode_as<Stored, Value>(element.data, swapped_);
    }
  };
  switch (element.type) {
    case MatlabType::kInt8:
      return run(int8_t{});
    case MatlabType::kUint8:
      return run(uint8_t{});
    case MatlabType::kInt16:
      return run(int16_t{});
    case MatlabType::kUint16:
      return run(uint16_t{});
    case MatlabType::kInt32:
      return run(int32_t{});
    case MatlabType::kUint32:
      return run(uint32_t{});
    case MatlabType::kSingle:
      return run(float{});
    case MatlabType::kDouble:
      return run(double{});
    case MatlabType::kInt64:
      return run(int64_t{});
    case MatlabType::kUint64:
      return run(uint64_t{});
    default:
      fail_in(label_, "an element of type {}, expected numbers",
              static_cast<uint32_t>(element.type));
  }
}

std::vector<double> MatlabElements::next_numbers() { return decode<double>(next()); }

std::vector<int64_t> MatlabElements::next_whole_numbers() { return decode<int64_t>(next()); }

MatlabMatrixHeader read_matrix_header(MatlabElements& elements) {
  constexpr int64_t kComplexBit = 0x800;
  constexpr int64_t kMaxLength = std::numeric_limits<int32_t>::max();
  MatlabMatrixHeader header;
  const std::vector<int64_t> flags = elements.next_whole_numbers();
  if (flags.size() != 2) {
    fail_in(elements.label(), "array flags of {} values, expected 2", flags.size());
  }
  header.array_class = static_cast<uint8_t>(flags[0] & 0xff);
  header.is_complex = (flags[0] & kComplexBit) != 0;
  header.dimensions = elements.next_whole_numbers();
  for (const int64_t length : header.dimensions) {
    if (length < 0 || length > kMaxLength) {
      fail_in(elements.label(), "a dimension of length {}, expected 0 to {}", length, kMaxLength);
    }
  }
  header.name = elements.next().data;
  return header;
}

std::string inflate_matrix(std::string_view packed, bool swapped, const std::string& label,
                           int64_t max_inflated_bytes, std::optional<size_t> only_first) {
  Inflater inflater(packed, label);
  const std::string tag = inflater.take(kTagBytes);
  if (tag.size() < kTagBytes ||
      load_number<uint32_t>(tag.data(), swapped) != static_cast<uint32_t>(MatlabType::kMatrix)) {
    fail_in(label, "packed data that is no matrix");
  }
  const size_t size = load_number<uint32_t>(tag.data() + 4, swapped);
  check_inflated_size(label, size, packed.size(), max_inflated_bytes);
  if (only_first) {
    return inflater.take(std::min(size, *only_first));
  }
  std::string matrix = inflater.take(size);
  if (matrix.size() != size) {
    fail_in(label, "unpacks to {} bytes, but announces {}", matrix.size(), size);
  }
  if (!inflater.take(1).empty()) {
    fail_in(label, "unpacks to more than the {} bytes it announces", size);
  }
  return matrix;
}

}  // namespace disenlink::detail
