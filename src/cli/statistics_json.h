// Statistics under the names that the table of datasets uses.
#pragma once

#include <nlohmann/json.hpp>

#include "disenlink/statistics.h"

namespace disenlink::cli {

nlohmann::ordered_json statistics_json(const GraphStatistics& facts);

}  // namespace disenlink::cli
