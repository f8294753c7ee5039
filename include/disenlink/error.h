// Errors a caller can cause. Each text says what was asked, what was found and what is allowed.
#pragma once

#include <stdexcept>

namespace disenlink {

// Bad data, a file that cannot be read or written, a request that cannot be met.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The request itself is malformed: an unknown name or an option outside its range.
class UsageError : public Error {
 public:
  using Error::Error;
};

// Work was stopped by request_interrupt(); nothing half-written is left behind.
class Interrupted : public Error {
 public:
  using Error::Error;
};

}  // namespace disenlink
