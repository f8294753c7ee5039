// The real datasets kept as numpy arrays, against their simple form.
#include <gmock/gmock.h>

#include "data/numpy.h"
#include "data/simple_form.h"

namespace disenlink::detail {
namespace {

using testing::ArcOrder;
using testing::expect_same_features;
using testing::expect_simple_form;

TEST(RealNpz, GivesTheSimpleForm) {
  DISENLINK_REQUIRE_DATA();
  const struct {
    const char* file;
    const char* simple;
    ArcOrder order;  // of edges.csv, some of which come from another publication of the graph
  } cases[] = {
      {"chameleon/chameleon_directed.npz", "chameleon/simple", ArcOrder::kAny},
      {"chameleon/chameleon.npz", "chameleon/simple-pyg128", ArcOrder::kSame},
      {"squirrel/squirrel_directed.npz", "squirrel/simple", ArcOrder::kAny},
      {"chameleon-filtered/chameleon_filtered_directed.npz", "chameleon-filtered/simple",
       ArcOrder::kSame},
      {"cornell/cornell.npz", "cornell/simple", ArcOrder::kSame},
  };
  for (const auto& [file, simple, order] : cases) {
    EXPECT_TRUE(is_npz_graph(testing::data_folder() / file));
    expect_simple_form(read_npz_graph(testing::data_folder() / file, {}),
                       testing::data_folder() / simple, order);
  }
}

TEST(RealNpyZip, GivesTheSimpleForm) {
  DISENLINK_REQUIRE_DATA();
  const auto path = testing::data_folder() / "photo" / "amap.zip";
  EXPECT_TRUE(is_npy_zip(path));
  expect_simple_form(read_npy_zip(path, {}), testing::data_folder() / "photo" / "simple");
}

TEST(RealFeatures, SurviveWritingAndReading) {
  DISENLINK_REQUIRE_DATA();
  const testing::TemporaryFolder folder;
  const auto path = testing::data_folder() / "github" / "simple" / "features.npz";
  const Features features = read_features(path, {});
  EXPECT_EQ(features.num_nonzeros(), 690'358);
  const Features again = read_features(folder.path() / write_features(features, folder.path()), {});
  expect_same_features(again, features);
}

TEST(RealFeatures, TellGraphsFromFeatures) {
  DISENLINK_REQUIRE_DATA();
  const auto folder = testing::data_folder();
  EXPECT_FALSE(is_npz_graph(folder / "cora" / "simple" / "features.npz"));
  EXPECT_FALSE(is_npz_graph(folder / "amherst41" / "Amherst41.mat"));
  EXPECT_FALSE(is_npz_graph(folder / "photo" / "amap.zip"));
  EXPECT_FALSE(is_npy_zip(folder / "cornell" / "cornell.npz"));
}

}  // namespace
}  // namespace disenlink::detail
