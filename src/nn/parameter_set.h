// The tensors of a model as the training loop wants them: named, with gradients that stay in place.
#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

#include "disenlink/model.h"
#include "disenlink/random.h"

namespace disenlink::detail {

class ParameterSet {
 public:
  // A trained tensor of zeros.
  torch::Tensor add(std::string name, torch::IntArrayRef shape, int64_t group = 0);

  // A tensor that is kept with the weights but not trained.
  torch::Tensor add_kept(std::string name, torch::IntArrayRef shape, double value);

  std::vector<Parameter> list() const;

  // Adds up what loss.backward() finds, from zero.
  void clear_gradients();

  bool empty() const { return entries_.empty(); }

 private:
  struct Entry {
    std::string name;
    torch::Tensor value;
    int64_t group;
  };

  std::vector<Entry> entries_;
};

// Initial values, from our own generator.
void fill_uniform(const torch::Tensor& tensor, double range, Random& random);
void fill_normal(const torch::Tensor& tensor, double deviation, Random& random);
// libtorch's default for a linear layer: +-1 / sqrt(fan in), weight and bias.
void fill_linear(const torch::Tensor& weight, const torch::Tensor& bias, Random& random);
// +-sqrt(6 / (rows + columns))
void fill_glorot(const torch::Tensor& weight, Random& random);

// Noise of a training step: the same for the same purpose, run, epoch and step, for any number of
// threads.
torch::Tensor normal_noise(torch::IntArrayRef shape, const TrainStep& step,
                           std::string_view purpose);
// Zeros with this probability, else 1 / (1 - probability).
torch::Tensor dropout_mask(torch::IntArrayRef shape, double probability, const TrainStep& step,
                           std::string_view purpose);

}  // namespace disenlink::detail
