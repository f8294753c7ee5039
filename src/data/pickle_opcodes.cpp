// Which opcodes are accepted, and what each does.
#include "data/pickle_machine.h"
#include "disenlink/interrupt.h"

namespace disenlink::detail {
namespace {

constexpr uint8_t kProtocolOpcode = 0x80;

}  // namespace

std::array<PickleMachine::Step, 256> PickleMachine::make_steps() {
  using Machine = PickleMachine&;
  using enum PickleKind;
  const std::pair<uint8_t, Step> opcodes[] = {
      {kProtocolOpcode, [](Machine m) { m.protocol(); }},
      {0x95, [](Machine m) { m.frame(); }},  // FRAME
      {'.', [](Machine m) { m.stop(); }},
      // Numbers.
      {'N', [](Machine m) { m.push({}); }},
      {0x88,
       [](Machine m) {
         m.push({kBool, 1});
       }},
      {0x89,
       [](Machine m) {
         m.push({kBool, 0});
       }},
      {'J', [](Machine m) { m.push_integer(m.take_number<int32_t>()); }},
      {'K', [](Machine m) { m.push_integer(m.take_number<uint8_t>()); }},
      {'M', [](Machine m) { m.push_integer(m.take_number<uint16_t>()); }},
      {0x8a, [](Machine m) { m.long1(); }},
      {'G', [](Machine m) { m.big_endian_real(); }},
      // Texts: strings of Python 2, texts and bytes of Python 3, each with lengths of 1 to 8 bytes.
      {'U', [](Machine m) { m.push_string(kBytes, m.take_number<uint8_t>()); }},
      {'T', [](Machine m) { m.push_string(kBytes, m.take_number<int32_t>()); }},
      {0x8c, [](Machine m) { m.push_string(kText, m.take_number<uint8_t>()); }},
      {'X', [](Machine m) { m.push_string(kText, m.take_number<uint32_t>()); }},
      {0x8d, [](Machine m) { m.push_string(kText, m.take_number<int64_t>()); }},
      {'C', [](Machine m) { m.push_string(kBytes, m.take_number<uint8_t>()); }},
      {'B', [](Machine m) { m.push_string(kBytes, m.take_number<uint32_t>()); }},
      {0x8e, [](Machine m) { m.push_string(kBytes, m.take_number<int64_t>()); }},
      // Containers.
      {'(', [](Machine m) { m.mark(); }},
      {')', [](Machine m) { m.push_tuple(0); }},
      {0x85, [](Machine m) { m.push_tuple(1); }},
      {0x86, [](Machine m) { m.push_tuple(2); }},
      {0x87, [](Machine m) { m.push_tuple(3); }},
      {'t', [](Machine m) { m.push_container(kTuple, m.pop_to_mark()); }},
      {']', [](Machine m) { m.push_container(kList, {}); }},
      {'a', [](Machine m) { m.append({m.pop()}); }},
      {'e', [](Machine m) { m.append(m.pop_to_mark()); }},
      {'}', [](Machine m) { m.push_container(kDict, {}); }},
      {'s', [](Machine m) { m.set_item(); }},
      {'u', [](Machine m) { m.set_items(m.pop_to_mark()); }},
      // Remembered values.
      {'q', [](Machine m) { m.memoize(m.take_number<uint8_t>()); }},
      {'r', [](Machine m) { m.memoize(m.take_number<uint32_t>()); }},
      {0x94, [](Machine m) { m.memoize(static_cast<uint32_t>(m.memo_.size())); }},
      {'h', [](Machine m) { m.recall(m.take_number<uint8_t>()); }},
      {'j', [](Machine m) { m.recall(m.take_number<uint32_t>()); }},
      // Objects.
      {'c', [](Machine m) { m.global(); }},
      {0x93, [](Machine m) { m.stack_global(); }},
      {'R', [](Machine m) { m.reduce(); }},
      {0x81, [](Machine m) { m.new_object(); }},
      {'b', [](Machine m) { m.build(); }},
  };
  std::array<Step, 256> steps{};
  for (const auto& [code, step] : opcodes) {
    steps[code] = step;
  }
  return steps;
}

void PickleMachine::run() {
  static const std::array<Step, 256> steps = make_steps();
  while (!stopped_) {
    if ((position_ & 0xfff) == 0) {
      check_interrupt();
    }
    opcode_at_ = position_;
    const auto code = static_cast<uint8_t>(take(1).front());
    if (opcode_at_ == 0 && code != kProtocolOpcode) {
      fail_here("begins with byte 0x{:02x}, expected a Python pickle of protocol {} to {}", code,
                kLowestPickleProtocol, kHighestPickleProtocol);
    }
    if (steps[code] == nullptr) {
      fail_here(
          "pickle opcode 0x{:02x} is not one that numpy arrays, sparse matrices and dicts "
          "need; this reader refuses it",
          code);
    }
    steps[code](*this);
  }
  const auto left_over = static_cast<int64_t>(pickle_.content_.size()) - position_;
  if (left_over > 0) {
    fail_at_offset(pickle_.path_, position_, "{} bytes after the end of the pickle", left_over);
  }
}

}  // namespace disenlink::detail
