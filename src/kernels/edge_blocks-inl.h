// The parallel loop over lists of edges.
#if defined(DISENLINK_EDGE_BLOCKS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DISENLINK_EDGE_BLOCKS_INL_H
#undef DISENLINK_EDGE_BLOCKS_INL_H
#else
#define DISENLINK_EDGE_BLOCKS_INL_H
#endif

#include <hwy/highway.h>

#include "kernels/directed_graph.h"
#include "kernels/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace disenlink::detail::HWY_NAMESPACE {

// Calls body(first node, last node) for blocks of some hundred thousand operations.
template <typename Body>
void for_each_block(const EdgeLists& lists, int64_t work_per_entry, Body&& body) {
  constexpr int64_t kWorkPerBlock = 1 << 18;
  const int64_t nodes = static_cast<int64_t>(lists.offsets.size()) - 1;
  const int64_t work = (lists.offsets.back() + nodes) * work_per_entry;
  const int64_t blocks = work / kWorkPerBlock + 1;
  parallel_blocks(nodes, (nodes + blocks - 1) / blocks, body);
}

// Calls body(node, first entry, last entry).
template <typename Body>
void for_each_list(const EdgeLists& lists, int64_t work_per_entry, Body&& body) {
  for_each_block(lists, work_per_entry, [&](int64_t begin, int64_t end) HWY_ATTR {
    for (int64_t node = begin; node < end; ++node) {
      body(node, lists.offsets[node], lists.offsets[node + 1]);
    }
  });
}

}  // namespace disenlink::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
