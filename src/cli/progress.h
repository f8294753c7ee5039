// Progress of training on the error stream: a line that rewrites itself on a terminal, plain lines
// now and then elsewhere.
#pragma once

#include <cstdint>
#include <string>

#include "core/resources.h"
#include "disenlink/train.h"

namespace disenlink::cli {

class Progress {
 public:
  // Without a label nothing is shown.
  Progress(std::string label, int64_t epochs, bool quiet);
  ~Progress();

  void show(const EpochReport& report);
  void show_restart(const EpochReport& failed, double learning_rate);

 private:
  std::string line(const EpochReport& report) const;

  std::string label_;
  int64_t epochs_;
  bool quiet_;
  bool is_terminal_;
  bool has_line_ = false;
  double shown_at_ = -1e9;
  double mean_seconds_ = 0;
  detail::Stopwatch watch_;
};

}  // namespace disenlink::cli
