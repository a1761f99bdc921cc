// decimal_text - a number as messages show it: the fewest digits that give it back. std::to_string shows 1e-8
// as 0.
#pragma once

#include <charconv>
#include <string>

namespace wale::base {

[[nodiscard]] inline std::string decimal_text(double v) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, v).ptr};
}

}  // namespace wale::base
