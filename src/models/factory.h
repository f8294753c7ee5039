// A method and its options, before it sees a graph.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/options.h"
#include "disenlink/model.h"
#include "disenlink/train.h"

namespace disenlink::detail {

class ModelFactory {
 public:
  virtual ~ModelFactory() = default;

  // The model's own options; they live as long as the factory.
  virtual void add_options(OptionTable&) {}

  // False for a method that only counts; it has no options of training.
  virtual bool learns() const { return true; }
  virtual TrainOptions train_defaults() const { return {}; }

  // Named settings, "default" first, and the options by name that they set for a dataset.
  virtual std::vector<std::string> presets() const { return {"default"}; }
  virtual ModelOptions preset_options(std::string_view /*preset*/,
                                      std::string_view /*dataset*/) const {
    return {};
  }

  virtual std::unique_ptr<LinkModel> make() const = 0;
};

template <class Factory>
std::unique_ptr<ModelFactory> new_factory() {
  return std::make_unique<Factory>();
}

}  // namespace disenlink::detail
