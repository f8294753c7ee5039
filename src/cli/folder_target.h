// The options by which a verb takes the folder it writes.
#pragma once

#include <string>
#include <string_view>

#include "core/fail.h"
#include "core/options.h"

namespace disenlink::cli {

class FolderTarget {
 public:
  // With positional, the folder is the verb's next argument.
  void add_options(detail::OptionTable& table, bool positional) {
    table.add({.name = "out",
               .help = "Folder to write",
               .target = &path_,
               .value_name = "FOLDER",
               .positional = positional});
    table.add({.name = "force",
               .help = "Replace the folder if it holds files",
               .target = &force_,
               .recorded = false});
  }

  // Called first of all, so that nobody waits for a result that has no place to go.
  void require(std::string_view usage) const {
    if (path_.empty()) {
      detail::fail_usage("no folder to write given: {}", usage);
    }
  }

  const std::string& path() const { return path_; }
  bool force() const { return force_; }

 private:
  std::string path_;
  bool force_ = false;
};

}  // namespace disenlink::cli
