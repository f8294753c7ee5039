#include "data/pickle_machine.h"

#include <cstring>
#include <utility>

#include "core/text.h"

namespace disenlink::detail {
namespace {

// A byte of the file can ask for one value; these keep what it costs within a few hundred MB.
constexpr size_t kMaxStack = size_t{1} << 24;
constexpr size_t kMaxContainers = size_t{1} << 24;
constexpr size_t kMaxTexts = size_t{1} << 24;
constexpr size_t kMaxMemo = size_t{1} << 24;

struct KnownGlobal {
  std::string_view module;
  std::string_view name;
  PickleGlobal global;
};

// Module names of Python 2 and 3 and of older and newer libraries.
constexpr KnownGlobal kKnownGlobals[] = {
    {"scipy.sparse", "csr_matrix", PickleGlobal::kCsrMatrix},
    {"scipy.sparse.csr", "csr_matrix", PickleGlobal::kCsrMatrix},
    {"scipy.sparse._csr", "csr_matrix", PickleGlobal::kCsrMatrix},
    {"numpy.core.multiarray", "_reconstruct", PickleGlobal::kReconstruct},
    {"numpy._core.multiarray", "_reconstruct", PickleGlobal::kReconstruct},
    {"numpy", "ndarray", PickleGlobal::kNdarray},
    {"numpy", "dtype", PickleGlobal::kDtype},
    {"collections", "defaultdict", PickleGlobal::kDefaultDict},
    {"__builtin__", "list", PickleGlobal::kListType},
    {"builtins", "list", PickleGlobal::kListType},
    {"__builtin__", "bytes", PickleGlobal::kBytesType},
    {"builtins", "bytes", PickleGlobal::kBytesType},
    {"_codecs", "encode", PickleGlobal::kEncode},
};

// Printable and short, without the quotes.
std::string printable(std::string_view text) {
  const std::string result = quoted(text);
  return result.substr(1, result.size() - 2);
}

}  // namespace

std::string_view pickle_global_name(PickleGlobal global) {
  for (const KnownGlobal& known : kKnownGlobals) {
    if (known.global == global) {
      return known.name;
    }
  }
  return "an unknown name";
}

std::string_view PickleMachine::take(int64_t length) {
  const auto size = static_cast<int64_t>(pickle_.content_.size());
  if (length < 0 || length > size - position_) {
    fail_here("announces {} bytes, the file has {} more: it is cut short or damaged", length,
              size - position_);
  }
  const std::string_view bytes = std::string_view(pickle_.content_).substr(position_, length);
  position_ += length;
  return bytes;
}

std::string_view PickleMachine::take_line() {
  const size_t end = pickle_.content_.find('\n', position_);
  if (end == std::string::npos) {
    fail_here("a name without end: the file is cut short or damaged");
  }
  const std::string_view line = take(static_cast<int64_t>(end) - position_);
  take(1);
  return line;
}

void PickleMachine::push(PickleValue value) {
  if (stack_.size() >= kMaxStack) {
    fail_here("more than {} values wait on the stack", kMaxStack);
  }
  stack_.push_back(value);
}

void PickleMachine::push_string(PickleKind kind, int64_t length) {
  if (pickle_.texts_.size() >= kMaxTexts) {
    fail_here("more than {} texts", kMaxTexts);
  }
  const int64_t begin = position_;
  take(length);
  pickle_.texts_.push_back({begin, length});
  push({kind, static_cast<int64_t>(pickle_.texts_.size()) - 1});
}

void PickleMachine::push_container(PickleKind kind, std::vector<PickleValue> items) {
  if (pickle_.containers_.size() >= kMaxContainers) {
    fail_here("more than {} lists and tuples", kMaxContainers);
  }
  pickle_.containers_.push_back({opcode_at_, std::move(items)});
  push({kind, static_cast<int64_t>(pickle_.containers_.size()) - 1});
}

PickleValue PickleMachine::pop() {
  if (stack_.size() <= floor()) {
    fail_here("takes a value from an empty stack");
  }
  const PickleValue value = stack_.back();
  stack_.pop_back();
  return value;
}

PickleValue PickleMachine::pop(PickleKind kind, std::string_view expected) {
  const PickleValue value = pop();
  if (!value.is(kind)) {
    fail_here("found {}, expected {}", pickle_.describe(value), expected);
  }
  return value;
}

PickleValue PickleMachine::top(PickleKind kind, std::string_view expected) {
  const PickleValue value = pop(kind, expected);
  stack_.push_back(value);
  return value;
}

std::vector<PickleValue> PickleMachine::pop_to_mark() {
  if (marks_.empty()) {
    fail_here("ends a group that never began");
  }
  const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  std::vector<PickleValue> values(first, stack_.end());
  stack_.erase(first, stack_.end());
  marks_.pop_back();
  return values;
}

std::vector<PickleValue>& PickleMachine::items_of(PickleValue value) {
  return pickle_.containers_[value.payload].items;
}

void PickleMachine::push_tuple(size_t length) {
  std::vector<PickleValue> items(length);
  for (size_t i = length; i > 0; --i) {
    items[i - 1] = pop();
  }
  push_container(PickleKind::kTuple, std::move(items));
}

void PickleMachine::push_global(std::string_view module, std::string_view name) {
  for (const KnownGlobal& known : kKnownGlobals) {
    if (known.module == module && known.name == name) {
      push({PickleKind::kGlobal, static_cast<int64_t>(known.global)});
      return;
    }
  }
  fail_here("asks for {}.{}, which this reader refuses", printable(module), printable(name));
}

void PickleMachine::memoize(uint32_t key) {
  if (memo_.size() >= kMaxMemo) {
    fail_here("remembers more than {} values", kMaxMemo);
  }
  const PickleValue value = pop();
  stack_.push_back(value);
  memo_[key] = value;
}

void PickleMachine::recall(uint32_t key) {
  const auto found = memo_.find(key);
  if (found == memo_.end()) {
    fail_here("refers to remembered value {}, which was never stored", key);
  }
  push(found->second);
}

void PickleMachine::append(std::vector<PickleValue> values) {
  auto& items = items_of(top(PickleKind::kList, "a list to append to"));
  items.insert(items.end(), values.begin(), values.end());
}

void PickleMachine::set_item() {
  const PickleValue value = pop();
  const PickleValue key = pop();
  set_items({key, value});
}

void PickleMachine::set_items(std::vector<PickleValue> values) {
  if (values.size() % 2 != 0) {
    fail_here("a dict gets {} keys and values, expected an even number", values.size());
  }
  auto& items = items_of(top(PickleKind::kDict, "a dict to fill"));
  items.insert(items.end(), values.begin(), values.end());
}

void PickleMachine::protocol() {
  const auto version = take_number<uint8_t>();
  if (version < kLowestPickleProtocol || version > kHighestPickleProtocol) {
    fail_here("pickle protocol {}, expected {} to {}", version, kLowestPickleProtocol,
              kHighestPickleProtocol);
  }
}

void PickleMachine::frame() {
  const auto length = take_number<uint64_t>();
  const uint64_t rest = pickle_.content_.size() - static_cast<uint64_t>(position_);
  if (length > rest) {
    fail_here("a frame of {} bytes, the file has {} more: it is cut short or damaged", length,
              rest);
  }
}

void PickleMachine::mark() {
  if (marks_.size() >= kMaxStack) {
    fail_here("more than {} groups are open", kMaxStack);
  }
  marks_.push_back(stack_.size());
}

void PickleMachine::long1() {
  const auto length = take_number<uint8_t>();
  if (length > sizeof(int64_t)) {
    fail_here("an integer of {} bytes, at most {} are supported", length, sizeof(int64_t));
  }
  const std::string_view bytes = take(length);
  const bool is_negative = length > 0 && (static_cast<uint8_t>(bytes.back()) & 0x80) != 0;
  int64_t value = is_negative ? -1 : 0;
  std::memcpy(&value, bytes.data(), bytes.size());
  push_integer(value);
}

void PickleMachine::big_endian_real() {
  uint64_t bits = 0;
  for (const char byte : take(sizeof(bits))) {
    bits = (bits << 8) | static_cast<uint8_t>(byte);
  }
  push({PickleKind::kReal, static_cast<int64_t>(bits)});
}

void PickleMachine::global() {
  const std::string_view module = take_line();
  push_global(module, take_line());
}

void PickleMachine::stack_global() {
  const PickleValue name = pop(PickleKind::kText, "the name of a global");
  const PickleValue module = pop(PickleKind::kText, "the module of a global");
  push_global(pickle_.string(module), pickle_.string(name));
}

void PickleMachine::reduce() {
  const PickleValue arguments = pop(PickleKind::kTuple, "a tuple of arguments");
  const PickleValue callable = pop(PickleKind::kGlobal, "a name to call");
  switch (static_cast<PickleGlobal>(callable.payload)) {
    case PickleGlobal::kDefaultDict:
      return push_container(PickleKind::kDict, {});
    case PickleGlobal::kListType:
    case PickleGlobal::kBytesType:
      if (!items_of(arguments).empty()) {
        fail_here("{} gets {} arguments, expected none", pickle_.describe(callable),
                  items_of(arguments).size());
      }
      return callable.payload == static_cast<int64_t>(PickleGlobal::kListType)
                 ? push_container(PickleKind::kList, {})
                 : push_string(PickleKind::kBytes, 0);
    default:
      return push_container(PickleKind::kObject, {callable, arguments});
  }
}

void PickleMachine::new_object() {
  const PickleValue arguments = pop(PickleKind::kTuple, "a tuple of arguments");
  const PickleValue type = pop(PickleKind::kGlobal, "the name of a class");
  push_container(PickleKind::kObject, {type, arguments});
}

void PickleMachine::build() {
  const PickleValue state = pop();
  auto& items = items_of(top(PickleKind::kObject, "an object that takes a state"));
  if (items.size() > 2) {
    fail_here("an object gets its state twice");
  }
  items.push_back(state);
}

void PickleMachine::stop() {
  pickle_.root_ = pop();
  if (!stack_.empty() || !marks_.empty()) {
    fail_here("ends with {} values left over", stack_.size());
  }
  stopped_ = true;
}

}  // namespace disenlink::detail
