// The options by which verbs make a split.
#pragma once

#include <string>

#include "core/options.h"
#include "disenlink/split.h"

namespace disenlink::cli {

class SplitSource {
 public:
  void add_options(detail::OptionTable& table);

  uint64_t first_seed() const { return static_cast<uint64_t>(seed_); }
  SplitOptions options(uint64_t seed) const;

 private:
  std::string protocol_ = "strict";
  double valid_share_ = SplitOptions{}.valid_share;
  double test_share_ = SplitOptions{}.test_share;
  int64_t negatives_ = SplitOptions{}.negatives;
  bool uniform_negatives_ = false;
  int64_t seed_ = 1;
};

}  // namespace disenlink::cli
