#include "data/integer_rows.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>

#include "core/text.h"
#include "data/delimited.h"
#include "data/text_blocks.h"
#include "kernels/huge_pages.h"
#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kShortestRowBytes = 4;  // "1,2\n"

static_assert(std::endian::native == std::endian::little, "digits are taken eight at a time");

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

template <typename Pair>
struct ParsedBlock {
  std::vector<Pair> rows;  // only the first num_rows count
  int64_t num_rows = 0;
  uint64_t largest = 0;
  int64_t early_comments = 0;  // before its first row
  int64_t comments = 0;        // all
  bool is_faulty = false;
};

std::string_view take_line(const char*& at, const char* end) {
  const auto* line_end = static_cast<const char*>(std::memchr(at, '\n', end - at));
  const std::string_view line(at, line_end - at);
  at = line_end + 1;
  return line;
}

// Skips the first row; false where the block has none.
bool skip_header(std::string_view& text) {
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

template <typename Pair>
class BlockParser {
 public:
  explicit BlockParser(const EdgeListFormat& format)
      : separator_(format.separator), num_columns_(format.num_columns), splitter_(separator_) {}

  void parse(const TextBlock& block, ParsedBlock<Pair>& result) {
    result.rows.resize(std::max(result.rows.size(), block.text.size() / kShortestRowBytes + 1));
    result.comments = 0;
    result.early_comments = 0;
    result.is_faulty = block.is_overlong;
    const char* at = block.text.data();
    const char* const end = at + block.text.size();
    Pair* out = result.rows.data();
    uint64_t largest = 0;
    while (at < end && !result.is_faulty) {
      uint64_t source = 0;
      uint64_t target = 0;
      if (take_usual_row(at, source, target) ||
          take_unusual_row(take_line(at, end), out != result.rows.data(), result, source, target)) {
        *out++ = {static_cast<Id>(source), static_cast<Id>(target)};
        largest = std::max({largest, source, target});
      }
    }
    result.num_rows = out - result.rows.data();
    result.largest = largest;
  }

 private:
  using Id = decltype(Pair::source);
  static constexpr uint64_t kLimit = std::numeric_limits<Id>::max();

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

  bool take_unusual_row(std::string_view line, bool has_rows, ParsedBlock<Pair>& result,
                        uint64_t& source, uint64_t& target) {
    const std::string_view text = trim(line);
    if (text.empty()) {
      return false;
    }
    if (is_comment(text)) {
      ++result.comments;
      result.early_comments += has_rows ? 0 : 1;
      return false;
    }
    const std::string_view problem = splitter_.split(line, fields_);
    result.is_faulty = !problem.empty() || static_cast<int64_t>(fields_.size()) != num_columns_ ||
                       !take_id(fields_[0], source) || !take_id(fields_[1], target);
    return !result.is_faulty;
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
};

// Puts blocks, parsed in any order, one after another. No thread waits for an earlier block: what
// comes early is kept until its turn.
template <typename Pair>
class OrderedRows {
 public:
  explicit OrderedRows(const TextBlocks& blocks) : blocks_(blocks) {}

  // Takes the block and gives a used one in exchange.
  void add(int64_t number, ParsedBlock<Pair>& block) {
    const std::lock_guard lock(mutex_);
    is_faulty_ = is_faulty_ || block.is_faulty;
    ParsedBlock<Pair>& kept = early_[number];
    std::swap(kept, block);
    if (!used_.empty()) {
      std::swap(block, used_.back());
      used_.pop_back();
    }
    for (auto next = early_.find(next_number_); next != early_.end();
         next = early_.find(next_number_)) {
      ++next_number_;
      append(next->second);
      used_.push_back(std::move(next->second));
      early_.erase(next);
    }
  }

  // True once any block was; the rest need not be read.
  bool is_faulty() const { return is_faulty_; }

  IntegerRows<Pair> take() { return std::move(result_); }

 private:
  void append(const ParsedBlock<Pair>& block) {
    std::vector<Pair>& rows = result_.rows;
    const size_t needed = rows.size() + block.num_rows;
    if (needed > rows.capacity()) {
      const auto estimate = static_cast<size_t>(blocks_.estimate_rows(needed, next_number_));
      reserve_on_huge_pages(rows, std::max(estimate, needed + (rows.empty() ? 0 : needed / 4)));
    }
    result_.late_comments += block.comments - (rows.empty() ? block.early_comments : 0);
    rows.insert(rows.end(), block.rows.begin(), block.rows.begin() + block.num_rows);
    result_.largest = std::max(result_.largest, static_cast<int64_t>(block.largest));
  }

  const TextBlocks& blocks_;
  std::mutex mutex_;
  std::map<int64_t, ParsedBlock<Pair>> early_;
  std::vector<ParsedBlock<Pair>> used_;
  int64_t next_number_ = 0;
  std::atomic<bool> is_faulty_ = false;
  IntegerRows<Pair> result_;
};

}  // namespace

template <typename Pair>
std::optional<IntegerRows<Pair>> read_integer_rows(const std::filesystem::path& path,
                                                   const EdgeListFormat& format,
                                                   const ReadOptions& options) {
  TextBlocks blocks(path, options.max_inflated_bytes);
  OrderedRows<Pair> rows(blocks);
  const auto parse_blocks = [&](int64_t most, bool header_pending) {
    BlockParser<Pair> parser(format);
    TextBlock text;
    ParsedBlock<Pair> parsed;
    for (; most > 0 && !rows.is_faulty() && blocks.next(text); --most) {
      if (header_pending) {
        header_pending = !skip_header(text.text);
        most += header_pending ? 1 : 0;
      }
      parser.parse(text, parsed);
      rows.add(text.number, parsed);
    }
  };
  if (format.has_header) {
    parse_blocks(1, true);
  }
  parallel_blocks(
      std::min<int64_t>(num_threads(), blocks.useful_threads()), 1,
      [&](int64_t, int64_t) { parse_blocks(std::numeric_limits<int64_t>::max(), false); });
  return rows.is_faulty() ? std::nullopt : std::optional(rows.take());
}

template std::optional<IntegerRows<NodePair>> read_integer_rows(const std::filesystem::path&,
                                                                const EdgeListFormat&,
                                                                const ReadOptions&);
template std::optional<IntegerRows<WidePair>> read_integer_rows(const std::filesystem::path&,
                                                                const EdgeListFormat&,
                                                                const ReadOptions&);

}  // namespace disenlink::detail
