#include "cli/cell_runner.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "disenlink/interrupt.h"
#include "disenlink/threads.h"
#include "models/factory.h"

namespace disenlink::cli {

using detail::StudyCell;

std::string name_of(const StudyCell& cell) {
  return fmt::format("{} {} {} seed {}{}", cell.protocol, cell.model, cell.dataset, cell.seed,
                     cell.label.empty() ? "" : " " + cell.label);
}

std::string rough_duration(double seconds) {
  if (seconds < 90) {
    return fmt::format("{:.0f} s", seconds);
  }
  return seconds < 5400 ? fmt::format("{:.0f} min", seconds / 60)
                        : fmt::format("{:.1f} h", seconds / 3600);
}

CellRunner::CellRunner(std::vector<StudyCell> cells, detail::RunCosts costs,
                       std::filesystem::path folder, std::string data, int jobs,
                       double budget_seconds)
    : cells_(std::move(cells)),
      costs_(std::move(costs)),
      folder_(std::move(folder)),
      data_(std::move(data)),
      slots_(jobs),
      budget_seconds_(budget_seconds) {}

void CellRunner::run(CellCounts& counts) {
  while (next_ < cells_.size() || is_busy()) {
    if (interrupt_requested() || watch_.seconds() > budget_seconds_) {
      stop_all(counts);
      counts.left += static_cast<int64_t>(cells_.size() - next_);
      check_interrupt();
      return;
    }
    for (size_t slot = 0; slot < slots_.size(); ++slot) {
      collect(slots_[slot], counts);
      start_next(slot, counts);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

bool CellRunner::is_busy() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [](const Slot& slot) { return slot.process != nullptr; });
}

void CellRunner::collect(Slot& slot, CellCounts& counts) {
  if (slot.process == nullptr || !slot.process->has_ended()) {
    return;
  }
  if (slot.process->exit_code() == 0) {
    ++counts.ran;
    spdlog::info("{}: {}", name_of(slot.cell), rough_duration(slot.watch.seconds()));
  } else {
    ++counts.failed;
    spdlog::warn("{}: failed: {}", name_of(slot.cell), slot.process->last_words());
  }
  slot.process.reset();
}

void CellRunner::start_next(size_t slot, CellCounts& counts) {
  // Too long for what is left of the budget, if the estimate is not wrong by far.
  constexpr double kDoubt = 3;
  while (slots_[slot].process == nullptr && next_ < cells_.size()) {
    const StudyCell& cell = cells_[next_++];
    if (costs_.seconds(cell) > kDoubt * (budget_seconds_ - watch_.seconds())) {
      ++counts.left;
      continue;
    }
    slots_[slot].cell = cell;
    slots_[slot].watch = {};
    slots_[slot].process = std::make_unique<ChildProcess>(
        arguments_of(cell), slots_.size() > 1 ? nth_usable_core(static_cast<int>(slot)) : -1);
  }
}

std::vector<std::string> CellRunner::arguments_of(const StudyCell& cell) const {
  std::vector<std::string> words = {"eval", "--quiet", "--resume"};
  const auto add = [&](const std::string& name, const std::string& value) {
    words.push_back("--" + name + "=" + value);
  };
  add("model", cell.model);
  add("dataset", cell.dataset);
  add("protocol", cell.protocol);
  add("seed", std::to_string(cell.seed));
  add("out", folder_.string());
  if (find_model(cell.model).factory()->learns()) {
    add("preset", preset_of(cell));
  }
  for (const auto& [name, value] : cell.options) {
    add(name, value);
  }
  if (!cell.label.empty()) {
    add("label", cell.label);
  }
  if (!data_.empty()) {
    add("data", data_);
  }
  return words;
}

// A run that is stopped leaves a checkpoint to go on from, unless it was just done.
void CellRunner::stop_all(CellCounts& counts) {
  for (Slot& slot : slots_) {
    if (slot.process != nullptr) {
      slot.process->stop();
    }
  }
  for (Slot& slot : slots_) {
    while (slot.process != nullptr && !slot.process->has_ended()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (slot.process != nullptr) {
      ++(slot.process->exit_code() == 0 ? counts.ran : counts.left);
      slot.process.reset();
    }
  }
}

}  // namespace disenlink::cli
