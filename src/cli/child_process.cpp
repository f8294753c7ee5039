#include "cli/child_process.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "core/fail.h"

namespace disenlink::cli {
namespace {

constexpr int kCannotStart = 127;

[[noreturn]] void become(char* const* words, int errors, int core) {
  // A parent that is killed takes its children along.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (core >= 0) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(core, &mask);
    sched_setaffinity(0, sizeof(mask), &mask);
  }
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  execv("/proc/self/exe", words);
  _exit(kCannotStart);
}

}  // namespace

int nth_usable_core(int n) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof(mask), &mask);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &mask)) {
      cores.push_back(core);
    }
  }
  return cores.empty() ? -1 : cores[static_cast<size_t>(n) % cores.size()];
}

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, int core)
    : errors_(memfd_create("errors", MFD_CLOEXEC)) {
  std::string program = "disenlink";
  std::vector<std::string> texts = arguments;
  std::vector<char*> words = {program.data()};
  for (std::string& text : texts) {
    words.push_back(text.data());
  }
  words.push_back(nullptr);
  process_ = errors_ < 0 ? -1 : fork();
  if (process_ == 0) {
    become(words.data(), errors_, core);
  }
  if (process_ < 0) {
    detail::fail("a run cannot be started: {}", std::strerror(errno));
  }
}

ChildProcess::~ChildProcess() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  if (errors_ >= 0) {
    close(errors_);
  }
}

bool ChildProcess::has_ended() {
  int status = 0;
  if (process_ > 0 && waitpid(process_, &status, WNOHANG) == process_) {
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    process_ = -1;
  }
  return process_ < 0;
}

std::string ChildProcess::last_words() const {
  std::string text(4096, '\0');
  const off_t end = lseek(errors_, 0, SEEK_END);
  const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(text.size()));
  const ssize_t count = pread(errors_, text.data(), text.size(), begin);
  text.resize(static_cast<size_t>(std::max<ssize_t>(0, count)));
  while (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  const size_t line = text.rfind('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

void ChildProcess::stop() const {
  if (process_ > 0) {
    kill(process_, SIGTERM);
  }
}

}  // namespace disenlink::cli
