// One block of an edge list of integers, parsed.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/text.h"
#include "data/delimited.h"
#include "data/edge_list_format.h"
#include "data/text_blocks.h"
#include "kernels/decimal_rows.h"

namespace disenlink::detail {

static_assert(std::endian::native == std::endian::little, "digits are taken eight at a time");
static_assert(kTextPadding >= kDecimalPadding);

// Reads the decimal digits at `at`, which may be followed by 16 bytes of anything. False where
// there is none or the number exceeds `limit`.
inline bool take_digits(const char*& at, uint64_t limit, uint64_t& value) {
  uint64_t word = 0;
  std::memcpy(&word, at, 8);
  word ^= 0x3030303030303030ULL;  // digits become 0 to 9
  const uint64_t others = ((word + 0x7676767676767676ULL) | word) & 0x8080808080808080ULL;
  const int digits = std::countr_zero(others) / 8;  // 8 where all are
  if (digits == 0) {
    return false;
  }
  // As if written with leading zeros; then neighbours are joined: digits, pairs, fours.
  word <<= 64 - 8 * digits;
  word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ffULL;
  word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffffULL;
  value = (word * 10000 + (word >> 32)) & 0xffffffffULL;
  at += digits;
  if (digits == 8) {
    for (; *at >= '0' && *at <= '9'; ++at) {
      const auto digit = static_cast<uint64_t>(*at - '0');
      if (value > (limit - digit) / 10) {
        return false;
      }
      value = value * 10 + digit;
    }
  }
  return value <= limit;
}

// The line at `at` without its end; there must be one before `end`.
inline std::string_view take_line(const char*& at, const char* end) {
  const auto* line_end = static_cast<const char*>(std::memchr(at, '\n', end - at));
  const std::string_view line(at, line_end - at);
  at = line_end + 1;
  return line;
}

// Skips the first row; false where the text has none.
inline bool skip_header(std::string_view& text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  bool found = false;
  while (at < end && !found) {
    const std::string_view line = trim(take_line(at, end));
    found = !line.empty() && !is_comment(line);
  }
  text.remove_prefix(at - text.data());
  return found;
}

// The marks of the first line, which are likely those of the others.
inline RowMarks marks_of(std::string_view text, char separator) {
  const std::string_view line = text.substr(0, text.find('\n') + 1);
  const size_t at = std::min(line.find(separator), line.size());
  const bool has_blank = line.substr(at + (at < line.size() ? 1 : 0)).starts_with(' ');
  const char between[] = {separator, ' '};
  return {RowMark({between, has_blank ? size_t{2} : size_t{1}}),
          RowMark(line.ends_with("\r\n") ? "\r\n" : "\n")};
}

template <typename Pair>
struct ParsedBlock {
  std::vector<Pair> rows;  // only the first num_rows count
  int64_t num_rows = 0;
  uint64_t largest = 0;
  int64_t early_comments = 0;  // before its first row
  int64_t comments = 0;        // all
  bool is_faulty = false;
};

template <typename Pair>
class BlockParser {
 public:
  explicit BlockParser(const EdgeListFormat& format)
      : separator_(format.separator), num_columns_(format.num_columns), splitter_(separator_) {}

  void parse(const TextBlock& block, ParsedBlock<Pair>& result) {
    std::string_view text = block.text;
    result.rows.resize(std::max(result.rows.size(), text.size() / kShortestRowBytes + kSpareRows));
    const DecimalRows taken = take_decimal_rows(text, result.rows.data());
    text.remove_prefix(taken.bytes);
    // Where a number ends is known only after its digits were looked at; two halves in turn give
    // the processor something to do meanwhile.
    const size_t middle = text.empty() ? 0 : text.find('\n', text.size() / 2) + 1;
    const size_t first_rows = middle / kShortestRowBytes;
    Pair* const rows = result.rows.data() + taken.count;
    Cursor first(text.substr(0, middle), rows);
    Cursor second(text.substr(middle), rows + first_rows);
    is_faulty_ = block.is_overlong;
    while ((first.at < first.end || second.at < second.end) && !is_faulty_) {
      take_usual_rows(first, second);
      take_row(first);
      take_row(second);
    }
    join(taken, first, second, result);
  }

