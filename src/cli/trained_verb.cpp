#include "cli/trained_verb.h"

#include "core/fail.h"

namespace disenlink::cli {

TrainedVerb::TrainedVerb(std::string name, std::string description)
    : Verb(std::move(name), std::move(description)) {
  options().add({.name = "folder",
                 .help = "Folder that `disenlink train` has written",
                 .target = &folder_,
                 .value_name = "FOLDER",
                 .positional = true});
  options().add({.name = "data",
                 .help = "Folder of the datasets; else $DISENLINK_DATA, else ../shared/data",
                 .target = &data_folder_,
                 .value_name = "FOLDER"});
}

ModelFolder TrainedVerb::load() const {
  if (folder_.empty()) {
    detail::fail_usage("no model given: disenlink {} FOLDER, a folder that `disenlink train` wrote",
                       name());
  }
  return {folder_, {{"data", data_folder_}}};
}

}  // namespace disenlink::cli
