// A trained model's graph with nodes added that were not in training.
#pragma once

#include <memory>
#include <string>

#include "cli/model_folder.h"

namespace disenlink::cli {

struct ExtendedGraph {
  NodeNames names;             // old nodes, then new ones
  int64_t first_new = 0;       // == names.size() when there are none
  Adjacency known;             // links that must not be recommended
  MessageGraph message_graph;  // what the model was encoded with, when there are new nodes
  Features features;           // likewise
};

// Without new nodes nothing is encoded again. Columns of the table are matched with the training
// features by name, or by position where those have no names.
ExtendedGraph extend(ModelFolder& trained, const std::string& nodes_file,
                     const std::string& edges_file);

}  // namespace disenlink::cli
