// The learned baselines; each is defined in the file of its name.
#pragma once

#include <memory>

#include "models/factory.h"

namespace disenlink::detail {

std::unique_ptr<ModelFactory> new_argva();
std::unique_ptr<ModelFactory> new_disengcn();
std::unique_ptr<ModelFactory> new_factor_gnn();
std::unique_ptr<ModelFactory> new_fagcn();
std::unique_ptr<ModelFactory> new_gat();
std::unique_ptr<ModelFactory> new_gpr_gnn();
std::unique_ptr<ModelFactory> new_linkx();
std::unique_ptr<ModelFactory> new_seal();
std::unique_ptr<ModelFactory> new_vgae();

}  // namespace disenlink::detail
