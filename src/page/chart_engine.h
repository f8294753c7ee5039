// Runs the page's own chart code without a browser, so that files and page show the same pictures.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace disenlink::detail {

class ChartEngine {
 public:
  ChartEngine();
  ~ChartEngine();
  ChartEngine(const ChartEngine&) = delete;
  ChartEngine& operator=(const ChartEngine&) = delete;

  // A figure of the report document as a stand-alone SVG file. Throws Error where the chart code
  // fails.
  std::string svg(const nlohmann::ordered_json& figure, int width, int height);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace disenlink::detail
