// ascii_toml - a text of TOML in ASCII alone. toml++ 3.3 has no defined answer to whether a letter beyond
// ASCII is a blank, which it asks in many places.
#pragma once

#include <string>
#include <string_view>

namespace wale::io {

/// The same values: letters beyond ASCII become \U escapes in double quotes and ? in comments. Throws
/// bad_input "name:line: what" for them anywhere else, for bytes that are not UTF-8, and for texts of several
/// lines.
[[nodiscard]] std::string ascii_toml(std::string_view text, const std::string& name);

}  // namespace wale::io
