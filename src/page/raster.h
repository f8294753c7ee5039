// SVG to PNG.
#pragma once

#include <filesystem>
#include <string_view>

namespace disenlink::detail {

// Drawn on white, `scale` pixels for a unit. Throws Error.
void write_png_of_svg(std::string_view svg, double scale, const std::filesystem::path& path);

}  // namespace disenlink::detail
