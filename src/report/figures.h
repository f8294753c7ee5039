// The pictures, as data; web/src/charts.js draws them.
#pragma once

#include <nlohmann/json.hpp>

#include "report/results.h"

namespace disenlink::detail {

// Only those that have something to show.
nlohmann::ordered_json figures(const Results& results);

}  // namespace disenlink::detail
