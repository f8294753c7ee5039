// A square matrix of values from 0 to 1 as a picture.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace disenlink::detail {

struct Heatmap {
  std::span<const double> values;  // (side, side)
  int64_t side = 0;
  int64_t block = 0;  // a line is drawn after so many rows and columns; 0 = none
  std::string title;
};

// A .png holds the matrix alone; an .svg adds title, blocks and scale. The suffix decides.
void write_heatmap(const Heatmap& heatmap, const std::filesystem::path& path);

}  // namespace disenlink::detail
