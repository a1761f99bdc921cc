// pivot - the largest of many candidates, the lowest row of equals: keys that order magnitudes, votes of a
// warp, and the reciprocal of a pivot.
#pragma once

#include <climits>
#include <cstdint>
#include <type_traits>

#include "cuda/warp.cuh"
#include "solvers/lu/problem.hpp"

namespace wale::lu {

inline constexpr unsigned all_lanes = 0xffffffffu;

template <class T>
using magnitude_key = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Orders magnitudes as integers. NaN counts as 0: it becomes a pivot where nothing else is left. Never 0:
/// that stands for no candidate.
template <class T>
__device__ magnitude_key<T> key_of(T x) {
    if (x != x) return 1;
    if constexpr (sizeof(T) == 4)
        return (__float_as_uint(x) & 0x7fffffffu) + 1;
    else
        return (static_cast<std::uint64_t>(__double_as_longlong(x)) & 0x7fffffffffffffffull) + 1;
}

/// A key, the position of its row now, to be compared: the larger key wins, the lower position of equals.
template <class T>
struct alignas(16) candidate {
    magnitude_key<T> key;
    int position;
};

/// Rare: several lanes have the same upper half, or the same magnitude.
__device__ inline unsigned settle_tie(unsigned tied, std::uint32_t low, int position) {
    bool mine = (tied >> (threadIdx.x % 32) & 1u) != 0;
    const std::uint32_t most = cuda::largest_of_warp(mine ? low : 0);
    mine = mine && low == most;
    const auto from_end = static_cast<std::uint32_t>(INT_MAX - position);
    const std::uint32_t least = cuda::largest_of_warp(mine ? from_end : 0);
    const unsigned lowest = __ballot_sync(all_lanes, mine && from_end == least);
    return lowest & (0u - lowest);  // without any candidate all are equal
}
/// The bit of the lane that wins; all lanes of the warp take part. This is on the critical path: upper halves
/// alone mostly decide.
template <class T>
__device__ unsigned winner_of_warp(const candidate<T>& c) {
    constexpr int shift = sizeof(T) == 4 ? 0 : 32;
    const auto high = static_cast<std::uint32_t>(c.key >> shift);
    const unsigned tied = __ballot_sync(all_lanes, high == cuda::largest_of_warp(high));
    if ((tied & (tied - 1)) == 0) return tied;
    return settle_tie(tied, static_cast<std::uint32_t>(c.key), c.position);
}

/// What the elements below a pivot are multiplied by: 1 below a zero pivot; 0 where they must be divided,
/// since the pivot or its reciprocal is near the ends of the range. Without branches: it is on the critical
/// path.
__device__ inline double pivot_reciprocal(double x) {
    double y;
    asm("rcp.approx.ftz.f64 %0,%1;" : "=d"(y) : "d"(x));
    y = fma(y, fma(-x, y, 1.0), y);
    y = fma(y, fma(-x, y, 1.0), y);
    const double size = fabs(x);
    if (size < 0x1p-1020 || size > 0x1p1020) y = 0;
    return x == 0 ? 1 : y;
}
__device__ inline float pivot_reciprocal(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0,%1;" : "=f"(y) : "f"(x));
    y = fmaf(y, fmaf(-x, y, 1.0f), y);
    const float size = fabsf(x);
    if (size < 0x1p-124f || size > 0x1p124f) y = 0;
    return x == 0 ? 1 : y;
}
template <class T>
__device__ T scaled_below(T below, T reciprocal, T pivot) {
    if (reciprocal == T(0)) [[unlikely]]
        return below / pivot;
    return below * reciprocal;
}

}  // namespace wale::lu
