// What the verbs that use a trained model have in common.
#pragma once

#include <string>

#include "cli/model_folder.h"
#include "cli/verb.h"

namespace disenlink::cli {

class TrainedVerb : public Verb {
 public:
  TrainedVerb(std::string name, std::string description);

 protected:
  // Loads the folder given as the first argument.
  ModelFolder load() const;

 private:
  std::string folder_;
  std::string data_folder_;
};

}  // namespace disenlink::cli