 private:
  using Id = decltype(Pair::source);
  static constexpr uint64_t kLimit = std::numeric_limits<Id>::max();
  static constexpr int64_t kShortestRowBytes = 4;  // "1,2\n"

  struct Cursor {
    Cursor(std::string_view text, Pair* rows)
        : at(text.data()), end(text.data() + text.size()), begin_rows(rows), end_rows(rows) {}

    void add(uint64_t source, uint64_t target) {
      *end_rows++ = {static_cast<Id>(source), static_cast<Id>(target)};
      largest = std::max({largest, source, target});
    }

    const char* at;
    const char* end;
    Pair* begin_rows;
    Pair* end_rows;
    uint64_t largest = 0;
    int64_t early_comments = 0;
    int64_t comments = 0;
  };

  DecimalRows take_decimal_rows(std::string_view text, Pair* rows) const {
    if constexpr (std::is_same_v<Pair, NodePair>) {
      if (num_columns_ == 2) {
        return decimal_rows_taker()(text, marks_of(text, separator_), rows);
      }
    }
    return {};
  }

  void join(const DecimalRows& taken, const Cursor& first, const Cursor& second,
            ParsedBlock<Pair>& result) const {
    std::copy(second.begin_rows, second.end_rows, first.end_rows);
    const int64_t first_rows = taken.count + (first.end_rows - first.begin_rows);
    result.num_rows = first_rows + (second.end_rows - second.begin_rows);
    result.largest = std::max({uint64_t{taken.largest}, first.largest, second.largest});
    result.comments = first.comments + second.comments;
    result.early_comments = (taken.count == 0 ? first.early_comments : 0) +
                            (first_rows == 0 ? second.early_comments : 0);
    result.is_faulty = is_faulty_;
  }

  // One row of each in turn, until one is at its end or unusual.
  void take_usual_rows(Cursor& first, Cursor& second) const {
    Cursor a = first;  // copies, which can stay in registers
    Cursor b = second;
    while (a.at < a.end && b.at < b.end) {
      uint64_t source = 0;
      uint64_t target = 0;
      if (!take_usual_row(a.at, source, target)) {
        break;
      }
      a.add(source, target);
      if (!take_usual_row(b.at, source, target)) {
        break;
      }
      b.add(source, target);
    }
    first = a;
    second = b;
  }

  void take_row(Cursor& cursor) {
    uint64_t source = 0;
    uint64_t target = 0;
    if (cursor.at == cursor.end || is_faulty_) {
      return;
    }
    if (take_usual_row(cursor.at, source, target) || take_unusual_row(cursor, source, target)) {
      cursor.add(source, target);
    }
  }

  // Two numbers and nothing else; moves on only where that is so.
  bool take_usual_row(const char*& at, uint64_t& source, uint64_t& target) const {
    const char* here = at;
    if (num_columns_ != 2 || !take_digits(here, kLimit, source) || *here != separator_) {
      return false;
    }
    here += here[1] == ' ' ? 2 : 1;
    if (!take_digits(here, kLimit, target)) {
      return false;
    }
    here += *here == '\r' ? 1 : 0;
    if (*here != '\n') {
      return false;
    }
    at = here + 1;
    return true;
  }

  bool take_unusual_row(Cursor& cursor, uint64_t& source, uint64_t& target) {
    const std::string_view line = take_line(cursor.at, cursor.end);
    const std::string_view text = trim(line);
    if (text.empty()) {
      return false;
    }
    if (is_comment(text)) {
      ++cursor.comments;
      cursor.early_comments += cursor.begin_rows == cursor.end_rows ? 1 : 0;
      return false;
    }
    const std::string_view problem = splitter_.split(line, fields_);
    is_faulty_ = !problem.empty() || static_cast<int64_t>(fields_.size()) != num_columns_ ||
                 !take_id(fields_[0], source) || !take_id(fields_[1], target);
    return !is_faulty_;
  }

  static bool take_id(std::string_view text, uint64_t& id) {
    const auto number = is_digits(text) ? parse_number<Id>(text) : std::nullopt;
    id = number ? static_cast<uint64_t>(*number) : 0;
    return number.has_value();
  }

  char separator_;
  int64_t num_columns_;
  FieldSplitter splitter_;
  std::vector<std::string_view> fields_;
  bool is_faulty_ = false;
};

}  // namespace disenlink::detail
