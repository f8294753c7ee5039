// What packed data may announce to hold, checked before anything is allocated for it.
#pragma once

#include <cstdint>
#include <string>

#include "core/fail.h"

namespace disenlink::detail {

// `label` names the file and the part of it.
inline void check_inflated_size(const std::string& label, uint64_t announced, uint64_t packed,
                                int64_t max_inflated_bytes) {
  constexpr uint64_t kMostPerByte = 1032;  // deflate packs no better
  constexpr uint64_t kSlack = 4096;
  if (packed < (uint64_t{1} << 48) && announced > packed * kMostPerByte + kSlack) {
    fail_in(label, "announces {} bytes, more than its {} packed bytes can hold", announced, packed);
  }
  if (announced > static_cast<uint64_t>(max_inflated_bytes)) {
    fail_in(label, "unpacks to {} bytes, more than the limit of {} for packed input", announced,
            max_inflated_bytes);
  }
}

}  // namespace disenlink::detail
