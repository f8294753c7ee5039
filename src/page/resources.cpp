#include "page/resources.h"

// Made of the files by resources.S.in.
extern "C" {
extern const char disenlink_page_script[];
extern const char disenlink_page_script_end[];
extern const char disenlink_page_style[];
extern const char disenlink_page_style_end[];
extern const char disenlink_page_template[];
extern const char disenlink_page_template_end[];
}

namespace disenlink::detail {

std::string_view page_script() { return {disenlink_page_script, disenlink_page_script_end}; }
std::string_view page_style() { return {disenlink_page_style, disenlink_page_style_end}; }
std::string_view page_template() { return {disenlink_page_template, disenlink_page_template_end}; }

}  // namespace disenlink::detail
