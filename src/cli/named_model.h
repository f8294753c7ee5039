// The method that a command line names.
#pragma once

#include <string>

namespace disenlink::cli {

// What --model or the file of --config says, if it is a known model; else empty. The flags of a
// verb depend on it, so it is looked for before the command line is parsed.
std::string named_model(int count, const char* const* arguments);

}  // namespace disenlink::cli
