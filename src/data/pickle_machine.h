// The stack machine that pickles are written for, reduced to building values.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/pickle.h"

namespace disenlink::detail {

// As Python writes it, for example `numpy.dtype`.
std::string_view pickle_global_name(PickleGlobal global);

inline constexpr int kLowestPickleProtocol = 2;
inline constexpr int kHighestPickleProtocol = 4;

class PickleMachine {
 public:
  explicit PickleMachine(Pickle& pickle) : pickle_(pickle) {}

  // Fills the pickle's texts, containers and root from its content.
  void run();

 private:
  using Step = void (*)(PickleMachine&);
  // By opcode; null where this reader refuses.
  static std::array<Step, 256> make_steps();

  template <typename... Args>
  [[noreturn]] void fail_here(fmt::format_string<Args...> text, Args&&... args) const {
    fail_at_offset(pickle_.path_, opcode_at_, text, std::forward<Args>(args)...);
  }

  std::string_view take(int64_t length);
  std::string_view take_line();
  template <typename Number>
  Number take_number() {
    static_assert(std::endian::native == std::endian::little, "numbers are copied as stored");
    Number value;
    std::memcpy(&value, take(sizeof(Number)).data(), sizeof(Number));
    return value;
  }

  size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  void push(PickleValue value);
  void push_integer(int64_t value) { push({PickleKind::kInteger, value}); }
  void push_string(PickleKind kind, int64_t length);
  void push_container(PickleKind kind, std::vector<PickleValue> items);
  PickleValue pop();
  PickleValue pop(PickleKind kind, std::string_view expected);
  PickleValue top(PickleKind kind, std::string_view expected);
  std::vector<PickleValue> pop_to_mark();
  std::vector<PickleValue>& items_of(PickleValue value);
  void push_tuple(size_t length);
  void push_global(std::string_view module, std::string_view name);
  void memoize(uint32_t key);
  void recall(uint32_t key);
  void append(std::vector<PickleValue> values);
  void set_item();
  void set_items(std::vector<PickleValue> values);

  void protocol();
  void frame();
  void mark();
  void long1();
  void big_endian_real();
  void global();
  void stack_global();
  void reduce();
  void new_object();
  void build();
  void stop();

  Pickle& pickle_;
  int64_t position_ = 0;
  int64_t opcode_at_ = 0;
  bool stopped_ = false;
  std::vector<PickleValue> stack_;
  std::vector<size_t> marks_;  // heights of the stack
  // A map, because a hostile file may name any of 2^32 places.
  std::unordered_map<uint32_t, PickleValue> memo_;
};

}  // namespace disenlink::detail
