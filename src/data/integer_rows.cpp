#include "data/integer_rows.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <mutex>

#include "data/integer_block.h"
#include "data/text_blocks.h"
#include "kernels/huge_pages.h"
#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

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
