// The options by which verbs choose a method and how it learns.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/options.h"
#include "disenlink/model.h"
#include "disenlink/train.h"
#include "models/disenlink/options.h"

namespace disenlink::cli {

class LearningSource {
 public:
  explicit LearningSource(std::string model) : model_(std::move(model)) {}

  void add_options(detail::OptionTable& table);

  // Changes the defaults to those of the chosen preset and dataset.
  void set_defaults(const std::map<std::string, std::string>& wanted, detail::OptionTable& table);

  const std::string& model_name() const { return model_; }

  // A new model; options that it does not have must not be given on the command line, which the
  // table cannot know, so they are simply not passed on.
  std::unique_ptr<LinkModel> make_model() const;

  TrainOptions train_options(uint64_t seed, int64_t negatives) const;

 private:
  std::string model_;
  std::string preset_ = "default";
  detail::DisenLinkOptions disenlink_;
  TrainOptions train_;
};

}  // namespace disenlink::cli
