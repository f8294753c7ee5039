// Factories of the table in registry.cpp; each is defined in the file of its model.
#pragma once

#include <memory>

#include "disenlink/model.h"

namespace disenlink::detail {

std::unique_ptr<LinkModel> make_common_neighbors(const ModelOptions& options);
std::unique_ptr<LinkModel> make_adamic_adar(const ModelOptions& options);
std::unique_ptr<LinkModel> make_disenlink(const ModelOptions& options);

}  // namespace disenlink::detail
