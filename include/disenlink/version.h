// Versions of the library and of what it runs on.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace disenlink {

// Name and version of each part, "disenlink" first.
std::vector<std::pair<std::string, std::string>> versions();

}  // namespace disenlink
