// near_number - quotients and roots within two units in the last place, without the branches of the exact
// ones: of a flux of HLLC's they are half the instructions. What a kernel computes with them is the same from
// run to run, and no power of two in the units changes a digit.
#pragma once

#include <cmath>

#include "solvers/euler/advance/problem.hpp"

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
    const double left = fma(-x, y, 1.0);  // 2^-20; its cube is below the last place
    return fma(y, fma(left, left, left), y);
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
    const double root = x * y, left = fma(-root, y, 1.0);  // 2^-19; the first term left out has its cube
    return x == 0 ? x : fma(root * left, fma(0.375, left, 0.5), root);
#else
    return std::sqrt(x);
#endif
}

template <class Real>
WALE_HD inline Real dot(const Real* a, const Real* b) {
    return std::fma(a[0], b[0], std::fma(a[1], b[1], a[2] * b[2]));
}

template <class Real>
WALE_HD inline gas_point<Real> gas_of(const primitives<Real>& s, Real gamma, Real inverse_gamma_1) {
    const Real half = Real(0.5) * s.at[0];
    return {s.at[0],
            s.at[1],
            s.at[2],
            s.at[3],
            s.at[4],
            std::fma(s.at[4], inverse_gamma_1, half * dot(&s.at[1], &s.at[1])),
            near_root(gamma * s.at[4] * near_inverse(s.at[0]))};
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
