#include "disenlink/explain.h"

#include <gtest/gtest.h>

#include "models/disenlink/model.h"

namespace disenlink {
namespace {

// What a neighbour sends is divided by its own total under `column`, by the receiver's under `row`.
TEST(Carriers, WeighWhatReallyArrives) {
  constexpr int64_t kNodes = 12;
  std::vector<NodePair> pairs;
  for (NodeId node = 0; node < kNodes; ++node) {
    for (const NodeId step : {1, 3, 4}) {
      pairs.push_back({node, static_cast<NodeId>((node + step) % kNodes)});
    }
  }
  const MessageGraph links(kNodes, pairs);
  Random random(3);
  std::vector<float> values(kNodes * 4);
  for (float& value : values) {
    value = static_cast<float>(random.uniform());
  }
  const Features features = Features::dense(kNodes, 4, std::move(values));
  for (const bool by_column : {false, true}) {
    detail::DisenLinkOptions options;
    options.factors = 2;
    options.normalise = by_column ? "column" : "row";
    detail::DisenLinkModel model(options);
    model.start(links, features, random);
    model.refresh();
    const detail::Network<float>& network = model.network();
    const Explanation why = explain(model, {0, 6}, kNodes);
    ASSERT_GE(why.source.carriers.size(), 2);
    // h = beta z + the messages, each the carrier's z times its weight, up to one common divisor.
    const int64_t width = network.shape().width;
    const auto row = [&](std::span<const float> array, NodeId node) {
      return array.subspan(node * network.shape().row() + why.selected * width, width);
    };
    std::vector<double> expected(width, 0);
    for (const Carrier& carrier : why.source.carriers) {
      for (int64_t i = 0; i < width; ++i) {
        expected[i] += carrier.weight * row(network.z(), carrier.node)[i];
      }
    }
    const auto message = [&](int64_t i) {
      return row(network.h(), 0)[i] - options.beta * row(network.z(), 0)[i];
    };
    int64_t largest = 0;
    for (int64_t i = 0; i < width; ++i) {
      largest = std::abs(expected[i]) > std::abs(expected[largest]) ? i : largest;
    }
    const double divisor = expected[largest] / message(largest);
    for (int64_t i = 0; i < width; ++i) {
      EXPECT_NEAR(expected[i], divisor * message(i), 1e-4 * std::abs(expected[largest]));
    }
  }
}

}  // namespace
}  // namespace disenlink
