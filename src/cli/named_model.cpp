#include "cli/named_model.h"

#include <algorithm>
#include <string_view>

#include "core/options.h"
#include "disenlink/error.h"
#include "disenlink/model.h"

namespace disenlink::cli {
namespace {

// The text after the last `--flag`, or `--flag=`.
std::string value_of(std::string_view flag, int count, const char* const* arguments) {
  std::string value;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == flag && i + 1 < count) {
      value = arguments[i + 1];
    } else if (argument.starts_with(flag) && argument.substr(flag.size()).starts_with('=')) {
      value = argument.substr(flag.size() + 1);
    }
  }
  return value;
}

std::string model_in_config(const std::string& path) {
  std::string model;
  try {
    for (const detail::Setting& setting : detail::read_config(path)) {
      if (setting.name == "model") {
        model = setting.text;
      }
    }
  } catch (const Error&) {
    return {};  // said when the file is read for all its options
  }
  return model;
}

}  // namespace

std::string named_model(int count, const char* const* arguments) {
  std::string name = value_of("--model", count, arguments);
  const std::string config = value_of("--config", count, arguments);
  if (name.empty() && !config.empty()) {
    name = model_in_config(config);
  }
  const auto known = models();
  const bool is_known = std::any_of(known.begin(), known.end(),
                                    [&](const ModelInfo& model) { return model.name == name; });
  return is_known ? name : std::string();
}

}  // namespace disenlink::cli
