// Zip archives with the same bytes for the same content: no clock time, no host attributes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace disenlink::detail {

// One entry: its parts follow each other. They are not copied and must live until the archive is
// made.
struct ZipContent {
  std::string name;
  std::vector<std::string_view> parts;
};

// The deflated archive's bytes.
std::string make_zip(const std::vector<ZipContent>& contents);

}  // namespace disenlink::detail
