// Runs of a study, side by side.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/child_process.h"
#include "core/resources.h"
#include "report/study.h"

namespace disenlink::cli {

// What became of the cells of a study.
struct CellCounts {
  int64_t planned = 0;
  int64_t had_record = 0;
  int64_t unusable = 0;
  int64_t ran = 0;
  int64_t failed = 0;
  int64_t left = 0;  // for want of time
};

// For messages.
std::string name_of(const detail::StudyCell& cell);
std::string rough_duration(double seconds);

// Runs cells side by side, each on a core of its own: for runs of one thread that is faster than
// one run after the other on all cores.
class CellRunner {
 public:
  CellRunner(std::vector<detail::StudyCell> cells, detail::RunCosts costs,
             std::filesystem::path folder, std::string data, int jobs, double budget_seconds);

  // Until all have run or the budget is used up. Throws Interrupted when it was interrupted.
  void run(CellCounts& counts);

 private:
  struct Slot {
    std::unique_ptr<ChildProcess> process;
    detail::StudyCell cell;
    detail::Stopwatch watch;
  };

  bool is_busy() const;
  void collect(Slot& slot, CellCounts& counts);
  void start_next(size_t slot, CellCounts& counts);
  void stop_all(CellCounts& counts);
  std::vector<std::string> arguments_of(const detail::StudyCell& cell) const;

  std::vector<detail::StudyCell> cells_;  // to run
  detail::RunCosts costs_;
  size_t next_ = 0;
  std::filesystem::path folder_;
  std::string data_;
  std::vector<Slot> slots_;
  double budget_seconds_;
  detail::Stopwatch watch_;
};

}  // namespace disenlink::cli
