#include "cli/split_source.h"

namespace disenlink::cli {

void SplitSource::add_options(detail::OptionTable& table) {
  table.add({.name = "protocol",
             .help = "strict: no pair in two parts; published: the paper's, which leaks",
             .target = &protocol_,
             .allowed = {"strict", "published"}});
  table.add({.name = "valid-share",
             .help = "Share of links for validation",
             .target = &valid_share_,
             .least = 0,
             .most = 1});
  table.add({.name = "test-share",
             .help = "Share of links for the test",
             .target = &test_share_,
             .least = 0,
             .most = 1});
  table.add({.name = "negatives",
             .help = "Unlinked pairs per link in each part",
             .target = &negatives_,
             .least = 1,
             .most = 1e6});
  table.add({.name = "uniform-negatives",
             .help = "Draw them from all unlinked pairs under published too, as strict does",
             .target = &uniform_negatives_});
  table.add({.name = "seed",
             .help = "Seed of everything random; same seed, same bits",
             .target = &seed_,
             .least = 0});
}

SplitOptions SplitSource::options(uint64_t seed) const {
  return {.protocol = parse_protocol(protocol_),
          .valid_share = valid_share_,
          .test_share = test_share_,
          .negatives = negatives_,
          .uniform_negatives = uniform_negatives_,
          .seed = seed};
}

}  // namespace disenlink::cli
