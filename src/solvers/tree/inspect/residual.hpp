// residual - the host rows' loops, and the powers of two that keep b - A x and |A| |x| + |b| inside the range
// of double precision, whatever the sizes of A, x and b are. Shared by host and device.
#pragma once

#include <cmath>
#include <complex>

#include "base/host_device.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale::tree {

/// Elements of A times 2^-a, of x times 2^-x; sums of both and elements of b times one common power, which
/// leaves the larger of the two near 1. Exponents stay within +-1000, so that each power is a normal number.
class residual_scale {
public:
    /// The largest magnitudes in A, x and b.
    WALE_HD residual_scale(double matrix, double unknown, double right) {
        const int a = exponent(matrix), x = exponent(unknown), product = a + x;
        const bool only_right = matrix == 0 || unknown == 0, only_product = right == 0;
        const int b = exponent(right), common = only_right || (!only_product && b > product) ? b : product;
        matrix_ = std::ldexp(1.0, -a);
        unknown_ = std::ldexp(1.0, -x);
        right_ = only_product ? 0 : std::ldexp(1.0, -common);
        join_ = only_right ? 0 : std::ldexp(1.0, product - common);
    }
    /// Of double, or of complex numbers of double.
    template <class W>
    [[nodiscard]] WALE_HD W matrix(W a) const {
        return a * matrix_;
    }
    template <class W>
    [[nodiscard]] WALE_HD W unknown(W x) const {
        return x * unknown_;
    }
    template <class W>
    [[nodiscard]] WALE_HD W right(W b) const {
        return b * right_;
    }
    /// Of a sum of matrix() times unknown().
    template <class W>
    [[nodiscard]] WALE_HD W product(W sum) const {
        return sum * join_;
    }

private:
    [[nodiscard]] static WALE_HD int exponent(double x) {
        constexpr int most = 1000;
        if (x == 0 || !(x - x == 0)) return 0;  // infinite and NaN stay what they are
        const int e = std::ilogb(x);
        return e > most ? most : e < -most ? -most : e;
    }
    double matrix_, unknown_, right_, join_;
};

/// The magnitude of a number in double precision. Of a complex one by a root where the squares stay in range:
/// std::hypot, which serves the others, takes ten times as long.
[[nodiscard]] inline double length_of(double x) {
    return std::fabs(x);
}
[[nodiscard]] inline double length_of(const std::complex<double>& z) {
    const double square = z.real() * z.real() + z.imag() * z.imag();
    return square > 1e-290 && square < 1e290 ? std::sqrt(square) : std::abs(z);
}

/// reference.cpp
void chain_residual_host(chain_residual_job& job);
void hines_residual_host(hines_residual_job& job);

}  // namespace wale::tree
