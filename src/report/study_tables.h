// The studies of one model, from records: what its parts are worth, and what an option does.
#pragma once

#include <nlohmann/json.hpp>

#include "report/results.h"

namespace disenlink::detail {

// Tables of the ablation, of the number of factors and of beta, as web/src/table.js expects them;
// those of which something was run.
nlohmann::ordered_json study_tables(const Results& results);

}  // namespace disenlink::detail
