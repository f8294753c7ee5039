// What the records say, in words.
#pragma once

#include <string>
#include <vector>

#include "report/results.h"

namespace disenlink::detail {

// One sentence or two each; only of what was measured.
std::vector<std::string> findings(const Results& results);

}  // namespace disenlink::detail
