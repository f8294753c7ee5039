// Throwing errors in one line, all with the same shape: `path:line: what is wrong`.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>

#include "disenlink/error.h"

namespace disenlink::detail {

template <typename... Args>
[[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(fmt::format(text, std::forward<Args>(args)...));
}

template <typename... Args>
[[noreturn]] void fail_usage(fmt::format_string<Args...> text, Args&&... args) {
  throw UsageError(fmt::format(text, std::forward<Args>(args)...));
}

// A fault in a text file; lines count from 1.
template <typename... Args>
[[noreturn]] void fail_at_line(const std::filesystem::path& path, int64_t line,
                               fmt::format_string<Args...> text, Args&&... args) {
  throw Error(fmt::format("{}:{}: {}", path.string(), line,
                          fmt::format(text, std::forward<Args>(args)...)));
}

// A fault in a binary file; offsets count bytes from 0.
template <typename... Args>
[[noreturn]] void fail_at_offset(const std::filesystem::path& path, int64_t offset,
                                 fmt::format_string<Args...> text, Args&&... args) {
  throw Error(fmt::format("{}: at byte {}: {}", path.string(), offset,
                          fmt::format(text, std::forward<Args>(args)...)));
}

// A fault of a whole file.
template <typename... Args>
[[noreturn]] void fail_in(const std::filesystem::path& path, fmt::format_string<Args...> text,
                          Args&&... args) {
  throw Error(fmt::format("{}: {}", path.string(), fmt::format(text, std::forward<Args>(args)...)));
}

}  // namespace disenlink::detail
