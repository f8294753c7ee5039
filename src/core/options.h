// The one table of a verb's options. It feeds the command line, `--config FILE` and the run record.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace disenlink::detail {

struct Option {
  using Target = std::variant<std::string*, int64_t*, double*, bool*>;

  std::string name;  // long flag without dashes
  std::string help;
  Target target;  // where the value lives; its content at registration is the default
  std::vector<std::string> allowed = {};  // of a string; empty = anything
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above_least = false;     // `least` itself is not allowed
  std::string value_name = {};  // shown in the help, e.g. FOLDER
  bool positional = false;
  bool recorded = true;  // part of the run record: it can change a result
};

// One option as a file sets it.
struct Setting {
  std::string name;
  std::string text;
  std::string where;  // for messages: file, and line if there is one
};

class OptionTable {
 public:
  Option& add(Option option);

  const std::vector<Option>& options() const { return options_; }

  // Sets one option from text; throws UsageError with the allowed values or range. `where` begins
  // the message: "--seed" or "file:3".
  void set(std::string_view name, std::string_view text, const std::string& where);

  void apply(const std::vector<Setting>& settings);

  // Whether the command line or a file set it; whether the command line did.
  bool is_set(std::string_view name) const { return set_.contains(name); }
  bool is_typed(std::string_view name) const { return typed_.contains(name); }

  // The same for many, named "option NAME" in messages.
  void set_all(const std::map<std::string, std::string>& values);

  nlohmann::ordered_json recorded() const;

 private:
  const Option* find(std::string_view name) const;
  const Option& require(std::string_view name, const std::string& where) const;

  std::vector<Option> options_;
  std::set<std::string, std::less<>> set_, typed_;
};

// `name = value` lines (# starts a comment), or JSON: an object of options, or a run record whose
// "options" are taken.
std::vector<Setting> read_config(const std::filesystem::path& path);

// The current value as a user would type it.
std::string value_text(const Option& option);

}  // namespace disenlink::detail
