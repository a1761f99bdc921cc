// argument - how a refused argument is worded, and whether two arguments share memory.
#pragma once

#include <functional>
#include <string>
#include <wale/error.hpp>
#include <wale/layout.hpp>

namespace wale::base {

[[nodiscard]] inline std::string text(index_t n) {
    return std::to_string(n);
}

/// Throws bad_argument: "NAME: FOUND, expected EXPECTED".
[[noreturn]] inline void refuse(const std::string& name, const std::string& found,
                                const std::string& expected) {
    throw bad_argument(name + ": " + found + ", expected " + expected);
}

/// Whether two ranges of memory have a byte in common; an empty range has none.
[[nodiscard]] inline bool overlap(const void* a, index_t a_bytes, const void* b, index_t b_bytes) noexcept {
    const auto* p = static_cast<const char*>(a);
    const auto* q = static_cast<const char*>(b);
    const std::less<> before;
    return a_bytes != 0 && b_bytes != 0 && before(p, q + b_bytes) && before(q, p + a_bytes);
}

}  // namespace wale::base
