// Runs the built program as a user does and returns what a user sees.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace disenlink::testing {

struct RunOptions {
  std::map<std::string, std::string> environment = {};  // an empty value removes the variable
  std::filesystem::path folder = {};                    // to run in; empty = a fresh one
  // Root may read and write everything, so tests of permissions run as nobody where we are root.
  bool as_nobody = false;
  std::optional<long> file_size_limit = {};    // bytes; beyond it writing fails as on a full disk
  std::filesystem::path standard_output = {};  // instead of being collected; "-" = closed
  int signal = 0;  // sent so long after the program began to listen for it
  int signal_after_ms = 0;
  std::filesystem::path signal_when_exists = {};  // a name that the path of a file may begin with
  std::function<bool()> signal_when = {};         // not before this holds
};

struct ProgramResult {
  int exit_code = -1;  // -1 = killed by a signal
  std::string output;
  std::string errors;
  double seconds = 0;
};

ProgramResult run_program(const std::vector<std::string>& arguments,
                          const RunOptions& options = {});

// Expects success and returns the standard output.
std::string output_of(const std::vector<std::string>& arguments, const RunOptions& options = {});

// Expects the exit code, nothing on standard output and exactly one line on standard error, which
// begins with `disenlink: `; returns the rest of it.
std::string failure_of(const std::vector<std::string>& arguments, int exit_code = 1,
                       const RunOptions& options = {});

// Names directly in a folder, sorted.
std::vector<std::string> names_in(const std::filesystem::path& folder);

}  // namespace disenlink::testing
