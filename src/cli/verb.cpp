#include "cli/verb.h"

#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <map>

#include "core/fail.h"
#include "core/text.h"
#include "disenlink/threads.h"
#include "disenlink/version.h"

namespace disenlink::cli {
namespace {

std::string help_of(const detail::Option& option) {
  std::string help = option.help;
  if (!option.allowed.empty()) {
    help += fmt::format(" ({})", fmt::join(option.allowed, "|"));
  }
  const auto* number = std::get_if<int64_t*>(&option.target);
  // A number that may not be given stands for "not given".
  const bool is_none = number != nullptr && static_cast<double>(**number) < option.least;
  const std::string value = is_none ? "" : detail::value_text(option);
  const bool is_flag = std::holds_alternative<bool*>(option.target);
  if (is_flag && value == "true") {
    return help + " [on]";
  }
  return value.empty() || is_flag ? help : help + fmt::format(" [{}]", value);
}

std::string value_name_of(const detail::Option& option) {
  if (!option.value_name.empty()) {
    return option.value_name;
  }
  if (std::holds_alternative<int64_t*>(option.target)) {
    return "N";
  }
  return std::holds_alternative<double*>(option.target) ? "X" : "NAME";
}

std::string version_text() {
  std::string text;
  for (const auto& [part, version] : versions()) {
    text += fmt::format("{:<11} {}\n", part, version);
  }
  text.pop_back();
  return text;
}

// What was understood of the command line before it went wrong: the program, `data`, or a verb.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
  }
  return *command;
}

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

std::vector<std::string> verbs_below(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* below : command.get_subcommands(nullptr)) {
    names.push_back(below->get_name());
  }
  return names;
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      flags.push_back("--" + name);
    }
  }
  return flags;
}

std::string suggestion(std::string_view given, const std::vector<std::string>& known) {
  return detail::did_you_mean(given, std::vector<std::string_view>(known.begin(), known.end()));
}

// CLI11 counts values: "--seed: 1 required N missing", "--seed: At Most 1 required but received 2".
std::string value_fault(const CLI::ParseError& problem) {
  const std::string text = problem.what();
  const std::string option = text.substr(0, text.find(':'));
  if (text.find("received") != std::string::npos) {
    return option + " is given more than once";
  }
  return text.ends_with("missing") ? option + " needs a value" : text;
}

std::string fault_text(const CLI::ParseError& problem, const CLI::App& command) {
  const std::vector<std::string> not_understood = command.remaining();
  const std::vector<std::string> known = verbs_below(command);
  const std::string verbs = fmt::format("{}", fmt::join(known, ", "));
  if (not_understood.empty()) {
    return verbs.empty() ? value_fault(problem) : "no verb given, expected one of: " + verbs;
  }
  const std::string& given = not_understood.front();
  const std::string first = detail::quoted(given);
  if (given.starts_with('-')) {
    return "unknown option " + first +
           suggestion(given.substr(0, given.find('=')), flags_of(command));
  }
  return verbs.empty() ? "one argument too many: " + first
                       : fmt::format("unknown verb {}{}, expected one of: {}", first,
                                     suggestion(given, known), verbs);
}

// CLI11 shows its own spelling of flags that turn something off.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, is_positional);
    constexpr std::string_view kMark = "{false}";
    if (const size_t at = name.find(kMark); at != std::string::npos) {
      name.erase(at, kMark.size());
    }
    return name;
  }
};

}  // namespace

Verb::Verb(std::string name, std::string description)
    : name_(std::move(name)), description_(std::move(description)) {
  options_.add(
      {.name = "json", .help = "Print the result as JSON", .target = &json_, .recorded = false});
  options_.add({.name = "threads",
                .help = "Threads to use, 0 = all usable cores; results do not depend on it",
                .target = &threads_,
                .least = 0,
                .most = 4096,
                .recorded = false});
  options_.add({.name = "quiet",
                .help = "No notes or progress on the error stream",
                .target = &quiet_,
                .recorded = false});
}

// A registered verb and what the command line said about its options.
struct CommandLine::Chosen {
  std::unique_ptr<Verb> verb;
  CLI::App* command = nullptr;
  std::map<std::string, std::string> given;
  std::string config;
};

CommandLine::CommandLine()
    : app_("disenlink: which links of a graph are missing, and why", "disenlink") {
  app_.require_subcommand(1);
  app_.set_version_flag("--version", version_text, "Print the versions of the parts and exit");
  app_.formatter(std::make_shared<HelpFormatter>());
  app_.get_formatter()->column_width(34);
}

CommandLine::~CommandLine() = default;

void CommandLine::add(CLI::App& parent, std::unique_ptr<Verb> verb) {
  auto chosen = std::make_unique<Chosen>();
  CLI::App* command = parent.add_subcommand(verb->name(), verb->description());
  chosen->command = command;
  for (const detail::Option& option : verb->options().options()) {
    auto store = [name = option.name, target = chosen.get()](const std::string& text) {
      target->given[name] = text;
    };
    if (std::holds_alternative<bool*>(option.target)) {
      // What is on can be turned off by --no-NAME or --NAME=false.
      const bool is_on = detail::value_text(option) == "true";
      const std::string names = "--" + option.name + (is_on ? ",!--no-" + option.name : "");
      command->add_flag_function(
          names, [store](int64_t count) { store(count > 0 ? "true" : "false"); }, help_of(option));
      continue;
    }
    // A positional may also be given by its flag.
    const std::string flags = (option.positional ? option.name + "," : "") + "--" + option.name;
    command->add_option_function<std::string>(flags, store, help_of(option))
        ->type_name(value_name_of(option));
  }
  command
      ->add_option("--config", chosen->config,
                   "File of options: 'name = value' lines, JSON, or a run record")
      ->type_name("FILE");
  chosen->verb = std::move(verb);
  verbs_.push_back(std::move(chosen));
}

int CommandLine::run(int count, const char* const* arguments) {
  try {
    app_.parse(count, arguments);
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() == 0) {  // --help or --version
      app_.exit(problem);
      return kDone;
    }
    const CLI::App& command = innermost(app_);
    detail::fail_usage("{}; try `{} --help`", fault_text(problem, command), full_name(command));
  }
  for (const auto& chosen : verbs_) {
    if (chosen->command->parsed()) {
      return run(*chosen);
    }
  }
  return kWrongUsage;
}

int CommandLine::run(Chosen& chosen) {
  std::vector<detail::Setting> settings;
  if (!chosen.config.empty()) {
    settings = detail::read_config(chosen.config);
  }
  for (const auto& [name, text] : chosen.given) {
    settings.push_back({name, text, "--" + name});
  }
  std::map<std::string, std::string> wanted;
  for (const detail::Setting& setting : settings) {
    wanted[setting.name] = setting.text;
  }
  Verb& verb = *chosen.verb;
  verb.set_defaults(wanted);
  verb.options().apply(settings);
  set_num_threads(verb.threads_ > 0 ? static_cast<int>(verb.threads_) : usable_cores());
  spdlog::set_level(verb.quiet_ ? spdlog::level::err : spdlog::level::info);
  return verb.run();
}

}  // namespace disenlink::cli
