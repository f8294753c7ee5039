// A verb of the command line: its options and what it does.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/options.h"

namespace disenlink::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUsage = 2;

class Verb {
 public:
  Verb(std::string name, std::string description);
  virtual ~Verb() = default;

  // Returns the exit code; throws for anything that went wrong.
  virtual int run() = 0;

  // Called with what the user chose before it is set: presets change the defaults here.
  virtual void set_defaults(const std::map<std::string, std::string>&) {}

  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  detail::OptionTable& options() { return options_; }
  const detail::OptionTable& options() const { return options_; }

 protected:
  bool is_quiet() const { return quiet_; }

  bool json_ = false;

 private:
  std::string name_;
  std::string description_;
  int64_t threads_ = 0;
  bool quiet_ = false;
  detail::OptionTable options_;

  friend class CommandLine;
};

// Connects verbs to CLI11: every flag, its help and its default come from the verb's table.
class CommandLine {
 public:
  CommandLine();
  ~CommandLine();

  void add(CLI::App& parent, std::unique_ptr<Verb> verb);
  CLI::App& app() { return app_; }

  // Parses and runs the chosen verb.
  int run(int count, const char* const* arguments);

 private:
  struct Chosen;

  int run(Chosen& chosen);

  CLI::App app_;
  std::vector<std::unique_ptr<Chosen>> verbs_;
};

}  // namespace disenlink::cli
