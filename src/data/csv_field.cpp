#include "data/csv_field.h"

#include "core/fail.h"
#include "core/text.h"

namespace disenlink::detail {

std::string csv_field(std::string_view text, std::string_view what) {
  if (text.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos) {
    fail("{} {} holds a line break or a zero byte and cannot be written to a csv file", what,
         quoted(text));
  }
  // Blanks, tabs and semicolons separate fields in some files, # and % begin comments.
  const bool is_plain = !text.empty() && text.find_first_of(",;\" \t\f\v#%") == std::string::npos;
  if (is_plain) {
    return std::string(text);
  }
  std::string field = "\"";
  for (const char letter : text) {
    field.append(letter == '"' ? 2 : 1, letter);
  }
  return field + '"';
}

}  // namespace disenlink::detail
