// Precompiled for every file that uses libtorch: parsing it takes longer than most of those files.
#pragma once

#include <torch/torch.h>
