// reciprocal - 1 / x without a branch: the hardware's estimate and Newton steps, to within an ulp. Division
// keeps a slow path ready, whose call costs registers where a thread keeps many rows.
#pragma once

#include <cstdint>

namespace wale::tree {

/// Estimates flush what is not normal to 0, so numbers near the ends of the range are scaled first, exactly.
/// Of 0, infinity and NaN: not finite.
__device__ inline double reciprocal(double x) {
    constexpr int low = 64, high = 2047 - 64;  // biased exponents between which nothing can go wrong
    const int exponent = __double2hiint(x) >> 20 & 2047;
    const double by = exponent < low ? 0x1p+200 : exponent > high ? 0x1p-200 : 1.0;
    const double y = x * by;
    double r;
    asm("rcp.approx.ftz.f64 %0,%1;" : "=d"(r) : "d"(y));  // 20 bits
    double e = fma(-y, r, 1.0);
    e = fma(e, e, e);
    r = fma(r, e, r);
    e = fma(-y, r, 1.0);
    return fma(r, e, r) * by;
}
__device__ inline float reciprocal(float x) {
    constexpr int low = 24, high = 255 - 24;
    const int exponent = __float_as_int(x) >> 23 & 255;
    const float by = exponent < low ? 0x1p+60f : exponent > high ? 0x1p-60f : 1.0f;
    const float y = x * by;
    float r;
    asm("rcp.approx.ftz.f32 %0,%1;" : "=f"(r) : "f"(y));  // 23 bits
    return fma(r, fma(-y, r, 1.0f), r) * by;
}

}  // namespace wale::tree
