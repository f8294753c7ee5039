// The table of models. Those that need libtorch add themselves where it is linked in.
#pragma once

#include <memory>
#include <span>

#include "disenlink/model.h"

namespace disenlink::detail {

class ModelFactory;

// Each is defined in the file of its model.
std::unique_ptr<ModelFactory> new_common_neighbors();
std::unique_ptr<ModelFactory> new_adamic_adar();
std::unique_ptr<ModelFactory> new_disenlink();

// Appends to models(); call it before main() begins. Returns true, for static initialisers.
bool add_models(std::span<const ModelInfo> more);

}  // namespace disenlink::detail
