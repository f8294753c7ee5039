// Everything the report page shows, as one JSON value; web/src reads it.
#pragma once

#include <nlohmann/json.hpp>

#include "report/results.h"

namespace disenlink::detail {

nlohmann::ordered_json report_document(const Results& results);

}  // namespace disenlink::detail
