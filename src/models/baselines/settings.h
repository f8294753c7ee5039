// Options that the learned baselines share, and the settings of the runs behind the paper's table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/options.h"
#include "kernels/factor_layout.h"
#include "kernels/projection.h"
#include "models/factory.h"

namespace disenlink::detail {

struct EncoderOptions {
  int64_t hidden = 64;
  int64_t embed = 32;
  std::string message_graph = "symmetric";
  std::string standardise = "none";
  std::string loss = "bce";

  void add_to(OptionTable& table);
  RowScale row_scale() const;
  PairLoss pair_loss() const;
};

// What the factories of the learned baselines have in common. Presets: "default"; "published",
// which does as the authors of DisenLink ran the method; "authors", which also takes over what
// their programs compute otherwise than intended.
class BaselineFactory : public ModelFactory {
 public:
  explicit BaselineFactory(std::string_view name) : name_(name) {}

  TrainOptions train_defaults() const override;
  std::vector<std::string> presets() const override { return {"default", "published", "authors"}; }
  ModelOptions preset_options(std::string_view preset, std::string_view dataset) const override;

 protected:
  // What the authors' script of this method does beyond fixed negatives and one direction.
  virtual ModelOptions published_options() const { return {}; }

 private:
  std::string_view name_;
};

}  // namespace disenlink::detail
