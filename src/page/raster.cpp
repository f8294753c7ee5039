#include "page/raster.h"

#include <cairo.h>
#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>
#include <string>

#include "core/fail.h"
#include "core/output_file.h"

namespace disenlink::detail {
namespace {

struct Freer {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
template <typename T>
using Owned = std::unique_ptr<T, Freer>;

[[noreturn]] void fail_drawing(GError* error, const std::filesystem::path& path) {
  const std::string reason = error == nullptr ? "unknown reason" : error->message;
  g_clear_error(&error);
  fail_in(path, "the picture cannot be drawn: {}", reason);
}

cairo_status_t append(void* text, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

void write_png_of_svg(std::string_view svg, double scale, const std::filesystem::path& path) {
  GError* error = nullptr;
  const Owned<RsvgHandle> handle(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  double width = 0;
  double height = 0;
  if (handle == nullptr ||
      rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height) == FALSE) {
    fail_drawing(error, path);
  }
  const Owned<cairo_surface_t> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(width * scale)),
                                 static_cast<int>(std::lround(height * scale))));
  const Owned<cairo_t> context(cairo_create(surface.get()));
  cairo_set_source_rgb(context.get(), 1, 1, 1);
  cairo_paint(context.get());
  const RsvgRectangle whole{0, 0, width * scale, height * scale};
  if (rsvg_handle_render_document(handle.get(), context.get(), &whole, &error) == FALSE) {
    fail_drawing(error, path);
  }
  std::string png;
  if (cairo_surface_write_to_png_stream(surface.get(), append, &png) != CAIRO_STATUS_SUCCESS) {
    fail_drawing(nullptr, path);
  }
  write_whole_file(path, png);
}

}  // namespace disenlink::detail
