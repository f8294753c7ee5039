#include "machine_peaks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine_peaks.cpp"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace disenlink::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;
using Vector = hn::Vec<Tag>;

// Enough independent sums to hide the latency, few enough to stay in registers.
constexpr int kSums = 12;

// Returns the number of operations done; `sink` keeps them from being left out.
double multiply_add(int64_t rounds, float* sink) {
  const Tag tag;
  const Vector factor = hn::Set(tag, 0.999F);
  const Vector term = hn::Set(tag, 1e-3F);
  Vector sums[kSums];
  for (int i = 0; i < kSums; ++i) {
    sums[i] = hn::Set(tag, static_cast<float>(i));
  }
  for (int64_t round = 0; round < rounds; ++round) {
    for (Vector& sum : sums) {
      sum = hn::MulAdd(factor, sum, term);
    }
  }
  for (const Vector& sum : sums) {
    *sink += hn::GetLane(hn::SumOfLanes(tag, sum));
  }
  return 2.0 * static_cast<double>(rounds) * kSums * static_cast<double>(hn::Lanes(tag));
}

void read_rows(const float* data, const int32_t* rows, int64_t num_rows, int64_t width,
               float* sink) {
  const Tag tag;
  const auto lanes = static_cast<int64_t>(hn::Lanes(tag));
  Vector sums[4] = {hn::Zero(tag), hn::Zero(tag), hn::Zero(tag), hn::Zero(tag)};
  for (int64_t i = 0; i + 2 <= num_rows; i += 2) {
    const float* first = data + rows[i] * width;
    const float* second = data + rows[i + 1] * width;
    for (int64_t j = 0; j + 2 * lanes <= width; j += 2 * lanes) {
      sums[0] = hn::Add(sums[0], hn::LoadU(tag, first + j));
      sums[1] = hn::Add(sums[1], hn::LoadU(tag, first + j + lanes));
      sums[2] = hn::Add(sums[2], hn::LoadU(tag, second + j));
      sums[3] = hn::Add(sums[3], hn::LoadU(tag, second + j + lanes));
    }
  }
  const Vector sum = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
  *sink += hn::GetLane(hn::SumOfLanes(tag, sum));
}

void update(float* to, const float* from, int64_t count) {
  const Tag tag;
  const auto lanes = static_cast<int64_t>(hn::Lanes(tag));
  for (int64_t i = 0; i + lanes <= count; i += lanes) {
    hn::StoreU(hn::Add(hn::LoadU(tag, to + i), hn::LoadU(tag, from + i)), tag, to + i);
  }
}

}  // namespace disenlink::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>
#include <vector>

#include "core/resources.h"
#include "disenlink/random.h"
#include "kernels/buffer.h"
#include "kernels/parallel.h"

namespace disenlink::bench {
namespace {

HWY_EXPORT(multiply_add);
HWY_EXPORT(read_rows);
HWY_EXPORT(update);

constexpr int kRepeats = 7;
constexpr int64_t kBytesPerRepeat = int64_t{1} << 28;

// The shortest of several runs of body() on every thread.
template <typename Body>
double shortest(Body&& body) {
  double best = 1e9;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const detail::Stopwatch watch;
    detail::parallel_blocks(num_threads(), 1, [&](int64_t thread, int64_t) { body(thread); });
    best = std::min(best, watch.seconds());
  }
  return best;
}

}  // namespace

double peak_flops() {
  constexpr int64_t kRounds = 4'000'000;
  std::vector<float> sinks(num_threads() * 16);
  double operations = 0;
  const double seconds = shortest([&](int64_t thread) {
    operations = HWY_DYNAMIC_DISPATCH(multiply_add)(kRounds, &sinks[thread * 16]);
  });
  return operations * num_threads() / seconds;
}

double read_bandwidth(int64_t bytes, int64_t row_bytes) {
  const int64_t width = row_bytes / static_cast<int64_t>(sizeof(float)) / 32 * 32;
  const int64_t num_rows =
      std::max<int64_t>(1, bytes / static_cast<int64_t>(sizeof(float)) / width);
  const detail::Buffer<float> data(num_rows * width, 1.0F);
  Random random(1, "order of rows");
  std::vector<int32_t> rows(kBytesPerRepeat / static_cast<int64_t>(sizeof(float)) / width);
  for (int32_t& row : rows) {
    row = static_cast<int32_t>(random.below(num_rows));
  }
  std::vector<float> sinks(num_threads() * 16);
  const double seconds = shortest([&](int64_t thread) {
    HWY_DYNAMIC_DISPATCH(read_rows)
    (data.data(), rows.data(), static_cast<int64_t>(rows.size()), width, &sinks[thread * 16]);
  });
  return static_cast<double>(rows.size()) * static_cast<double>(width) * sizeof(float) *
         num_threads() / seconds;
}

double update_bandwidth(int64_t bytes) {
  const int64_t count = std::max<int64_t>(bytes / 2 / static_cast<int64_t>(sizeof(float)), 1024);
  detail::Buffer<float> to(count, 1.0F);
  const detail::Buffer<float> from(count, 1.0F);
  const int64_t share = count / num_threads();
  const double seconds = shortest([&](int64_t thread) {
    HWY_DYNAMIC_DISPATCH(update)(to.data() + thread * share, from.data() + thread * share, share);
  });
  return 3.0 * static_cast<double>(share) * num_threads() * sizeof(float) / seconds;
}

}  // namespace disenlink::bench

#endif
