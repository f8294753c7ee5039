// DisenLink's options as users set them.
#pragma once

#include <cstdint>
#include <string>

#include "core/options.h"
#include "models/disenlink/network.h"

namespace disenlink::detail {

struct DisenLinkOptions {
  int64_t factors = 12;
  int64_t embed = 16;
  int64_t hidden = 128;
  double beta = 0.5;
  double temperature = 1;
  std::string loss = "bce";
  std::string normalise = "row";
  std::string init = "uniform";
  std::string standardise = "row";
  std::string variant = "full";
  std::string negative_weight = "mean";
  bool leave_one_out = true;

  void add_to(OptionTable& table);

  NetworkOptions network() const;
};

}  // namespace disenlink::detail
