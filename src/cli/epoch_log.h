// The log of epochs: one JSON object a line, flushed each time so that others can follow.
#pragma once

#include <fstream>
#include <string>

#include "disenlink/train.h"

namespace disenlink::cli {

class EpochLog {
 public:
  // An empty path is no log. Lines up to epochs_kept stay: a run that goes on repeats the epochs
  // after its checkpoint. Throws Error where the file cannot be written.
  EpochLog(const std::string& path, int64_t epochs_kept);

  void add(const EpochReport& report);

 private:
  std::ofstream stream_;
};

}  // namespace disenlink::cli
