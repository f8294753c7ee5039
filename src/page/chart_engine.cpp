#include "page/chart_engine.h"

#include <duktape.h>

#include "core/fail.h"
#include "page/resources.h"

namespace disenlink::detail {
namespace {

// What scripts written for browsers look for; nothing is ever drawn later.
constexpr const char* kPrelude =
    "var globalThis = this, self = this, global = this;"
    "function setTimeout() { return 0; }"
    "function clearTimeout() {}";

}  // namespace

struct ChartEngine::Engine {
  Engine() : context(duk_create_heap_default()) {
    if (context == nullptr) {
      throw std::bad_alloc();
    }
  }
  ~Engine() { duk_destroy_heap(context); }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void run(std::string_view script) const {
    if (duk_peval_lstring_noresult(context, script.data(), script.size()) != 0) {
      fail("the chart code of this program does not run");
    }
  }

  duk_context* context;
};

ChartEngine::ChartEngine() : engine_(std::make_unique<Engine>()) {
  engine_->run(kPrelude);
  engine_->run(page_script());
}

ChartEngine::~ChartEngine() = default;

std::string ChartEngine::svg(const nlohmann::ordered_json& figure, int width, int height) {
  duk_context* context = engine_->context;
  duk_get_global_string(context, "report");
  duk_get_prop_string(context, -1, "renderSvg");
  const std::string json = figure.dump();
  duk_push_lstring(context, json.data(), json.size());
  duk_json_decode(context, -1);
  duk_push_int(context, width);
  duk_push_int(context, height);
  const bool has_failed = duk_pcall(context, 3) != 0;
  const std::string text = duk_safe_to_string(context, -1);
  duk_pop_2(context);
  if (has_failed) {
    fail("the figure '{}' cannot be drawn: {}", figure.value("id", ""), text);
  }
  return text;
}

}  // namespace disenlink::detail
