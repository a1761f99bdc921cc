// range - when a system is scaled by powers of two, and when its answer is good, on every backend.
#pragma once

#include <cmath>
#include <cstdlib>
#include <limits>
#include <wale/layout.hpp>

namespace wale::lu {

/// e with 2^(e-1) <= largest < 2^e; 0 of zero and of what is not finite.
[[nodiscard]] inline int exponent_of(double largest) {
    int e = 0;
    if (std::isfinite(largest)) (void)std::frexp(largest, &e);
    return e;
}

/// Whether elements of this exponent must be scaled before norms and products of them are taken.
[[nodiscard]] inline bool is_far(int exponent) {
    return std::abs(exponent) > 400;
}

/// Whether a column with this largest magnitude is nearly as exact after ldexp(., exponent): not if it
/// overflows, or loses digits below the normal range.
[[nodiscard]] inline bool keeps_digits(double largest, int exponent) {
    return largest == 0 || std::isnormal(std::ldexp(largest, exponent));
}

/// DSGESV's rule: x is good where |b - A x| <= good_residual |x|, in the infinity norm.
[[nodiscard]] inline double good_residual(index_t n, double norm) {
    constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;
    return std::sqrt(static_cast<double>(n)) * unit_roundoff * norm;
}

}  // namespace wale::lu
