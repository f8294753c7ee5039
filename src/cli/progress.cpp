#include "cli/progress.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <utility>

namespace disenlink::cli {
namespace {

constexpr double kTerminalInterval = 0.1;
constexpr double kPlainInterval = 10;

std::string duration(double seconds) {
  const auto whole = std::llround(seconds);
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

}  // namespace

Progress::Progress(std::string label, int64_t epochs, bool quiet)
    : label_(std::move(label)),
      epochs_(epochs),
      quiet_(quiet),
      is_terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (has_line_ && is_terminal_) {
    fmt::print(stderr, "\n");
  }
}

std::string Progress::line(const EpochReport& report) const {
  const double rate = report.seconds > 0 ? static_cast<double>(report.pairs) / report.seconds : 0;
  return fmt::format(
      "{}epoch {}/{}  loss {:.4f}  valid AUC {:.2f}  best {:.2f} at {}  {:.2f} M pairs/s  at most "
      "{} "
      "left",
      label_, report.epoch, epochs_, report.loss, 100 * report.valid_auc, 100 * report.best_auc,
      report.best_epoch, rate / 1e6,
      duration(mean_seconds_ * static_cast<double>(epochs_ - report.epoch)));
}

// A line that stays, unlike progress: the learning rate is no longer the one that was asked for.
void Progress::show_restart(const EpochReport& failed, double learning_rate) {
  if (std::exchange(has_line_, false) && is_terminal_) {
    fmt::print(stderr, "\n");
  }
  spdlog::warn(
      "{}the loss grew to {:.3g} in epoch {}: beginning anew with learning rate {:.3g} "
      "(--restarts)",
      label_, failed.loss, failed.epoch, learning_rate);
}

void Progress::show(const EpochReport& report) {
  mean_seconds_ = report.epoch == 1 ? report.seconds : 0.9 * mean_seconds_ + 0.1 * report.seconds;
  const double interval = is_terminal_ ? kTerminalInterval : kPlainInterval;
  if (quiet_ || watch_.seconds() - shown_at_ < interval) {
    return;
  }
  shown_at_ = watch_.seconds();
  has_line_ = true;
  // The code after the text clears what an earlier, longer line left.
  fmt::print(stderr, "{}{}{}", is_terminal_ ? "\r" : "", line(report),
             is_terminal_ ? "\x1b[K" : "\n");
  std::fflush(stderr);
}

}  // namespace disenlink::cli
