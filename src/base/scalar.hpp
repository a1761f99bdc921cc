// scalar - the C++ type of a scalar, real or complex, and what templates over it ask for. Inline, host and
// device: there complex numbers are thrust's (cuda/complex.cuh), which have the layout of the host's.
#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <wale/matrix.hpp>

#include "base/host_device.hpp"

namespace wale::base {

/// f(T{}) with the C++ type of a real scalar: of rows that know real numbers only.
template <class F>
decltype(auto) with_type(scalar s, F&& f) {
    return s == scalar::f32 ? f(float{}) : f(double{});
}
/// The same of any scalar.
template <class F>
decltype(auto) with_any_type(scalar s, F&& f) {
    return s == scalar::c64    ? f(std::complex<float>{})
           : s == scalar::c128 ? f(std::complex<double>{})
                               : with_type(s, f);
}

/// The type of a magnitude; what holds a sum of products without a loss that matters.
template <class T>
struct parts_of {
    using real = T;
    using wide = double;
};
template <class T>
    requires requires {
        typename T::value_type;
    }
struct parts_of<T> {
    using real = typename T::value_type;
    using wide = std::complex<double>;
};
template <class T>
using real_of = typename parts_of<T>::real;
template <class T>
using wide_of = typename parts_of<T>::wide;
template <class T>
inline constexpr bool is_complex_type = !std::is_same_v<real_of<T>, T>;

/// What pivots are compared by: the magnitude; of a complex number |re| + |im|, as in LAPACK's IxAMAX, which
/// needs no root and is within a factor sqrt(2) of it.
template <class T>
WALE_HD real_of<T> pivot_size(T x) {
    if constexpr (is_complex_type<T>)
        return std::fabs(x.real()) + std::fabs(x.imag());
    else
        return std::fabs(x);
}
/// Host: the magnitude, in f64.
template <class T>
[[nodiscard]] double magnitude(T x) {
    return std::abs(static_cast<wide_of<T>>(x));
}

/// a b; of complex numbers without the look for NaN and infinity that std::complex takes.
template <class T>
WALE_HD T product(T a, T b) {
    if constexpr (is_complex_type<T>)
        return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    else
        return a * b;
}

/// 1 / x, of a complex number by one division where its square is a normal number.
template <class T>
WALE_HD T reciprocal(T x) {
    if constexpr (is_complex_type<T>) {
        using R = real_of<T>;
        constexpr R least = sizeof(R) == 4 ? R(0x1p-100) : R(0x1p-1000);
        const R square = x.real() * x.real() + x.imag() * x.imag();
        if (square >= least && square <= 1 / least) {
            const R over = R(1) / square;
            return T(x.real() * over, -x.imag() * over);
        }
    }
    return T(1) / x;
}

}  // namespace wale::base
