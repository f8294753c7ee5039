// The options by which verbs choose a method and how it learns.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/options.h"
#include "disenlink/model.h"
#include "disenlink/train.h"
#include "models/factory.h"

namespace disenlink::cli {

class LearningSource {
 public:
  // The options are those of this model.
  explicit LearningSource(std::string model);

  void add_options(detail::OptionTable& table);

  // Changes the defaults to those of the chosen preset and dataset.
  void set_defaults(const std::map<std::string, std::string>& wanted, detail::OptionTable& table);

  const std::string& model_name() const { return model_; }

  std::unique_ptr<LinkModel> make_model() const { return factory_->make(); }

  TrainOptions train_options(uint64_t seed, int64_t negatives) const;

 private:
  std::string model_;
  std::string preset_ = "default";
  std::unique_ptr<detail::ModelFactory> factory_;
  TrainOptions train_;
  std::string validation_ = "fresh";
};

}  // namespace disenlink::cli
