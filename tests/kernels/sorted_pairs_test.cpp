// The order of training pairs, kept from epoch to epoch only while the pairs are the same.
#include "kernels/sorted_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
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
  ASSERT_EQ(a.num_own_links, b.num_own_links);
  EXPECT_EQ(a.most_in_strip, b.most_in_strip);
  const int64_t by_head = a.blocks * nodes.count + 1;
  EXPECT_EQ(listed(a.head_offsets, by_head), listed(b.head_offsets, by_head));
  EXPECT_EQ(listed(a.tails, a.num_pairs), listed(b.tails, b.num_pairs));
  EXPECT_EQ(listed(a.is_link, a.num_pairs), listed(b.is_link, b.num_pairs));
  EXPECT_EQ(listed(a.places, a.num_pairs), listed(b.places, b.num_pairs));
  EXPECT_EQ(listed(a.own_links, a.num_pairs), listed(b.own_links, b.num_pairs));
  const int64_t by_tail = a.blocks * a.blocks * a.nodes_per_block + 1;
  EXPECT_EQ(listed(a.tail_offsets, by_tail), listed(b.tail_offsets, by_tail));
  EXPECT_EQ(listed(a.heads, a.num_pairs), listed(b.heads, b.num_pairs));
  EXPECT_EQ(listed(a.own_links_by_tail, a.num_pairs), listed(b.own_links_by_tail, b.num_pairs));
  EXPECT_EQ(listed(a.edge_of_own_link, a.num_own_links),
            listed(b.edge_of_own_link, b.num_own_links));
}

// Every pair once in each order, where the offsets say; both orders tell of the same pairs.
void expect_orders_of(const std::vector<NodePair>& positives,
                      const std::vector<NodePair>& negatives, int64_t nodes, const PairBatch& batch,
                      const EdgeIndex& edges) {
  std::vector<NodePair> links, others;
  for (int64_t strip = 0; strip < batch.blocks; ++strip) {
    for (int64_t head = 0; head < nodes; ++head) {
      const int64_t* const offsets = batch.head_offsets + strip * nodes + head;
      for (int64_t pair = offsets[0]; pair < offsets[1]; ++pair) {
        const NodeId tail = batch.tails[pair];
        ASSERT_EQ(tail / batch.nodes_per_block, strip);
        const NodePair found{static_cast<NodeId>(head), tail};
        (batch.is_link[pair] != 0 ? links : others).push_back(found);
        const int64_t place = batch.places[pair];
        ASSERT_EQ(batch.heads[place], head);
        const int64_t tile = strip * batch.blocks + head / batch.nodes_per_block;
        const int64_t slot = tail % batch.nodes_per_block;
        const int64_t* const tails = batch.tail_offsets + tile * batch.nodes_per_block + slot;
        ASSERT_TRUE(tails[0] <= place && place < tails[1]);
        ASSERT_EQ(batch.own_links_by_tail[place], batch.own_links[pair]);
        if (batch.is_link[pair] != 0) {
          ASSERT_EQ(batch.edge_of_own_link[batch.own_links[pair]], edges.find(found));
        } else {
          ASSERT_EQ(batch.own_links[pair], -1);
        }
      }
    }
  }
  const auto sorted = [](std::vector<NodePair> pairs) {
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  };
  EXPECT_EQ(sorted(links), sorted(positives));
  EXPECT_EQ(sorted(others), sorted(negatives));
}

TEST(SortedPairs, StandOnceInEachOrder) {
  const std::vector<NodePair> positives = random_pairs(400, 1);
  const std::vector<NodePair> negatives = random_pairs(2000, 2);
  const Adjacency graph = Adjacency::from_arcs(kNodes, positives);
  const EdgeIndex edges(graph);
  for (const int64_t bytes : {int64_t{1}, int64_t{1} << 14, int64_t{1} << 17, int64_t{1} << 20}) {
    SortedPairs pairs;
    std::vector<NodePair> links;
    std::copy_if(positives.begin(), positives.end(), std::back_inserter(links),
                 [](NodePair pair) { return pair.source != pair.target; });
    pairs.assign({kNodes, bytes}, links, negatives, &edges);
    expect_orders_of(links, negatives, kNodes, pairs.batch(), edges);
  }
}

TEST(SortedPairs, AreNotCutIntoBlocksThatNoCacheHolds) {
  constexpr int64_t kPairs = 2400;  // eight nodes have eight pairs each with every other
  EXPECT_EQ(nodes_per_block({kNodes, 1 << 18}, kPairs), 8);
  EXPECT_EQ(nodes_per_block({kNodes, 1 << 19}, kPairs), 64);
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
  check({kNodes, 1 << 17}, more_links, fewer_others, &edges);
  EXPECT_GT(pairs.batch().blocks, 1);
  check({kNodes, 1 << 17}, positives, {}, &edges);
}

}  // namespace
}  // namespace disenlink::detail
