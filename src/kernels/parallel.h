// The one parallel loop. Blocks are contiguous and each writes only its own outputs, so results do
// not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "disenlink/threads.h"
#include "kernels/thread_team.h"

namespace disenlink::detail {

// Calls body(begin, end) over [0, count) in blocks of `grain` items, handed out as threads become
// free. The blocks are the same for any number of threads. Choose the grain by work (edges x
// width), not by rows. The first exception of a block is thrown again when all have ended.
template <typename Body>
void parallel_blocks(int64_t count, int64_t grain, Body&& body) {
  const int64_t blocks = (count + grain - 1) / grain;
  const auto run_block = [&](int64_t block) {
    body(block * grain, std::min(count, (block + 1) * grain));
  };
  const int threads = static_cast<int>(std::min<int64_t>(num_threads(), blocks));
  if (threads <= 1) {
    for (int64_t block = 0; block < blocks; ++block) {
      run_block(block);
    }
    return;
  }
  using RunBlock = decltype(run_block);
  ThreadTeam::instance().run(
      {[](void* work, int64_t block) { (*static_cast<const RunBlock*>(work))(block); },
       const_cast<void*>(static_cast<const void*>(&run_block)), blocks, threads});
}

}  // namespace disenlink::detail
