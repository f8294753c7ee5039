#include "core/options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/fail.h"
#include "core/input_file.h"
#include "core/json_text.h"
#include "core/text.h"

namespace disenlink::detail {
namespace {

std::string expected_range(const Option& option, std::string_view kind) {
  if (option.above_least) {
    return fmt::format(
        "{} above {}{}", kind, option.least,
        std::isfinite(option.most) ? fmt::format(" and at most {}", option.most) : "");
  }
  if (std::isfinite(option.least) && std::isfinite(option.most)) {
    return fmt::format("{} from {} to {}", kind, option.least, option.most);
  }
  if (std::isfinite(option.least)) {
    return fmt::format("{} of at least {}", kind, option.least);
  }
  return std::string(kind);
}

template <typename Number>
void set_number(const Option& option, Number* target, std::string_view text,
                const std::string& where, std::string_view kind) {
  const auto value = parse_number<Number>(text);
  const bool fits = value && std::isfinite(static_cast<double>(*value)) &&
                    static_cast<double>(*value) >= option.least &&
                    !(option.above_least && static_cast<double>(*value) == option.least) &&
                    static_cast<double>(*value) <= option.most;
  if (!fits) {
    fail_usage("{}: {} given, expected {}", where, quoted(text), expected_range(option, kind));
  }
  *target = *value;
}

// One setter for each type an option may have.
struct Setter {
  const Option& option;
  std::string_view text;
  const std::string& where;

  void operator()(std::string* target) const {
    const auto& allowed = option.allowed;
    // An option that starts out empty may be left so: run records say it that way.
    const bool stays_empty = text.empty() && target->empty();
    if (!allowed.empty() && !stays_empty &&
        std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
      const std::vector<std::string_view> known(allowed.begin(), allowed.end());
      fail_usage("{}: {} given{}, expected one of: {}", where, quoted(text),
                 did_you_mean(text, known), fmt::join(allowed, ", "));
    }
    *target = text;
  }
  void operator()(int64_t* target) const {
    set_number(option, target, text, where, "a whole number");
  }
  void operator()(double* target) const { set_number(option, target, text, where, "a number"); }
  void operator()(bool* target) const {
    if (text != "true" && text != "false") {
      fail_usage("{}: {} given, expected true or false", where, quoted(text));
    }
    *target = text == "true";
  }
};

// The value of an option in JSON as it would be typed.
std::string text_of(const nlohmann::json& value, const std::string& where) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (!value.is_number() && !value.is_boolean()) {
    fail_usage("{}: {} given, expected a text, a number, true or false", where,
               detail::quoted(value.dump()));
  }
  return value.dump();
}

std::vector<Setting> read_json_config(const std::filesystem::path& path,
                                      const std::string& content) {
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(content);
  } catch (const nlohmann::json::exception& problem) {
    fail_in(path, "is not valid JSON: {}", json_problem(problem));
  }
  std::vector<Setting> settings;
  const nlohmann::json& options = json.contains("options") ? json["options"] : json;
  if (!options.is_object()) {
    fail_in(path, "\"options\" is {}, expected an object of names and values",
            detail::quoted(options.dump()));
  }
  for (const auto& [name, value] : options.items()) {
    const std::string where = fmt::format("{}: option {}", path.string(), detail::quoted(name));
    settings.push_back({name, text_of(value, where), where});
  }
  return settings;
}

}  // namespace

std::string value_text(const Option& option) {
  return std::visit(
      [](const auto* target) {
        if constexpr (std::is_same_v<decltype(target), const std::string*>) {
          return *target;
        } else {
          return fmt::format("{}", *target);
        }
      },
      option.target);
}

Option& OptionTable::add(Option option) { return options_.emplace_back(std::move(option)); }

const Option* OptionTable::find(std::string_view name) const {
  const auto found = std::find_if(options_.begin(), options_.end(),
                                  [&](const Option& option) { return option.name == name; });
  return found == options_.end() ? nullptr : &*found;
}

const Option& OptionTable::require(std::string_view name, const std::string& where) const {
  if (const Option* option = find(name)) {
    return *option;
  }
  std::vector<std::string_view> known;
  for (const Option& option : options_) {
    known.push_back(option.name);
  }
  fail_usage("{}: unknown option {}{}, expected one of: {}", where, quoted(name),
             did_you_mean(name, known), fmt::join(known, ", "));
}

void OptionTable::set(std::string_view name, std::string_view text, const std::string& where) {
  const Option& option = require(name, where);
  std::visit(Setter{option, text, where}, option.target);
}

void OptionTable::apply(const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) {
    set(setting.name, setting.text, setting.where);
    set_.insert(setting.name);
    if (setting.where.starts_with("--")) {
      typed_.insert(setting.name);
    }
  }
}

void OptionTable::set_all(const std::map<std::string, std::string>& values) {
  for (const auto& [name, text] : values) {
    set(name, text, "option " + name);
  }
}

nlohmann::ordered_json OptionTable::recorded() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const Option& option : options_) {
    if (option.recorded) {
      std::visit([&](const auto* target) { json[option.name] = *target; }, option.target);
    }
  }
  return json;
}

std::vector<Setting> read_config(const std::filesystem::path& path) {
  const std::string content = read_whole_file(path);
  if (trim(content).starts_with('{')) {
    return read_json_config(path, content);
  }
  std::vector<Setting> settings;
  LineReader reader(path);
  for (std::string_view line; reader.next(line);) {
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) {
      continue;
    }
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      fail_at_line(path, reader.line_number(), "{} found, expected 'name = value'", quoted(line));
    }
    settings.push_back({std::string(trim(line.substr(0, equals))),
                        std::string(trim(line.substr(equals + 1))),
                        fmt::format("{}:{}", path.string(), reader.line_number())});
  }
  return settings;
}

}  // namespace disenlink::detail
