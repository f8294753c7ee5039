// ARGVA. Pan, Hu, Long, Jiang, Yao and Zhang, Adversarially regularized graph autoencoder for graph
// embedding.
//
//   encoder, z and pair loss as VGAE; a discriminator D: embed -> 128 -> 128 -> embed with ReLU and
//   dropout 0.5 tells draws e of a standard normal from codes z:
//   discriminator: -mean log sigma(D(e)) - mean log(1 - sigma(D(z)))          a few steps an epoch
//   encoder: pair loss - mean log sigma(D(z)) + KL / N                       then one step
//
// Differs from the paper: one encoder step on the sum instead of one for each part; a wider
// discriminator with dropout. Differs from the authors' code: both directions unless
// --message-graph one-direction, five negatives a link as for all models, logits in all losses.
#include <torch/torch.h>

#include "models/baselines/learned.h"
#include "models/baselines/vgae.h"
#include "nn/linear.h"
#include "nn/torch_runtime.h"

namespace disenlink::detail {
namespace {

constexpr int64_t kEncoder = 0;
constexpr int64_t kDiscriminator = 1;

struct ArgvaOptions {
  EncoderOptions encoder{.hidden = 256};
  int64_t discriminator_hidden = 128;
  int64_t discriminator_steps = 3;
  double discriminator_rate = 0.2;
  double dropout = 0.5;
};

// -mean log sigma(logits)
torch::Tensor loss_as_real(const torch::Tensor& logits) { return torch::softplus(-logits).mean(); }

// -mean log(1 - sigma(logits))
torch::Tensor loss_as_drawn(const torch::Tensor& logits) { return torch::softplus(logits).mean(); }

class Argva : public Vgae {
 public:
  explicit Argva(const ArgvaOptions& options) : Vgae(options.encoder), own_(options) {}

  int64_t steps_per_epoch(int64_t /*num_pairs*/) const override {
    return own_.discriminator_steps + 1;
  }
  int64_t group_of_step(int64_t index) const override {
    return index < own_.discriminator_steps ? kDiscriminator : kEncoder;
  }
  double rate_of_group(int64_t group) const override {
    return group == kDiscriminator ? own_.discriminator_rate : 1;
  }

  StepReport compute_gradients(const TrainStep& step) override {
    const SerialTorch serial;
    if (step.index == 0 || !code_.mean.defined()) {
      code_ = code_for_training();
      z_ = sample(code_, step);
    }
    if (group_of_step(step.index) == kDiscriminator) {
      const auto real = normal_noise(z_.sizes(), step, "real codes");
      return finish(loss_as_real(discriminate(real, step, "dropout of real")) +
                    loss_as_drawn(discriminate(z_.detach(), step, "dropout of drawn")));
    }
    const auto loss = pair_loss(z_, step) +
                      loss_as_real(discriminate(z_, step, "dropout of drawn")) +
                      divergence_per_node(code_);
    code_ = {};
    return finish(loss);
  }

 protected:
  void make_parameters(ParameterSet& parameters, Random& random) override {
    Vgae::make_parameters(parameters, random);
    const int64_t embed = options().embed;
    const int64_t hidden = own_.discriminator_hidden;
    const int64_t widths[] = {embed, hidden, hidden, embed};
    for (int layer = 0; layer < kLayers; ++layer) {
      const std::string name = "discriminator" + std::to_string(layer + 1);
      w_[layer] = parameters.add("w_" + name, {widths[layer], widths[layer + 1]}, kDiscriminator);
      b_[layer] = parameters.add("b_" + name, {widths[layer + 1]}, kDiscriminator);
      fill_linear(w_[layer], b_[layer], random);
    }
  }

 private:
  static constexpr int kLayers = 3;

  torch::Tensor discriminate(const torch::Tensor& codes, const TrainStep& step,
                             const std::string& purpose) const {
    auto values = codes;
    for (int layer = 0; layer < kLayers; ++layer) {
      values = dense_layer(values, w_[layer], b_[layer]);
      if (layer + 1 < kLayers) {
        values = torch::relu(values) *
                 dropout_mask(values.sizes(), own_.dropout, step, purpose + std::to_string(layer));
      }
    }
    return values;
  }

  ArgvaOptions own_;
  torch::Tensor w_[kLayers], b_[kLayers];
  NodeCode code_;    // of this epoch
  torch::Tensor z_;  // its draw, the same for all steps of the epoch
};

class ArgvaFactory : public BaselineFactory {
 public:
  ArgvaFactory() : BaselineFactory("argva") {}

  void add_options(OptionTable& table) override {
    options_.encoder.add_to(table);
    table.add({.name = "discriminator-hidden",
               .help = "Hidden units of both layers of the discriminator",
               .target = &options_.discriminator_hidden,
               .least = 1,
               .most = 65536});
    table.add({.name = "discriminator-steps",
               .help = "Steps of the discriminator before each of the encoder",
               .target = &options_.discriminator_steps,
               .least = 1,
               .most = 1000});
    table.add({.name = "discriminator-rate",
               .help = "Its learning rate as a multiple of --lr",
               .target = &options_.discriminator_rate,
               .least = 1e-9,
               .most = 1e9});
    table.add({.name = "dropout",
               .help = "Dropout of the discriminator",
               .target = &options_.dropout,
               .least = 0,
               .most = 0.99});
  }

  std::unique_ptr<LinkModel> make() const override { return std::make_unique<Argva>(options_); }

 protected:
  ModelOptions published_options() const override { return {{"patience", "500"}}; }

 private:
  ArgvaOptions options_;
};

}  // namespace

std::unique_ptr<ModelFactory> new_argva() { return new_factory<ArgvaFactory>(); }

}  // namespace disenlink::detail
