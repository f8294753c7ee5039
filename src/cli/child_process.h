// This program again, as a child, for work that must not share memory or threads.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace disenlink::cli {

// The cores that this process may use, in turn.
int nth_usable_core(int n);

// A child on one core, its output thrown away; what it says on the error stream is kept.
class ChildProcess {
 public:
  // arguments: after the program's name. core: -1 = any.
  ChildProcess(const std::vector<std::string>& arguments, int core);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // True once it has ended; does not wait.
  bool has_ended();
  int exit_code() const { return exit_code_; }
  // Its last line on the error stream.
  std::string last_words() const;
  void stop() const;

 private:
  pid_t process_ = -1;
  int errors_ = -1;  // a file without a name
  int exit_code_ = -1;
};

}  // namespace disenlink::cli
