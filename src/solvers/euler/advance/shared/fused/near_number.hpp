// near_number - quotients and roots within two units in the last place, without the branches of the exact
// ones: of a flux of HLLC's they are half the instructions. What a kernel computes with them is the same from
// run to run, and no power of two in the units changes a digit.
#pragma once

#include <cmath>

#include "base/host_device.hpp"

namespace wale::euler {

/// 1 / x.
WALE_HD inline float near_inverse(float x) {
#ifdef __CUDA_ARCH__
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return 1.0f / x;
#endif
}
WALE_HD inline double near_inverse(double x) {
#ifdef __CUDA_ARCH__
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    y = fma(fma(-x, y, 1.0), y, y);  // 20 bits become 40, then all
    return fma(fma(-x, y, 1.0), y, y);
#else
    return 1.0 / x;
#endif
}

/// The root of x.
WALE_HD inline float near_root(float x) {
#ifdef __CUDA_ARCH__
    float y;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return std::sqrt(x);
#endif
}
WALE_HD inline double near_root(double x) {
#ifdef __CUDA_ARCH__
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    y = fma(fma(-x * y, y, 1.0), 0.5 * y, y);
    const double root = x * y;
    return x == 0 ? x : fma(fma(-root, root, x), 0.5 * y, root);
#else
    return std::sqrt(x);
#endif
}

/// A number for the templates of fluxes.hpp.
template <class Real>
struct near_number {
    Real is;
    near_number() = default;
    WALE_HD constexpr near_number(Real x) : is(x) {}  // NOLINT(google-explicit-constructor)

    WALE_HD friend near_number operator+(near_number a, near_number b) { return a.is + b.is; }
    WALE_HD friend near_number operator-(near_number a, near_number b) { return a.is - b.is; }
    WALE_HD friend near_number operator*(near_number a, near_number b) { return a.is * b.is; }
    WALE_HD friend near_number operator/(near_number a, near_number b) { return a.is * near_inverse(b.is); }
    WALE_HD friend near_number operator-(near_number a) { return -a.is; }
    WALE_HD near_number& operator+=(near_number b) { return *this = *this + b; }
    WALE_HD near_number& operator-=(near_number b) { return *this = *this - b; }
    WALE_HD friend bool operator<(near_number a, near_number b) { return a.is < b.is; }
    WALE_HD friend bool operator>(near_number a, near_number b) { return a.is > b.is; }
    WALE_HD friend bool operator<=(near_number a, near_number b) { return a.is <= b.is; }
    WALE_HD friend bool operator>=(near_number a, near_number b) { return a.is >= b.is; }
    WALE_HD friend near_number root_of(near_number a) { return near_root(a.is); }
    WALE_HD friend near_number size_of(near_number a) { return std::fabs(a.is); }
};

}  // namespace wale::euler
