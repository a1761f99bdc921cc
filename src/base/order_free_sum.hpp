// order_free_sum - a sum of doubles whose bits do not depend on the order of its terms: each term is rounded
// once, to a multiple of a quantum that the largest of them fixes, and integers are summed. So threads,
// ranks, blocks of a device and any numbering of cells agree. Demmel, Nguyen 2013 do the same with more
// digits.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.hpp"

namespace wale::base {

__extension__ typedef __int128 wide_integer;

/// Terms up to `largest` in magnitude, 2^65 of them at most, each kept to 2^-61 of `largest` or better.
/// A largest term that is not finite makes the sum NaN.
class order_free_sum {
public:
    WALE_HD explicit order_free_sum(double largest) : exponent_(exponent_above(largest)) {
        scale_ = std::ldexp(1.0, 62 - exponent_);
        finite_ = largest - largest == 0;
    }
    /// The integer that stands for a term.
    [[nodiscard]] WALE_HD long long digits(double term) const {
        return finite_ ? static_cast<long long>(std::rint(term * scale_)) : 0;
    }
    WALE_HD void add(double term) { total_ += digits(term); }
    /// A part summed elsewhere with the same `largest`.
    WALE_HD void add_part(wide_integer part) { total_ += part; }
    [[nodiscard]] WALE_HD wide_integer part() const { return total_; }
    [[nodiscard]] double value() const {
        if (!finite_) return std::nan("");
        // Of the magnitude: two's complement would round small negative sums away, and only those.
        const bool negative = total_ < 0;
        const wide_integer size = negative ? -total_ : total_;
        const auto high = static_cast<std::uint64_t>(size >> 64);
        const auto low = static_cast<std::uint64_t>(size);
        const double value = std::ldexp(static_cast<double>(high), 64 - 62 + exponent_) +
                             std::ldexp(static_cast<double>(low), exponent_ - 62);
        return negative ? -value : value;
    }

private:
    /// 2^exponent > |x|; held above where the scale would leave the range of doubles.
    [[nodiscard]] WALE_HD static int exponent_above(double x) {
        int e = -900;
        if (x > 0 && x - x == 0) (void)std::frexp(x, &e);
        return e < -900 ? -900 : e;
    }
    int exponent_;
    bool finite_ = true;
    double scale_ = 0;
    wide_integer total_ = 0;
};

}  // namespace wale::base
