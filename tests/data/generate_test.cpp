#include "disenlink/generate.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "data/planted_positions.h"
#include "disenlink/random.h"
#include "disenlink/statistics.h"
#include "disenlink/threads.h"
#include "test_files.h"

namespace disenlink {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;

double cosine(std::span<const float> a, std::span<const float> b) {
  double dot = 0;
  double norm_a = 0;
  double norm_b = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    dot += double{a[i]} * double{b[i]};
    norm_a += double{a[i]} * double{a[i]};
    norm_b += double{b[i]} * double{b[i]};
  }
  return dot / std::sqrt(norm_a * norm_b);
}

TEST(Generate, DefaultGraphIsAlwaysTheSame) {
  const Graph graph = generate_graph();
  EXPECT_EQ(graph.name(), "example");
  EXPECT_EQ(graph.fingerprint(), "f6f2f6baa6189f28");
  EXPECT_EQ(generate_graph().fingerprint(), graph.fingerprint());
  EXPECT_NE(generate_graph({.seed = 2}).fingerprint(), graph.fingerprint());
}

TEST(Generate, DoesNotDependOnThreads) {
  const int threads = num_threads();
  set_num_threads(1);
  const Graph alone = generate_graph();
  set_num_threads(3);
  const Graph shared = generate_graph();
  set_num_threads(threads);
  EXPECT_EQ(alone.fingerprint(), shared.fingerprint());
  EXPECT_TRUE(std::ranges::equal(alone.features().values(), shared.features().values()));
  EXPECT_TRUE(std::ranges::equal(alone.planted_factors(), shared.planted_factors()));
}

TEST(Generate, HasTheWantedSize) {
  const Graph graph = generate_graph({.nodes = 100, .links = 321, .factors = 3, .dimensions = 5});
  EXPECT_EQ(graph.num_nodes(), 100);
  EXPECT_EQ(graph.arcs().size(), 321);
  EXPECT_EQ(graph.adjacency().num_pairs(), 321);
  EXPECT_EQ(graph.planted_factors().size(), 321);
  EXPECT_EQ(graph.features().num_columns(), 15);
  const std::set<int32_t> factors(graph.planted_factors().begin(), graph.planted_factors().end());
  EXPECT_EQ(factors, (std::set<int32_t>{0, 1, 2}));
}

TEST(Generate, LinkedNodesAreHardlyAlike) {
  const Graph graph = generate_graph();
  const GraphStatistics statistics = measure(graph);
  EXPECT_GT(statistics.linked_cosine.value(), 0.15);
  EXPECT_LT(statistics.linked_cosine.value(), 0.27);
  EXPECT_EQ(statistics.classes, 8);
  EXPECT_LT(statistics.edge_homophily.value(), 0.4);
  EXPECT_GT(statistics.edge_homophily.value(), 0.15);
  Random random(1, "pairs");
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    sum += cosine(graph.features().dense_row(static_cast<int64_t>(random.below(1500))),
                  graph.features().dense_row(static_cast<int64_t>(random.below(1500))));
  }
  EXPECT_LT(std::abs(sum / 10000), 0.03);
}

TEST(Generate, LinkedNodesAgreeOnThePlantedFactorOnly) {
  const GenerateOptions options;
  const Graph graph = generate_graph(options);
  const detail::PlantedPositions positions(options);
  double planted = 0;
  double others = 0;
  for (size_t i = 0; i < graph.arcs().size(); ++i) {
    const NodePair arc = graph.arcs()[i];
    for (int64_t factor = 0; factor < options.factors; ++factor) {
      const double alike =
          cosine(positions.of(factor, arc.source), positions.of(factor, arc.target));
      (factor == graph.planted_factors()[i] ? planted : others) += alike;
    }
  }
  const auto links = static_cast<double>(options.links);
  EXPECT_GT(planted / links, 0.9);
  EXPECT_LT(std::abs(others / (3 * links)), 0.03);
}

TEST(Generate, TargetsAreAmongTheNearest) {
  const GenerateOptions options{.nodes = 60, .links = 80, .factors = 2, .nearest = 3};
  const Graph graph = generate_graph(options);
  const detail::PlantedPositions positions(options);
  std::vector<int64_t> seen(options.nearest, 0);
  for (size_t i = 0; i < graph.arcs().size(); ++i) {
    const auto [source, target] = graph.arcs()[i];
    const int32_t factor = graph.planted_factors()[i];
    const double to_target = cosine(positions.of(factor, source), positions.of(factor, target));
    int64_t nearer = 0;
    for (int64_t node = 0; node < options.nodes; ++node) {
      nearer += node != source &&
                cosine(positions.of(factor, source), positions.of(factor, node)) > to_target;
    }
    ASSERT_LT(nearer, options.nearest);
    ++seen[nearer];
  }
  EXPECT_THAT(seen, ::testing::Each(::testing::Gt(5)));
}

TEST(Generate, FeaturesKeepTheGeometryOfThePositions) {
  const GenerateOptions options{.nodes = 40, .links = 40, .noise = 0};
  const Graph graph = generate_graph(options);
  const detail::PlantedPositions positions(options);
  for (int64_t node = 1; node < options.nodes; ++node) {
    double mean = 0;
    for (int64_t factor = 0; factor < options.factors; ++factor) {
      mean += cosine(positions.of(factor, 0), positions.of(factor, node)) / 4;
    }
    EXPECT_NEAR(cosine(graph.features().dense_row(0), graph.features().dense_row(node)), mean,
                1e-5);
  }
}

TEST(Generate, SmallestGraphAndAllPairs) {
  EXPECT_EQ(generate_graph({.nodes = 2, .links = 1, .nearest = 1}).arcs().size(), 1);
  EXPECT_EQ(generate_graph({.nodes = 12, .links = 66, .nearest = 11}).adjacency().num_pairs(), 66);
}

TEST(Generate, RejectsOptionsOutsideTheirRange) {
  const auto error = [](GenerateOptions options) {
    EXPECT_THROW(generate_graph(options), UsageError);
    return error_of([&] { generate_graph(options); });
  };
  EXPECT_THAT(error({.nodes = 1}), HasSubstr("nodes is 1, expected 2 to"));
  EXPECT_THAT(error({.factors = 0}), HasSubstr("factors is 0, expected 1 to"));
  EXPECT_THAT(error({.dimensions = 1}), HasSubstr("dimensions is 1, expected 2 to"));
  EXPECT_THAT(error({.nearest = 1500}), HasSubstr("nearest is 1500, expected 1 to 1499"));
  EXPECT_THAT(error({.nearest = 0}), HasSubstr("nearest is 0, expected 1 to 1499"));
  EXPECT_THAT(error({.noise = -1}), HasSubstr("noise is -1"));
  EXPECT_THAT(error({.noise = std::nan("")}), HasSubstr("noise is nan"));
  EXPECT_THAT(error({.links = 0}), HasSubstr("links is 0, expected 1 to 60000"));
  EXPECT_THAT(error({.nodes = 30, .links = 436}), HasSubstr("links is 436, expected 1 to 435"));
}

TEST(Generate, TellsWhenSoManyLinksDoNotExist) {
  EXPECT_THAT(
      error_of([] { generate_graph({.nodes = 100, .links = 100, .factors = 1, .nearest = 1}); }),
      AllOf(HasSubstr("100 distinct links asked for"), HasSubstr("gave only"),
            HasSubstr("raise nodes, factors or nearest")));
}

}  // namespace
}  // namespace disenlink
