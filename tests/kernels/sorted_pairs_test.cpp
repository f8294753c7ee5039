// The order of training pairs, kept from epoch to epoch only while the pairs are the same.
#include "kernels/sorted_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "disenlink/random.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kNodes = 50;
constexpr NodeVectorSize kVectors = {kNodes, 1024};

std::vector<NodePair> random_pairs(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<NodePair> pairs(count);
  std::generate(pairs.begin(), pairs.end(), [&] {
    return NodePair{NodeId(random.below(kNodes)), NodeId(random.below(kNodes))};
  });
  return pairs;
}

template <typename Item>
std::vector<Item> listed(const Item* first, int64_t count) {
  return first == nullptr ? std::vector<Item>{} : std::vector<Item>(first, first + count);
}

// As if the pairs had been given to an object that never saw others.
void expect_like_new(const SortedPairs& pairs, NodeVectorSize nodes,
                     const std::vector<NodePair>& positives, const std::vector<NodePair>& negatives,
                     const EdgeIndex* edges) {
  SortedPairs fresh;
  fresh.assign(nodes, positives, negatives, edges);
  const PairBatch a = pairs.batch();
  const PairBatch b = fresh.batch();
  ASSERT_EQ(a.num_pairs, b.num_pairs);
  ASSERT_EQ(a.blocks, b.blocks);
  const int64_t keys = a.blocks * nodes.count + 1;
  EXPECT_EQ(listed(a.heads, a.num_pairs), listed(b.heads, b.num_pairs));
  EXPECT_EQ(listed(a.tails, a.num_pairs), listed(b.tails, b.num_pairs));
  EXPECT_EQ(listed(a.is_link, a.num_pairs), listed(b.is_link, b.num_pairs));
  EXPECT_EQ(listed(a.edges, a.num_pairs), listed(b.edges, b.num_pairs));
  EXPECT_EQ(listed(a.tail_order, a.num_pairs), listed(b.tail_order, b.num_pairs));
  EXPECT_EQ(listed(a.head_offsets, keys), listed(b.head_offsets, keys));
  EXPECT_EQ(listed(a.tail_offsets, keys), listed(b.tail_offsets, keys));
}

TEST(SortedPairs, FollowWhatChangesBetweenTwoEpochs) {
  const std::vector<NodePair> positives = random_pairs(400, 1);
  const std::vector<NodePair> negatives = random_pairs(2000, 2);
  const Adjacency graph = Adjacency::from_arcs(kNodes, positives);
  const EdgeIndex edges(graph);
  SortedPairs pairs;
  const auto check = [&](NodeVectorSize nodes, const std::vector<NodePair>& links,
                         const std::vector<NodePair>& others, const EdgeIndex* own_edges) {
    pairs.assign(nodes, links, others, own_edges);
    expect_like_new(pairs, nodes, links, others, own_edges);
  };
  check(kVectors, positives, negatives, nullptr);
  check(kVectors, positives, negatives, nullptr);

  std::vector<NodePair> last_differs = negatives;
  last_differs.back().target = (last_differs.back().target + 1) % kNodes;
  check(kVectors, positives, last_differs, nullptr);

  // The same pairs in all, but one more of them is a link.
  std::vector<NodePair> more_links = positives;
  more_links.push_back(last_differs.front());
  const std::vector<NodePair> fewer_others(last_differs.begin() + 1, last_differs.end());
  check(kVectors, more_links, fewer_others, nullptr);

  check(kVectors, more_links, fewer_others, &edges);
  check({kNodes, 1 << 20}, more_links, fewer_others, &edges);
  EXPECT_GT(pairs.batch().blocks, 1);
  check({kNodes, 1 << 20}, positives, {}, &edges);
}

}  // namespace
}  // namespace disenlink::detail
