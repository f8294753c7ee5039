#include "page/report_files.h"

#include "core/fail.h"
#include "core/output_file.h"
#include "disenlink/interrupt.h"
#include "page/chart_engine.h"
#include "page/raster.h"
#include "page/resources.h"
#include "report/table_csv.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

void put(std::string& page, std::string_view mark, std::string_view content) {
  const size_t at = page.find(mark);
  if (at == std::string::npos) {
    fail("the page's template has no '{}'", mark);
  }
  page.replace(at, mark.size(), content);
}

// Inside a script element "<" could begin its end.
std::string for_script_element(const std::string& json) {
  std::string text;
  for (const char letter : json) {
    text += letter == '<' ? "\\u003c" : std::string(1, letter);
  }
  return text;
}

struct Size {
  int width;
  int height;
};

Size size_of(const ordered_json& figure) {
  if (figure.at("kind") == "heatmap") {
    return {640, 600};
  }
  if (figure.at("kind") == "curves") {
    return {720, 460};
  }
  const bool is_crowded = figure.at("categories").size() * figure.at("series").size() > 40;
  return {is_crowded ? 1500 : 1200, 460};
}

void write_figure(ChartEngine& engine, const ordered_json& figure, const fs::path& folder) {
  constexpr double kPixelsPerUnit = 2;
  check_interrupt();
  const std::string name = figure.at("id").get<std::string>();
  const Size size = size_of(figure);
  const std::string svg = engine.svg(figure, size.width, size.height);
  write_whole_file(folder / (name + ".svg"), svg);
  write_png_of_svg(svg, kPixelsPerUnit, folder / (name + ".png"));
  write_whole_file(folder / (name + ".csv"), figure_csv(figure));
}

}  // namespace

std::string report_page(const ordered_json& document) {
  std::string page(page_template());
  // The data last: it may hold anything, marks too.
  put(page, "/*STYLE*/", page_style());
  put(page, "/*SCRIPT*/", page_script());
  put(page, "/*DATA*/",
      for_script_element(document.dump(-1, ' ', false, ordered_json::error_handler_t::replace)));
  return page;
}

void write_report_files(const ordered_json& document, const fs::path& folder) {
  write_whole_file(folder / "index.html", report_page(document));
  for (const ordered_json& table : document.at("score_tables")) {
    const std::string name = table.at("id").get<std::string>();
    write_whole_file(folder / "tables" / (name + ".csv"), scores_csv(table));
    write_whole_file(folder / "tables" / (name + ".md"), scores_markdown(table));
  }
  for (const ordered_json& table : document.at("tables")) {
    const std::string name = table.at("id").get<std::string>();
    write_whole_file(folder / "tables" / (name + ".csv"), table_csv(table));
    write_whole_file(folder / "tables" / (name + ".md"), table_markdown(table));
  }
  ChartEngine engine;
  for (const ordered_json& figure : document.at("figures")) {
    write_figure(engine, figure, folder / "figures");
  }
}

}  // namespace disenlink::detail
