// reciprocal - 1/x to about one unit in the last place without a branch. Where that is not possible, outside
// the ordinary range and where x is no pivot at all, it says so, and the caller starts again with divisions.
#pragma once

#include "solvers/tree/problem.hpp"

namespace wale::tree::pcr_thomas {

/// x and 1/x are normal numbers: the exponent is neither the least nor one of the last three.
[[nodiscard]] __device__ inline bool ordinary(float x) {
    return 2 * __float_as_uint(x) - 0x01000000u < 0xfc000000u;
}
[[nodiscard]] __device__ inline bool ordinary(double x) {
    return 2 * static_cast<unsigned>(__double2hiint(x)) - 0x00200000u < 0xff800000u;
}

/// Newton's step for the processor's estimate: 23 bits become 24, 20 bits become 60.
[[nodiscard]] __device__ inline float quick_reciprocal(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0,%1;" : "=f"(y) : "f"(x));
    return fma(fma(-x, y, 1.0F), y, y);
}
[[nodiscard]] __device__ inline double quick_reciprocal(double x) {
    double y;
    asm("rcp.approx.ftz.f64 %0,%1;" : "=d"(y) : "d"(x));
    const double e = fma(-x, y, 1.0);
    return fma(fma(e, e, e), y, y);
}

/// What the pivots of a stretch of work were.
struct pivots_seen {
    bool unusual = false;  // some were out of the quick range: nothing of this is of use
    bool bad = false;      // some were 0 or not finite; known only after divisions
};

template <bool Exact, class T>
[[nodiscard]] __device__ T reciprocal(T pivot, pivots_seen& seen) {
    if constexpr (Exact) {
        seen.bad |= is_bad(pivot);
        return T(1) / pivot;
    } else {
        seen.unusual |= !ordinary(pivot);
        return quick_reciprocal(pivot);
    }
}

}  // namespace wale::tree::pcr_thomas
