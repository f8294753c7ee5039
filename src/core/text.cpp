#include "core/text.h"

#include <fmt/format.h>

namespace disenlink::detail {

std::string quoted(std::string_view text) {
  constexpr size_t kLongest = 40;
  std::string result = "'";
  for (const char letter : text.substr(0, kLongest)) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x20 || code == 0x7f) {
      result += fmt::format("\\x{:02x}", code);
    } else {
      result += letter;
    }
  }
  return result + (text.size() > kLongest ? "...'" : "'");
}

}  // namespace disenlink::detail
