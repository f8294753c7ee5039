// Writing one field of a csv row.
#pragma once

#include <string>
#include <string_view>

namespace disenlink::detail {

// In quotes where a reader could take it for something else. Throws Error for a text with a line
// break, which no reader of rows could read back; `what` names it in the message.
std::string csv_field(std::string_view text, std::string_view what);

}  // namespace disenlink::detail
