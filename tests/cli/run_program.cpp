#include "cli/run_program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "test_files.h"

namespace disenlink::testing {
namespace {

namespace fs = std::filesystem;

constexpr int kNobody = 65534;
constexpr auto kLongest = std::chrono::seconds(240);

// The way into the child: redirect, restrict, become the program.
class Child {
 public:
  Child(const std::vector<std::string>& arguments, const RunOptions& options,
        const fs::path& folder, const fs::path& output, const fs::path& errors)
      : options_(options), folder_(folder), output_(output), errors_(errors) {
    words_.push_back("disenlink");
    words_.insert(words_.end(), arguments.begin(), arguments.end());
    for (std::string& word : words_) {
      pointers_.push_back(word.data());
    }
    pointers_.push_back(nullptr);
  }

  pid_t start() {
    const pid_t child = fork();
    if (child == 0) {
      become_program();
      _exit(127);
    }
    return child;
  }

 private:
  void become_program() {
    redirect(output_, STDOUT_FILENO);
    redirect(errors_, STDERR_FILENO);
    for (const auto& [name, value] : options_.environment) {
      value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
    }
    if (options_.file_size_limit) {
      const rlimit limit{static_cast<rlim_t>(*options_.file_size_limit),
                         static_cast<rlim_t>(*options_.file_size_limit)};
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    const bool is_ready =
        chdir(folder_.c_str()) == 0 &&
        (!options_.as_nobody || geteuid() != 0 || (setgid(kNobody) == 0 && setuid(kNobody) == 0));
    if (is_ready) {
      execv(DISENLINK_PROGRAM, pointers_.data());
    }
  }

  static void redirect(const fs::path& target, int stream) {
    if (target == "-") {
      close(stream);
      return;
    }
    const int file = open(target.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    dup2(file, stream);
  }

  const RunOptions& options_;
  fs::path folder_;
  fs::path output_;
  fs::path errors_;
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

bool exists_beginning_with(const fs::path& beginning) {
  const std::string start = beginning.filename().string();
  std::error_code problem;
  for (fs::directory_iterator entry(beginning.parent_path(), problem), end;
       !problem && entry != end; entry.increment(problem)) {
    if (entry->path().filename().string().starts_with(start)) {
      return true;
    }
  }
  return false;
}

// A signal that arrives before the program is ready for it ends it at once; loading libtorch may
// take seconds on a busy machine.
bool catches(pid_t child, int signal) {
  std::ifstream status("/proc/" + std::to_string(child) + "/status");
  for (std::string word; status >> word;) {
    if (word == "SigCgt:") {
      uint64_t caught = 0;
      status >> std::hex >> caught;
      return (caught >> (signal - 1) & 1) != 0;
    }
  }
  return false;
}

// Sends the signal when its moment has come and returns the status of the ended child.
int wait_for(pid_t child, const RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  std::optional<std::chrono::steady_clock::time_point> ready;
  bool to_send = options.signal != 0;
  for (;;) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) {
      EXPECT_FALSE(to_send) << "the program ended before the signal could be sent";
      return status;
    }
    const auto now = std::chrono::steady_clock::now();
    // SIGKILL cannot be caught; the program is as ready for it as for the others.
    const int awaited = options.signal == SIGKILL ? SIGINT : options.signal;
    if (to_send && !ready && catches(child, awaited)) {
      ready = now;
    }
    if (to_send && ready && now - *ready >= std::chrono::milliseconds(options.signal_after_ms) &&
        (options.signal_when_exists.empty() || exists_beginning_with(options.signal_when_exists)) &&
        (!options.signal_when || options.signal_when())) {
      kill(child, options.signal);
      to_send = false;
    }
    if (now - start > kLongest) {
      ADD_FAILURE() << "the program did not end";
      kill(child, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string shown(const std::vector<std::string>& arguments) {
  std::string text = "disenlink";
  for (const std::string& argument : arguments) {
    text += " " + argument;
  }
  return text;
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& arguments, const RunOptions& options) {
  const TemporaryFolder scratch;
  const fs::path folder =
      options.folder.empty() ? scratch.write("run/file", "").parent_path() : options.folder;
  if (options.folder.empty()) {
    fs::remove(folder / "file");
  }
  const fs::path output = scratch.path() / "output";
  const fs::path errors = scratch.path() / "errors";
  if (options.as_nobody) {
    fs::permissions(scratch.path(), fs::perms::all);
    fs::permissions(folder, fs::perms::all);
  }
  const auto start = std::chrono::steady_clock::now();
  const bool is_collected = options.standard_output.empty();
  const int status = wait_for(
      Child(arguments, options, folder, is_collected ? output : options.standard_output, errors)
          .start(),
      options);
  ProgramResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.output = is_collected ? slurp(output) : "";
  result.errors = slurp(errors);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::string output_of(const std::vector<std::string>& arguments, const RunOptions& options) {
  const ProgramResult result = run_program(arguments, options);
  EXPECT_EQ(result.exit_code, 0) << shown(arguments) << "\n" << result.errors;
  return result.output;
}

std::string failure_of(const std::vector<std::string>& arguments, int exit_code,
                       const RunOptions& options) {
  const ProgramResult result = run_program(arguments, options);
  EXPECT_EQ(result.exit_code, exit_code) << shown(arguments) << "\n" << result.errors;
  EXPECT_EQ(result.output, "") << shown(arguments);
  const std::string begin = "disenlink: ";
  EXPECT_TRUE(result.errors.starts_with(begin)) << shown(arguments) << "\n" << result.errors;
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1)
      << shown(arguments) << "\n"
      << result.errors;
  EXPECT_TRUE(result.errors.ends_with('\n')) << shown(arguments);
  if (!result.errors.starts_with(begin)) {
    return result.errors;
  }
  return result.errors.substr(begin.size(), result.errors.size() - begin.size() - 1);
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace disenlink::testing
