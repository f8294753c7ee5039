#include "kernels/decimal_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "disenlink/random.h"
#include "kernels/simd_level.h"

namespace disenlink::detail {
namespace {

struct Style {
  std::string separator;
  std::string line_end;

  RowMarks marks() const { return {RowMark(separator), RowMark(line_end)}; }
};

const std::vector<Style> kStyles = {{",", "\n"}, {", ", "\n"}, {"\t", "\r\n"}, {"; ", "\r\n"}};

struct Taken {
  DecimalRows result;
  std::vector<NodePair> rows;
};

Taken take(std::string text, const RowMarks& marks) {
  const size_t size = text.size();
  text += std::string(kDecimalPadding, '7');
  Taken taken;
  taken.rows.resize(size / 4 + kSpareRows);
  taken.result = decimal_rows_taker()({text.data(), size}, marks, taken.rows.data());
  taken.rows.resize(taken.result.count);
  return taken;
}

// By the processor, not by what is tested: a taker that takes nothing must fail here, not be
// skipped. decimal_rows.cpp is not compiled for SSE.
bool has_vectors() {
  const std::string target = simd_target();
  return !reference_is_forced() && target != "SCALAR" && target.find("SSE") == std::string::npos;
}

class DecimalRowsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_vectors()) {
      GTEST_SKIP() << "rows are taken one by one on " << simd_target()
                   << ", or because DISENLINK_SIMD=ref asks for it";
    }
  }

  NodeId number() {
    const uint64_t limits[] = {10, 1000, 1'000'000, 100'000'000};
    return static_cast<NodeId>(random_.below(limits[random_.below(4)]));
  }

  std::string row(const Style& style) {
    rows_.push_back({number(), number()});
    return std::to_string(rows_.back().source) + style.separator +
           std::to_string(rows_.back().target) + style.line_end;
  }

  Random random_{5};
  std::vector<NodePair> rows_;
};

TEST_F(DecimalRowsTest, TakesAllRowsOfAnyText) {
  for (const Style& style : kStyles) {
    for (const int64_t count : {0, 1, 2, 3, 5, 8, 100, 5000}) {
      rows_.clear();
      std::string text;
      for (int64_t i = 0; i < count; ++i) {
        text += row(style);
      }
      const Taken taken = take(text, style.marks());
      EXPECT_EQ(taken.result.bytes, static_cast<int64_t>(text.size()));
      EXPECT_TRUE(taken.rows == rows_) << count << " rows with '" << style.separator << "'";
      NodeId largest = 0;
      for (const NodePair pair : rows_) {
        largest = std::max({largest, pair.source, pair.target});
      }
      EXPECT_EQ(taken.result.largest, static_cast<uint32_t>(largest));
    }
  }
}

TEST_F(DecimalRowsTest, ZerosInFrontAndLimitsAreRead) {
  const Taken taken = take("00000000,99999999\n007,0\n", kStyles[0].marks());
  EXPECT_TRUE((taken.rows == std::vector<NodePair>{{0, 99'999'999}, {7, 0}}));
}

TEST_F(DecimalRowsTest, StopsBeforeAnOddRow) {
  const Style& style = kStyles[0];
  const std::vector<std::string> odd_rows = {"\n",
                                             "#1,2\n",
                                             "1,2,3\n",
                                             "1\n",
                                             ",\n",
                                             ",1\n",
                                             "1,\n",
                                             "-1,2\n",
                                             "1;2\n",
                                             "1, 2\n",
                                             "1,2\r\n",
                                             "1,2 \n",
                                             " 1,2\n",
                                             "1,\xb2\n",
                                             "1/2\n",
                                             "1,2:\n",
                                             "123456789,1\n",
                                             "1,123456789\n",
                                             "1,2x3,4\n",
                                             "1,2,3,4\n",
                                             "1,x\n",
                                             "12345678901234567890123,1\n"};
  for (const std::string& odd : odd_rows) {
    for (const int64_t before : {0, 1, 700, 3000}) {
      rows_.clear();
      std::string text;
      for (int64_t i = 0; i < before; ++i) {
        text += row(style);
      }
      const auto usual_bytes = static_cast<int64_t>(text.size());
      const Taken taken = take(text + odd + "1,2\n3,4\n", style.marks());
      ASSERT_LE(taken.result.bytes, usual_bytes) << odd;
      ASSERT_LE(taken.result.count, before) << odd;
      EXPECT_TRUE(std::equal(taken.rows.begin(), taken.rows.end(), rows_.begin())) << odd;
      EXPECT_TRUE(taken.result.bytes == 0 || text[taken.result.bytes - 1] == '\n') << odd;
    }
  }
}

}  // namespace
}  // namespace disenlink::detail
