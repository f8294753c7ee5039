// Factories of the table in registry.cpp; each is defined in the file of its model.
#pragma once

#include <memory>

#include "disenlink/model.h"

namespace disenlink::detail {

std::unique_ptr<LinkModel> make_common_neighbors();
std::unique_ptr<LinkModel> make_adamic_adar();

}  // namespace disenlink::detail
