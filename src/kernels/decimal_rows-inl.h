// Marks are found first, 64 bytes at a time; then the numbers between them become words of eight
// digits, and words become numbers, a vector at a time. So no number waits for the end of the one
// before it. The three steps are kept apart: together they have too few registers.
#if defined(DISENLINK_DECIMAL_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_DECIMAL_ROWS_INL_H
#undef DISENLINK_DECIMAL_ROWS_INL_H
#else
#define DISENLINK_DECIMAL_ROWS_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "kernels/decimal_rows.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

inline DecimalRows take_decimal_rows(std::string_view /*text*/, const RowMarks& /*marks*/,
                                     NodePair* /*rows*/) {
  return {};
}

#else

namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t kChunkBytes = 4096;  // what is made of them stays in the first cache
constexpr int64_t kWindowBytes = 64;
constexpr int64_t kMarksAtOnce = 6;

struct Chunk {
  uint32_t marks[kChunkBytes + kMarksAtOnce];  // bytes that are no digits
  int64_t num_marks;
  // Digits of source and target in turn, the last one in the highest byte.
  HWY_ALIGN uint64_t words[kChunkBytes + 2 * kSpareRows];
};

template <typename Word>
HWY_INLINE Word load(const char* at) {
  Word word = 0;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

// Bit i is set where byte i is a digit.
HWY_INLINE uint64_t digits_of(const char* window) {
  const hn::CappedTag<int8_t, kWindowBytes> d;
  using Bits = std::conditional_t<hn::MaxLanes(d) == 64, uint64_t,
                                  std::conditional_t<hn::MaxLanes(d) == 32, uint32_t, uint16_t> >;
  uint64_t digits = 0;
  for (int64_t i = 0; i < kWindowBytes; i += 8 * sizeof(Bits)) {
    const auto bytes = hn::LoadU(d, reinterpret_cast<const int8_t*>(window + i));
    // Digits become the largest numbers there are.
    const auto is_digit =
        hn::Gt(hn::Add(bytes, hn::Set(d, 127 - '9')), hn::Set(d, 126 - ('9' - '0')));
    Bits bits = 0;
    hn::StoreMaskBits(d, is_digit, reinterpret_cast<uint8_t*>(&bits));
    digits |= uint64_t{bits} << i;
  }
  return digits;
}

inline HWY_NOINLINE void find_marks(std::string_view text, Chunk& chunk) {
  constexpr uint64_t kNeverZero = uint64_t{1} << 63;  // or there would be a branch
  const auto size = static_cast<int64_t>(text.size());
  uint32_t* next = chunk.marks;
  for (int64_t begin = 0; begin < size; begin += kWindowBytes) {
    uint64_t left = ~digits_of(text.data() + begin);
    if (size - begin < kWindowBytes) {
      left &= (uint64_t{1} << (size - begin)) - 1;
    }
    uint32_t* const end = next + std::popcount(left);
    // Several without asking whether there are as many; the next window overwrites the rest.
    do {
      for (int64_t i = 0; i < kMarksAtOnce; ++i) {
        next[i] = static_cast<uint32_t>(begin + std::countr_zero(left | kNeverZero));
        left &= left - 1;
      }
      next += kMarksAtOnce;
    } while (next < end);
    next = end;
  }
  chunk.num_marks = next - chunk.marks;
}

// Not zero where other bytes stand there.
template <int64_t kWidth>
HWY_INLINE uint64_t differs(const RowMark& mark, const char* at) {
  using Bytes = std::conditional_t<kWidth == 1, uint8_t, uint16_t>;
  return static_cast<Bytes>(load<Bytes>(at) ^ mark.bytes);
}

// Eight digits or fewer from `at`, as if written with leading zeros.
HWY_INLINE uint64_t word_of(const char* at, uint64_t length) {
  return load<uint64_t>(at) << ((0 - 8 * length) & 63);
}

// Returns the bytes of these rows, 0 where one is not as it should be.
template <int64_t kSeparator, int64_t kLineEnd>
HWY_NOINLINE int64_t fill_words(const char* text, const RowMarks& marks, int64_t rows,
                                Chunk& chunk) {
  const char* source = text;
  uint64_t faults = 0;
  for (int64_t row = 0; row < rows; ++row) {
    const uint32_t* const mark = chunk.marks + row * (kSeparator + kLineEnd);
    const char* const separator = text + mark[0];
    const char* const target = separator + kSeparator;
    const char* const line_end = text + mark[kSeparator];
    const auto source_length = static_cast<uint64_t>(separator - source);
    const auto target_length = static_cast<uint64_t>(line_end - target);
    faults |= ((source_length - 1) | (target_length - 1)) / 8;
    faults |= differs<kSeparator>(marks.separator, separator);
    faults |= differs<kLineEnd>(marks.line_end, line_end);
    chunk.words[2 * row] = word_of(source, source_length);
    chunk.words[2 * row + 1] = word_of(target, target_length);
    source = line_end + kLineEnd;
  }
  std::fill_n(chunk.words + 2 * rows, 2 * kSpareRows, uint64_t{0});
  return faults == 0 ? source - text : 0;
}

inline auto word_filler(const RowMarks& marks) {
  if (marks.separator.width == 1) {
    return marks.line_end.width == 1 ? fill_words<1, 1> : fill_words<1, 2>;
  }
  return marks.line_end.width == 1 ? fill_words<2, 1> : fill_words<2, 2>;
}

// Neighbours are joined, digits, pairs, then fours: the first of two is multiplied and added to the
// second by one product, in whose upper half the sum stands.
template <class V>
HWY_INLINE V join_digits(V digits) {
  const hn::DFromV<V> d64;
  const hn::RepartitionToNarrow<decltype(d64)> d32;
  const hn::RepartitionToNarrow<decltype(d32)> d16;
  const auto each = hn::BitCast(d16, hn::And(digits, hn::Set(d64, 0x0f0f0f0f0f0f0f0fULL)));
  const auto pairs = hn::ShiftRight<8>(hn::Mul(each, hn::Set(d16, (10 << 8) + 1)));
  const auto fours =
      hn::ShiftRight<16>(hn::Mul(hn::BitCast(d32, pairs), hn::Set(d32, (100 << 16) + 1)));
  return hn::Add(hn::MulEven(fours, hn::Set(d32, 10'000)),
                 hn::ShiftRight<32>(hn::BitCast(d64, fours)));
}

// Returns the largest number.
inline HWY_NOINLINE uint32_t numbers_of(const Chunk& chunk, int64_t num_rows, NodePair* rows) {
  const hn::CappedTag<uint64_t, 2 * kSpareRows> d64;
  const hn::Rebind<uint32_t, decltype(d64)> d32;
  auto largest = hn::Zero(d32);
  for (int64_t row = 0; row < num_rows; row += static_cast<int64_t>(hn::Lanes(d64) / 2)) {
    const auto numbers = hn::TruncateTo(d32, join_digits(hn::Load(d64, chunk.words + 2 * row)));
    largest = hn::Max(largest, numbers);
    hn::StoreU(numbers, d32, reinterpret_cast<uint32_t*>(rows + row));
  }
  return hn::GetLane(hn::MaxOfLanes(d32, largest));
}

inline DecimalRows take_decimal_rows(std::string_view text, const RowMarks& marks, NodePair* rows) {
  const auto fill = word_filler(marks);
  Chunk chunk;
  DecimalRows taken;
  while (!text.empty()) {
    find_marks(text.substr(0, kChunkBytes), chunk);
    const int64_t count = chunk.num_marks / (marks.separator.width + marks.line_end.width);
    const int64_t bytes = fill(text.data(), marks, count, chunk);
    if (bytes == 0) {
      break;
    }
    taken.largest = std::max(taken.largest, numbers_of(chunk, count, rows + taken.count));
    taken.count += count;
    taken.bytes += bytes;
    text.remove_prefix(bytes);
  }
  return taken;
}

#endif

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
