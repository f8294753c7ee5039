// Features out of one .npy table.
#pragma once

#include "data/npy_array.h"
#include "disenlink/features.h"

namespace disenlink::detail {

// Like Features::from_dense_table, but a mostly empty table is never held whole.
Features read_feature_table(NpyReader& reader);

}  // namespace disenlink::detail
