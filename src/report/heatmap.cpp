#include "report/heatmap.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/fail.h"
#include "core/output_file.h"

namespace disenlink::detail {
namespace {

using Colour = std::array<double, 3>;

// White over blue to near black: dark means correlated, and it prints in grey.
Colour colour_of(double value) {
  constexpr std::array<Colour, 4> kStops = {
      {{255, 255, 255}, {158, 202, 225}, {33, 113, 181}, {8, 29, 88}}};
  const double place = std::clamp(value, 0.0, 1.0) * (kStops.size() - 1);
  const auto index = std::min(static_cast<size_t>(place), kStops.size() - 2);
  Colour colour{};
  for (size_t i = 0; i < colour.size(); ++i) {
    colour[i] = kStops[index][i] +
                (place - static_cast<double>(index)) * (kStops[index + 1][i] - kStops[index][i]);
  }
  return colour;
}

// Cells are squares of whole pixels, so that none is blurred.
std::string png_bytes(const Heatmap& heatmap) {
  constexpr int64_t kAbout = 640;
  const int64_t cell = std::max<int64_t>(1, kAbout / heatmap.side);
  const int64_t size = cell * heatmap.side;
  std::vector<png_byte> pixels(size * size * 3);
  for (int64_t y = 0; y < size; ++y) {
    for (int64_t x = 0; x < size; ++x) {
      const Colour colour = colour_of(heatmap.values[y / cell * heatmap.side + x / cell]);
      for (size_t i = 0; i < colour.size(); ++i) {
        pixels[(y * size + x) * 3 + i] = static_cast<png_byte>(std::lround(colour[i]));
      }
    }
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(size);
  image.height = static_cast<png_uint_32>(size);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t length = 0;
  png_image_write_to_memory(&image, nullptr, &length, 0, pixels.data(), 0, nullptr);
  std::string bytes(length, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &length, 0, pixels.data(), 0, nullptr) == 0) {
    fail("cannot draw the picture: {}", image.message);
  }
  bytes.resize(length);
  return bytes;
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t word = 0;
    for (size_t j = 0; j < 3; ++j) {
      word = (word << 8) | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0);
    }
    for (size_t j = 0; j < 4; ++j) {
      text += i + j <= bytes.size() ? kLetters[(word >> (18 - 6 * j)) & 63] : '=';
    }
  }
  return text;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    result += letter == '<' ? "&lt;" : letter == '&' ? "&amp;" : std::string(1, letter);
  }
  return result;
}

std::string block_lines(const Heatmap& heatmap, double left, double top, double size) {
  std::string lines;
  for (int64_t at = heatmap.block; heatmap.block > 0 && at < heatmap.side; at += heatmap.block) {
    const double offset = size * static_cast<double>(at) / static_cast<double>(heatmap.side);
    lines +=
        fmt::format("<path d='M{0:.1f} {1}v{2}M{3} {4:.1f}h{2}' stroke='#c33' stroke-width='1'/>\n",
                    left + offset, top, size, left, top + offset);
  }
  return lines;
}

std::string scale(double left, double top, double size) {
  std::string marks;
  constexpr int kSteps = 20;
  for (int step = 0; step < kSteps; ++step) {
    const Colour colour = colour_of(1 - (step + 0.5) / kSteps);
    marks += fmt::format(
        "<rect x='{}' y='{:.1f}' width='14' height='{:.1f}' fill='rgb({:.0f},{:.0f},{:.0f})'/>\n",
        left, top + size * step / kSteps, size / kSteps + 0.5, colour[0], colour[1], colour[2]);
  }
  for (const double value : {0.0, 0.5, 1.0}) {
    marks += fmt::format("<text x='{}' y='{:.1f}' font-size='12'>{}</text>\n", left + 18,
                         top + size * (1 - value) + 4, value);
  }
  return marks;
}

std::string svg_text(const Heatmap& heatmap) {
  constexpr double kLeft = 16;
  constexpr double kTop = 40;
  constexpr double kSize = 520;
  std::string text = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' font-family='sans-serif'>\n"
      "<rect width='{0}' height='{1}' fill='white'/>\n"
      "<text x='{2}' y='24' font-size='15'>{3}</text>\n"
      "<image x='{2}' y='{4}' width='{5}' height='{5}' style='image-rendering:pixelated' "
      "href='data:image/png;base64,{6}'/>\n",
      kLeft + kSize + 70, kTop + kSize + 16, kLeft, escaped(heatmap.title), kTop, kSize,
      base64(png_bytes(heatmap)));
  text += block_lines(heatmap, kLeft, kTop, kSize);
  text += scale(kLeft + kSize + 12, kTop, kSize);
  return text + "</svg>\n";
}

}  // namespace

void write_heatmap(const Heatmap& heatmap, const std::filesystem::path& path) {
  const std::string suffix = path.extension().string();
  if (suffix != ".png" && suffix != ".svg") {
    fail_usage("{}: pictures are written as .png or .svg", path.string());
  }
  write_whole_file(path, suffix == ".png" ? png_bytes(heatmap) : svg_text(heatmap));
}

}  // namespace disenlink::detail
