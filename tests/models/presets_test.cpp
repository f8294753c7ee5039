#include "models/disenlink/presets.h"

#include <gtest/gtest.h>

namespace disenlink::detail {
namespace {

// Settings of the authors' programs, and where validation found better ones: that dataset alone.
TEST(Presets, PublishedHasTheAuthorsSettingsButForTwo) {
  const auto setting = [](const char* dataset, const char* option) {
    return preset_options("published", dataset).at(option);
  };
  EXPECT_EQ(setting("cora", "embed"), "64");
  EXPECT_EQ(setting("cora", "standardise"), "none");
  EXPECT_EQ(setting("amherst41", "factors"), "20");
  EXPECT_EQ(setting("amherst41", "lr"), "0.0005");
  EXPECT_EQ(setting("amherst41", "weight-decay"), "0.0005");
  EXPECT_EQ(setting("chameleon", "lr"), "0.0001");
  EXPECT_EQ(setting("chameleon", "weight-decay"), "0.005");
  EXPECT_EQ(setting("chameleon-128", "weight-decay"), "0.0005");
  EXPECT_EQ(setting("a graph of one's own", "lr"), "0.001");
  EXPECT_TRUE(preset_options("default", "chameleon").empty());
}

}  // namespace
}  // namespace disenlink::detail
