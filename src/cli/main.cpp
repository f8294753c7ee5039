// The program `disenlink`. The one place that catches, prints errors and sets the exit code.
#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <new>

#include "cli/named_model.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "disenlink/error.h"
#include "disenlink/interrupt.h"

namespace cli = disenlink::cli;

namespace {

extern "C" void on_stop_signal(int signal) {
  disenlink::request_interrupt();
  // A second signal ends the program at once.
  std::signal(signal, SIG_DFL);
}

// One line, whatever a path in it holds.
int fail_with(int code, std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  fmt::print(stderr, "disenlink: {}\n", text);
  return code;
}

// libtorch says with its own exception, and many lines, that it got no memory.
int fail_unexpectedly(std::string_view what) {
  if (what.find("alloc_cpu") != std::string_view::npos) {
    return fail_with(cli::kFailed, "not enough memory");
  }
  return fail_with(cli::kFailed,
                   fmt::format("internal error: {}", what.substr(0, what.find('\n'))));
}

// A closed standard stream would give its number to the next file opened, and results would end up
// in there. Reading and writing this stand-in for output fails instead.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) == -1) {
      open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

void log_to_stderr() {
  auto logger = spdlog::stderr_color_st("disenlink");
  logger->set_pattern("%^%v%$");
  spdlog::set_default_logger(logger);
}

int run(int count, char** arguments) {
  cli::CommandLine line;
  cli::add_verbs(line, cli::named_model(count, arguments));
  const int code = line.run(count, arguments);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return fail_with(cli::kFailed, "standard output: cannot write; it is closed or its disk full");
  }
  return code;
}

}  // namespace

int main(int count, char** arguments) {
  occupy_closed_streams();
  std::signal(SIGINT, on_stop_signal);
  std::signal(SIGTERM, on_stop_signal);
  // Running into a file size limit is an error message, not a silent death.
  std::signal(SIGXFSZ, SIG_IGN);
  log_to_stderr();
  try {
    return run(count, arguments);
  } catch (const disenlink::UsageError& error) {
    return fail_with(cli::kWrongUsage, error.what());
  } catch (const disenlink::Interrupted&) {
    return fail_with(cli::kFailed, "interrupted; nothing half-written was left behind");
  } catch (const disenlink::Error& error) {
    return fail_with(cli::kFailed, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail_with(cli::kFailed, fmt::format("{}: cannot be used: {}", error.path1().string(),
                                               error.code().message()));
  } catch (const std::bad_alloc&) {
    return fail_with(cli::kFailed, "not enough memory");
  } catch (const std::exception& error) {
    return fail_unexpectedly(error.what());
  }
}
