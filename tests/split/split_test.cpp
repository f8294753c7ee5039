#include "disenlink/split.h"

#include <gmock/gmock.h>

#include <set>

#include "disenlink/audit.h"
#include "disenlink/random.h"
#include "disenlink/threads.h"
#include "mutate.h"
#include "split/protocols.h"
#include "test_files.h"
#include "train/fresh_negatives.h"

namespace disenlink {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

// Random arcs, some of them repeated, reversed or self loops.
Graph random_graph(int64_t num_nodes, int64_t num_arcs, ArcForm form = ArcForm::kAsStored) {
  Random random(11);
  GraphParts parts;
  parts.name = "random";
  parts.num_nodes = num_nodes;
  parts.published_arcs = form;
  for (int64_t i = 0; i < num_arcs; ++i) {
    parts.arcs.push_back({static_cast<NodeId>(random.below(num_nodes)),
                          static_cast<NodeId>(random.below(num_nodes))});
  }
  return Graph(std::move(parts));
}

std::vector<NodePair> all_of(const EdgeSplit& split, bool positives) {
  std::vector<NodePair> pairs;
  for (const auto& [name, part] : split.parts()) {
    const auto& from = positives ? part->positives : part->negatives;
    pairs.insert(pairs.end(), from.begin(), from.end());
  }
  return pairs;
}

TEST(StrictSplit, EveryLinkIsInExactlyOnePart) {
  const Graph graph = random_graph(200, 1500);
  const EdgeSplit split = split_edges(graph, {});
  std::vector<NodePair> positives = all_of(split, true);
  std::sort(positives.begin(), positives.end());
  EXPECT_EQ(positives, graph.adjacency().pairs());
  const auto total = static_cast<double>(positives.size());
  EXPECT_NEAR(static_cast<double>(split.train.positives.size()), 0.85 * total, 1);
  EXPECT_NEAR(static_cast<double>(split.test.positives.size()), 0.10 * total, 1);
}

TEST(StrictSplit, NegativesAreDistinctNonLinks) {
  const Graph graph = random_graph(200, 1500);
  const EdgeSplit split = split_edges(graph, {.negatives = 5});
  std::set<NodePair> seen;
  for (const NodePair pair : all_of(split, false)) {
    EXPECT_LT(pair.source, pair.target);
    EXPECT_FALSE(graph.adjacency().contains(pair));
    EXPECT_TRUE(seen.insert(pair).second);
  }
  EXPECT_EQ(seen.size(), 5 * graph.adjacency().pairs().size());
  EXPECT_FALSE(audit_split(split, &graph.adjacency()).leaks());
}

TEST(StrictSplit, NegativesAreUniformOverNonLinks) {
  // A star: every pair of the 20 leaves is a non-link and must be drawn equally often.
  GraphParts parts;
  parts.num_nodes = 21;
  for (NodeId leaf = 1; leaf <= 20; ++leaf) {
    parts.arcs.push_back({0, leaf});
  }
  const Graph star(std::move(parts));
  std::vector<int> counts(21 * 21);
  constexpr int kSplits = 4000;
  for (uint64_t seed = 0; seed < kSplits; ++seed) {
    for (const NodePair pair : all_of(split_edges(star, {.negatives = 2, .seed = seed}), false)) {
      ++counts[pair.source * 21 + pair.target];
    }
  }
  for (int u = 1; u <= 20; ++u) {
    for (int v = u + 1; v <= 20; ++v) {
      EXPECT_NEAR(counts[u * 21 + v], kSplits * 40.0 / 190, 150) << u << "," << v;
    }
  }
}

TEST(StrictSplit, TakesAllNonLinksOfADenseGraphAndSaysWhenTheyRunOut) {
  GraphParts parts;
  parts.name = "dense";
  parts.num_nodes = 12;
  for (NodeId u = 0; u < 12; ++u) {
    for (NodeId v = u + 1; v < 12; ++v) {
      if ((u + v) % 2 == 0) {
        parts.arcs.push_back({u, v});
      }
    }
  }
  const Graph graph(std::move(parts));  // 30 links, 36 non-links
  const EdgeSplit split = split_edges(graph, {.negatives = 1});
  EXPECT_EQ(all_of(split, false).size(), 30);
  EXPECT_FALSE(audit_split(split, &graph.adjacency()).leaks());
  EXPECT_THAT(error_of([&] { split_edges(graph, {.negatives = 2}); }),
              HasSubstr("needs 60 distinct non-links, but of its 66 pairs only 36 are not linked"));
}

// Stored values: users' seeded splits must not change between versions or machines.
TEST(StrictSplit, IsTheSameForeverAndForAnyThreadCount) {
  const Graph graph = random_graph(50, 200);
  const EdgeSplit split = split_edges(graph, {.seed = 7});
  EXPECT_EQ(split.test.positives[0], (NodePair{25, 44}));
  EXPECT_EQ(split.test.negatives[0], (NodePair{24, 39}));
  const int threads = num_threads();
  for (const int count : {1, 2, 5}) {
    set_num_threads(count);
    const EdgeSplit again = split_edges(graph, {.seed = 7});
    EXPECT_EQ(again.test.positives, split.test.positives);
    EXPECT_EQ(again.train.negatives, split.train.negatives);
  }
  set_num_threads(threads);
  EXPECT_NE(split_edges(graph, {.seed = 8}).test.positives, split.test.positives);
}

TEST(PublishedSplit, HasTheSizesOfTheAuthors) {
  // Texas has 325 rows, Wisconsin 515.
  const detail::PartSizes texas = detail::part_sizes(325, {});
  EXPECT_EQ(texas.train, 276);
  EXPECT_EQ(texas.test, 32);
  EXPECT_EQ(texas.valid, 17);
  const detail::PartSizes wisconsin = detail::part_sizes(515, {});
  EXPECT_EQ(wisconsin.train, 437);
  EXPECT_EQ(wisconsin.test, 52);
  EXPECT_EQ(wisconsin.valid, 26);
}

TEST(PublishedSplit, SplitsRowsAndKeepsHeads) {
  const Graph graph = random_graph(200, 1500);
  const EdgeSplit split = split_edges(graph, {.protocol = Protocol::kPublished, .seed = 3});
  std::vector<NodePair> rows(graph.arcs().begin(), graph.arcs().end());
  std::vector<NodePair> positives = all_of(split, true);
  std::sort(rows.begin(), rows.end());
  std::sort(positives.begin(), positives.end());
  EXPECT_EQ(positives, rows);
  for (const auto& [name, part] : split.parts()) {
    ASSERT_EQ(part->negatives.size(), 5 * part->positives.size());
    for (size_t i = 0; i < part->negatives.size(); ++i) {
      EXPECT_EQ(part->negatives[i].source, part->positives[i / 5].source);
      EXPECT_FALSE(std::binary_search(rows.begin(), rows.end(), part->negatives[i]));
    }
  }
}

TEST(PublishedSplit, DrawsNegativesFromAllPairsWhenAsked) {
  const Graph graph = random_graph(200, 1500, ArcForm::kSymmetric);
  const SplitOptions options{
      .protocol = Protocol::kPublished, .uniform_negatives = true, .seed = 3};
  const EdgeSplit split = split_edges(graph, options);
  EXPECT_EQ(split.test.positives,
            split_edges(graph, {.protocol = Protocol::kPublished, .seed = 3}).test.positives);
  std::set<NodePair> drawn;
  int64_t kept_heads = 0;
  for (const auto& [name, part] : split.parts()) {
    ASSERT_EQ(part->negatives.size(), 5 * part->positives.size());
    for (size_t i = 0; i < part->negatives.size(); ++i) {
      const NodePair pair = unordered(part->negatives[i]);
      EXPECT_NE(pair.source, pair.target);
      EXPECT_FALSE(graph.adjacency().contains(pair));
      EXPECT_TRUE(drawn.insert(pair).second) << "drawn twice";
      kept_heads += part->negatives[i].source == part->positives[i / 5].source ? 1 : 0;
    }
  }
  EXPECT_LT(kept_heads, static_cast<int64_t>(drawn.size()) / 20);
}

TEST(PublishedSplit, ArcFormsAreThoseOfTheAuthorsLoaders) {
  EXPECT_EQ(detail::published_arc_list(random_graph(50, 200)).size(), 200);
  EXPECT_EQ(detail::published_arc_list(random_graph(50, 200, ArcForm::kWithReverse)).size(), 400);
  const Graph symmetric = random_graph(50, 200, ArcForm::kSymmetric);
  EXPECT_EQ(static_cast<int64_t>(detail::published_arc_list(symmetric).size()),
            2 * symmetric.adjacency().num_pairs());
}

TEST(PublishedSplit, LeaksWhereRowsComeInBothDirections) {
  const Graph graph = random_graph(500, 4000, ArcForm::kSymmetric);
  const SplitAudit audit =
      audit_split(split_edges(graph, {.protocol = Protocol::kPublished}), &graph.adjacency());
  EXPECT_TRUE(audit.leaks());
  EXPECT_NEAR(audit.leaked_share(), 0.85, 0.05);
}

TEST(PublishedSplit, RefusesAHeadLinkedToEveryNode) {
  GraphParts parts;
  parts.name = "star";
  parts.num_nodes = 10;
  for (NodeId node = 0; node < 10; ++node) {
    parts.arcs.push_back({0, node});
    parts.arcs.push_back({node, 0});
  }
  const Graph graph(std::move(parts));
  EXPECT_THAT(error_of([&] { split_edges(graph, {.protocol = Protocol::kPublished}); }),
              HasSubstr("node 0 is linked to every node"));
}

TEST(Split, RefusesSharesAndGraphsThatCannotBeSplit) {
  const Graph graph = random_graph(50, 200);
  EXPECT_THAT(error_of([&] { split_edges(graph, {.valid_share = 0.5, .test_share = 0.5}); }),
              HasSubstr("less than 1 together"));
  EXPECT_THAT(error_of([&] { split_edges(graph, {.negatives = 0}); }),
              HasSubstr("expected at least 1"));
  const Graph tiny = random_graph(5, 2);
  EXPECT_THAT(error_of([&] { split_edges(tiny, {}); }), HasSubstr("every part needs at least one"));
}

TEST(SplitFiles, KeepEveryNameAndEveryPair) {
  const std::vector<std::string> odd = {"#0",  "%1",     "\"quoted\"", "a b",
                                        "a,b", "source", "target",     "u;v"};
  GraphParts parts;
  parts.name = "odd";
  parts.num_nodes = 40;
  std::vector<std::string> names = odd;
  while (names.size() < 40) {
    names.push_back("#" + std::to_string(names.size()));
  }
  parts.names = NodeNames::from_list(std::move(names));
  parts.arcs = random_graph(40, 150).adjacency().pairs();
  const Graph graph(std::move(parts));
  const testing::TemporaryFolder folder;
  for (const Protocol protocol : {Protocol::kStrict, Protocol::kPublished}) {
    const EdgeSplit split = split_edges(graph, {.protocol = protocol, .negatives = 1});
    write_split(split, graph.names(), folder.path() / "s", true);
    const EdgeSplit read = read_split(folder.path() / "s", graph);
    EXPECT_EQ(all_of(read, true), all_of(split, true));
    EXPECT_EQ(all_of(read, false), all_of(split, false));
    EXPECT_EQ(read.negatives_keep_head, split.negatives_keep_head);
    EXPECT_EQ(read.fingerprint(), split.fingerprint());
    EXPECT_EQ(all_of(read_split(folder.path() / "s"), true).size(), all_of(split, true).size());
  }
}

TEST(SplitFiles, WithOtherPairsThanWereWrittenAreRefused) {
  const Graph graph = random_graph(40, 150);
  const testing::TemporaryFolder folder;
  write_split(split_edges(graph, {.negatives = 2}), graph.names(), folder.path() / "s");
  const std::string pairs = testing::slurp(folder.path() / "s/test_neg.txt");
  folder.write("s/test_neg.txt", pairs.substr(0, pairs.find('\n') + 1));
  const auto fault = [](auto&&... of) { return error_of([&] { read_split(of...); }); };
  EXPECT_THAT(fault(folder.path() / "s"), HasSubstr("test_neg.txt: has 1 pairs, but split.json"));
  EXPECT_THAT(fault(folder.path() / "s", graph), HasSubstr("test_neg.txt: has 1 pairs"));
  std::filesystem::remove(folder.path() / "s/split.json");
  EXPECT_EQ(read_split(folder.path() / "s", graph).test.negatives.size(), 1);
}

TEST(FreshNegatives, AreUniformWhereThoseOfTheSplitAre) {
  const Graph graph = random_graph(200, 1500, ArcForm::kSymmetric);
  for (const bool uniform : {false, true}) {
    const EdgeSplit split =
        split_edges(graph, {.protocol = Protocol::kPublished, .uniform_negatives = uniform});
    detail::FreshNegatives fresh(split, graph.adjacency(), 1, 1);
    const auto negatives = fresh.draw(1);
    size_t kept_heads = 0;
    for (size_t i = 0; i < negatives.size(); ++i) {
      kept_heads += negatives[i].source == split.train.positives[i].source ? 1 : 0;
    }
    if (uniform) {
      EXPECT_LT(kept_heads, negatives.size() / 20);
    } else {
      EXPECT_EQ(kept_heads, negatives.size());
    }
  }
}

TEST(SplitFiles, DamagedOnesAreReadOrRefused) {
  const Graph graph = random_graph(40, 150);
  const testing::TemporaryFolder folder;
  write_split(split_edges(graph, {.negatives = 1}), graph.names(), folder.path() / "s");
  for (const auto& [name, count] : {std::pair{"s/train_pos.txt", 700},
                                    {"s/test_neg.txt", 700},
                                    {"s/valid_pos.txt", 700},
                                    {"s/split.json", 2000}}) {
    const std::string bytes = testing::slurp(folder.path() / name);
    testing::expect_survives_mutations(folder, name, bytes, count, [&] {
      audit_split(read_split(folder.path() / "s"));
      audit_split(read_split(folder.path() / "s", graph), &graph.adjacency());
    });
  }
}

}  // namespace
}  // namespace disenlink
