// Files of options.
#include "core/options.h"
#include "fuzz_reader.h"

namespace disenlink::fuzz {

DISENLINK_FUZZ_TARGET(input) {
  std::string mode = "fast";
  int64_t runs = 1;
  double share = 0.5;
  bool force = false;
  detail::OptionTable table;
  table.add({.name = "mode", .help = "", .target = &mode, .allowed = {"fast", "slow"}});
  table.add({.name = "runs", .help = "", .target = &runs, .least = 1});
  table.add({.name = "share", .help = "", .target = &share, .least = 0, .most = 1});
  table.add({.name = "force", .help = "", .target = &force});
  table.apply(detail::read_config(scratch().write("options.conf", input)));
}

}  // namespace disenlink::fuzz
