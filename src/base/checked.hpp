// checked - arithmetic on sizes that says when it does not fit.
#pragma once

#include <optional>
#include <wale/layout.hpp>

namespace wale::base {

[[nodiscard]] constexpr std::optional<index_t> multiply(index_t a, index_t b) noexcept {
    index_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
    return product;
}

[[nodiscard]] constexpr index_t ceil_div(index_t a, index_t b) noexcept {
    return (a + b - 1) / b;
}
[[nodiscard]] constexpr index_t round_up(index_t a, index_t b) noexcept {
    return ceil_div(a, b) * b;
}

}  // namespace wale::base
