// Files of web/ that are part of the program.
#pragma once

#include <string_view>

namespace disenlink::detail {

std::string_view page_script();  // charts and page, bundled
std::string_view page_style();
std::string_view page_template();  // with /*STYLE*/, /*DATA*/ and /*SCRIPT*/

}  // namespace disenlink::detail
