// Python pickles as plain values. Nothing is ever executed or imported: a call recorded in the
// pickle stays a record, and only the few names that numpy, scipy and dicts need are accepted.
#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/fail.h"

namespace disenlink::detail {

enum class PickleKind : uint8_t {
  kNone,
  kBool,
  kInteger,
  kReal,
  kText,
  kBytes,  // also Python 2 strings
  kTuple,
  kList,
  kDict,    // items: key, value, key, value, ...
  kGlobal,  // a name that was asked for
  kObject,  // items: the global that makes it, its arguments and, when given, its state
};

enum class PickleGlobal : uint8_t {
  kCsrMatrix,
  kReconstruct,
  kNdarray,
  kDtype,
  kDefaultDict,
  kListType,
  kBytesType,
  kEncode,
};

// Containers and texts live in the Pickle and are referred to by number, so sharing costs nothing
// and a list that holds itself is harmless.
struct PickleValue {
  PickleKind kind = PickleKind::kNone;
  int64_t payload = 0;  // the integer, bits of the real, the global, or the number of text or list

  bool is(PickleKind other) const { return kind == other; }
  bool is_string() const { return kind == PickleKind::kText || kind == PickleKind::kBytes; }
  double real() const { return std::bit_cast<double>(payload); }
};

class Pickle {
 public:
  // Protocols 2 to 4. Throws Error with the byte position of what it does not accept.
  static Pickle read(const std::filesystem::path& path, int64_t max_inflated_bytes);

  const std::filesystem::path& path() const { return path_; }
  size_t num_bytes() const { return content_.size(); }
  PickleValue root() const { return root_; }

  // Of a tuple, list, dict or object.
  std::span<const PickleValue> items(PickleValue container) const;
  // Of a text or bytes; texts are UTF-8.
  std::string_view string(PickleValue text) const;
  // The value of a dict under a key that is a string.
  std::optional<PickleValue> find(PickleValue dict, std::string_view key) const;
  bool is_object_of(PickleValue value, PickleGlobal made_by) const;

  // For messages: what a value is, in words.
  std::string describe(PickleValue value) const;

  template <typename... Args>
  [[noreturn]] void fail_at(PickleValue value, fmt::format_string<Args...> text,
                            Args&&... args) const {
    fail_at_offset(path_, offset(value), text, std::forward<Args>(args)...);
  }

 private:
  friend class PickleMachine;

  struct Text {
    int64_t begin;
    int64_t length;
  };
  struct Container {
    int64_t offset;  // of the opcode that made it
    std::vector<PickleValue> items;
  };

  // Where a text or container begins in the file; 0 for values that do not know.
  int64_t offset(PickleValue value) const;

  std::filesystem::path path_;
  std::string content_;
  std::vector<Text> texts_;
  std::vector<Container> containers_;
  PickleValue root_;
};

}  // namespace disenlink::detail
