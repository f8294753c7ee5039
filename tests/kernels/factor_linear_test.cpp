// The second layer's gradient where nodes and hidden units come in several blocks, which the small
// graphs of the other tests never do.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "disenlink/random.h"
#include "kernels/factor_kernels.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kHidden = 150;

template <typename T>
std::vector<T> random_values(int64_t count, Random& random) {
  std::vector<T> values(count);
  for (T& value : values) {
    value = static_cast<T>(2 * random.uniform() - 1);
  }
  return values;
}

// a: what a ReLU gave, then the gradient that takes its place.
template <typename T>
struct SecondLayer {
  explicit SecondLayer(const FactorShape& of) : shape(of), random(3) {
    for (T& value : a) {
      value = std::max(value, T{0});
    }
  }

  void backward(const FactorKernels<T>& kernels) {
    kernels.factor_linear_backward(shape, kHidden, a.data(), w.data(), z_gradient.data(),
                                   w_gradient.data(), b_gradient.data());
  }

  FactorShape shape;
  Random random;
  std::vector<T> a = random_values<T>(shape.nodes * shape.factors * kHidden, random);
  std::vector<T> w = random_values<T>(shape.factors * kHidden * shape.width, random);
  std::vector<T> z_gradient = random_values<T>(shape.size(), random);
  std::vector<T> w_gradient = std::vector<T>(w.size(), T{7});
  std::vector<T> b_gradient = std::vector<T>(shape.row(), T{7});
};

// As SecondLayer::backward, a sum at a time.
SecondLayer<double> by_definition(const FactorShape& shape) {
  const SecondLayer<double> given(shape);
  SecondLayer<double> result(shape);
  std::fill(result.a.begin(), result.a.end(), 0);
  std::fill(result.w_gradient.begin(), result.w_gradient.end(), 0);
  std::fill(result.b_gradient.begin(), result.b_gradient.end(), 0);
  const int64_t units = shape.factors * kHidden;
  for (int64_t node = 0; node < shape.nodes; ++node) {
    for (int64_t place = 0; place < shape.row(); ++place) {
      const double slope = given.z_gradient[node * shape.row() + place];
      result.b_gradient[place] += slope;
      const int64_t first = place / shape.width * kHidden;
      for (int64_t unit = first; unit < first + kHidden; ++unit) {
        const double value = given.a[node * units + unit];
        const int64_t weight = unit * shape.width + place % shape.width;
        result.w_gradient[weight] += value * slope;
        result.a[node * units + unit] += value > 0 ? slope * given.w[weight] : 0;
      }
    }
  }
  return result;
}

template <typename T>
void expect_near(const std::vector<T>& found, const std::vector<double>& expected, double apart) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(found[i]), expected[i], apart) << i;
  }
}

template <typename T>
void expect_definition(const FactorKernels<T>& kernels, double apart) {
  for (const int64_t width : {5, 32, 64}) {
    SCOPED_TRACE(testing::Message() << "width " << width);
    const FactorShape shape{.nodes = 523, .factors = 2, .width = width};
    SecondLayer<T> layer(shape);
    layer.backward(kernels);
    const SecondLayer<double> expected = by_definition(shape);
    expect_near(layer.a, expected.a, apart);
    expect_near(layer.w_gradient, expected.w_gradient, apart);
    expect_near(layer.b_gradient, expected.b_gradient, apart);
  }
}

TEST(SecondLayerGradient, IsTheSumOfItsBlocks) {
  expect_definition(factor_kernels<double>(), 1e-11);
  expect_definition(factor_kernels<float>(), 2e-4);
  expect_definition(reference_kernels<double>(), 1e-11);
}

}  // namespace
}  // namespace disenlink::detail
