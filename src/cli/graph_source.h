// The options by which every verb takes a graph: a dataset's name, a path, or separate files.
#pragma once

#include <map>
#include <string>

#include "core/options.h"
#include "disenlink/graph.h"
#include "disenlink/read.h"

namespace disenlink::cli {

class GraphSource {
 public:
  // With positional, the dataset is the verb's first argument.
  void add_options(detail::OptionTable& table, bool positional);

  bool given() const { return !dataset_.empty() || !edges_.empty(); }

  const std::string& data_folder() const { return data_folder_; }

  // The options that name files, with absolute paths, so that a record holds in any folder.
  std::map<std::string, std::string> absolute_paths() const;

  ReadOptions read_options() const;

  // Reads the graph and logs the reader's notes.
  Graph load() const;

 private:
  std::string dataset_;
  std::string data_folder_;
  std::string format_;
  std::string edges_;
  std::string nodes_;
  std::string features_;
  std::string labels_;
  std::string label_column_ = "label";
  double max_inflate_gb_ = 8;
};

}  // namespace disenlink::cli
