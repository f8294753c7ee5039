#include "nn/parameter_set.h"

#include <fmt/format.h>

#include <cmath>

#include "kernels/parallel.h"

namespace disenlink::detail {
namespace {

std::span<float> values_of(const torch::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<size_t>(tensor.numel())};
}

// Calls fill(values of a block, generator of that block).
template <typename Fill>
torch::Tensor noise(torch::IntArrayRef shape, const TrainStep& step, std::string_view purpose,
                    Fill&& fill) {
  constexpr int64_t kBlock = 1 << 14;
  const torch::Tensor tensor = torch::empty(shape);
  const std::span<float> values = values_of(tensor);
  parallel_blocks(tensor.numel(), kBlock, [&](int64_t begin, int64_t end) {
    Random random(step.seed,
                  fmt::format("{} {} {} from {}", purpose, step.epoch, step.index, begin));
    fill(values.subspan(begin, end - begin), random);
  });
  return tensor;
}

}  // namespace

torch::Tensor ParameterSet::add(std::string name, torch::IntArrayRef shape, int64_t group) {
  torch::Tensor tensor = torch::zeros(shape).requires_grad_(true);
  tensor.mutable_grad() = torch::zeros(shape);
  entries_.push_back({std::move(name), tensor, group});
  return tensor;
}

torch::Tensor ParameterSet::add_kept(std::string name, torch::IntArrayRef shape, double value) {
  torch::Tensor tensor = torch::full(shape, value);
  entries_.push_back({std::move(name), tensor, 0});
  return tensor;
}

std::vector<Parameter> ParameterSet::list() const {
  std::vector<Parameter> parameters;
  for (const Entry& entry : entries_) {
    const bool is_trained = entry.value.requires_grad();
    parameters.push_back({entry.name,
                          {entry.value.sizes().begin(), entry.value.sizes().end()},
                          values_of(entry.value),
                          is_trained ? values_of(entry.value.grad()) : std::span<float>(),
                          entry.group});
  }
  return parameters;
}

void ParameterSet::clear_gradients() {
  for (const Entry& entry : entries_) {
    if (entry.value.requires_grad()) {
      entry.value.grad().zero_();
    }
  }
}

void fill_uniform(const torch::Tensor& tensor, double range, Random& random) {
  for (float& value : values_of(tensor)) {
    value = static_cast<float>(range * (2 * random.uniform() - 1));
  }
}

void fill_normal(const torch::Tensor& tensor, double deviation, Random& random) {
  for (float& value : values_of(tensor)) {
    value = static_cast<float>(deviation * random.normal());
  }
}

void fill_linear(const torch::Tensor& weight, const torch::Tensor& bias, Random& random) {
  const double range = 1 / std::sqrt(static_cast<double>(weight.size(0)));
  fill_uniform(weight, range, random);
  fill_uniform(bias, range, random);
}

void fill_glorot(const torch::Tensor& weight, Random& random) {
  fill_uniform(weight, std::sqrt(6.0 / static_cast<double>(weight.size(0) + weight.size(1))),
               random);
}

torch::Tensor normal_noise(torch::IntArrayRef shape, const TrainStep& step,
                           std::string_view purpose) {
  return noise(shape, step, purpose, [](std::span<float> values, Random& random) {
    for (float& value : values) {
      value = static_cast<float>(random.normal());
    }
  });
}

torch::Tensor dropout_mask(torch::IntArrayRef shape, double probability, const TrainStep& step,
                           std::string_view purpose) {
  // Four values from one draw of 64 bits; the probability is met to 1 / 65536.
  constexpr int kBits = 16;
  const auto kept = static_cast<float>(1 / (1 - probability));
  const auto dropped = static_cast<uint64_t>(std::lround(probability * (1 << kBits)));
  return noise(shape, step, purpose, [&](std::span<float> values, Random& random) {
    uint64_t bits = 0;
    for (size_t i = 0; i < values.size(); ++i, bits >>= kBits) {
      if (i % (64 / kBits) == 0) {
        bits = random.next();
      }
      values[i] = (bits & 0xFFFF) < dropped ? 0.0F : kept;
    }
  });
}

}  // namespace disenlink::detail
