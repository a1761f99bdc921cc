// ends - a run of consecutive rows, reduced to its first and its last row, and how neighbouring runs are
// solved together by parallel cyclic reduction over the lanes of a warp. The same step ties threads to a warp
// and warps to a block. Wang, "A parallel method for tridiagonal equations" (1981); Laszlo, Giles, Appleyard,
// "Manycore algorithms for batch scalar and block tridiagonal solvers" (2016).
#pragma once

#include "cuda/warp.cuh"
#include "solvers/tree/problem.hpp"

namespace wale::tree::pcr_thomas {

/// L is the unknown left of the run, Z the run's last one, R the one right of it.
template <class T>
struct ends {
    T d = 0, a = 0, c = T(-1);                 // first unknown = d - a L - c Z
    T last_a = T(-1), last_c = 0, last_d = 0;  // last_a L + Z + last_c R = last_d
};

/// Z of each run in terms of the group's L and Z: z = d - a L - c Z.
template <class T>
struct tied {
    T d, a, c;
    ends<T> whole;  // of the group
    bool bad;       // a pivot of this lane was
};

template <class T>
__device__ T from_lane(T x, int lane) {
    return __shfl_sync(cuda::whole_warp, x, lane);
}
template <class T>
__device__ T from_below(T x, int distance) {
    return __shfl_up_sync(cuda::whole_warp, x, static_cast<unsigned>(distance));
}
template <class T>
__device__ T from_above(T x, int distance) {
    return __shfl_down_sync(cuda::whole_warp, x, static_cast<unsigned>(distance));
}

/// Row `place` of a tridiagonal system with a unit diagonal, d - a (left) - c (right), doubles the distance
/// to its neighbours until they are L and Z.
template <class T>
__device__ void reduce_cyclically(T& d, T& a, T& c, bool& bad, int place, int inner) {
    for (int s = 1; s < inner; s *= 2) {
        T d0 = from_below(d, s), a0 = from_below(a, s), c0 = from_below(c, s);
        T d1 = from_above(d, s), a1 = from_above(a, s), c1 = from_above(c, s);
        if (place < s) d0 = 0, a0 = T(-1), c0 = 0;           // L itself
        if (place + s >= inner) d1 = 0, a1 = 0, c1 = T(-1);  // Z itself
        if (place < inner) {
            const T pivot = fma(-a, c0, fma(-c, a1, T(1)));
            const T r = T(1) / pivot;
            bad |= is_bad(pivot);
            d = fma(-a, d0, fma(-c, d1, d)) * r;
            a = -a * a0 * r;
            c = -c * c1 * r;
        }
    }
}

/// All lanes of the warp take part; runs `place` of `count` form a group, whose first is in lane `base`.
template <class T>
__device__ tied<T> tie(const ends<T>& e, int place, int count, int base) {
    const int inner = count - 1;  // the last run's Z is the group's
    const T next_d = from_above(e.d, 1), next_a = from_above(e.a, 1), next_c = from_above(e.c, 1);
    tied<T> t{T(0), T(0), T(-1), {}, false};
    if (place < inner) {
        const T pivot = fma(-e.last_c, next_a, T(1));
        const T r = T(1) / pivot;
        t.bad = is_bad(pivot);
        t.d = fma(-e.last_c, next_d, e.last_d) * r;
        t.a = e.last_a * r;
        t.c = -e.last_c * next_c * r;
    }
    reduce_cyclically(t.d, t.a, t.c, t.bad, place, inner);
    const T d0 = from_below(t.d, 1), a0 = from_below(t.a, 1), c0 = from_below(t.c, 1);
    ends<T> w = e;
    w.d = fma(-e.c, t.d, e.d);
    w.a = fma(-e.c, t.a, e.a);
    w.c = -e.c * t.c;
    if (place == inner && place > 0) {
        const T pivot = fma(-e.last_a, c0, T(1));
        const T r = T(1) / pivot;
        t.bad |= is_bad(pivot);
        w.last_d = fma(-e.last_a, d0, e.last_d) * r;
        w.last_a = -e.last_a * a0 * r;
        w.last_c = e.last_c * r;
    }
    t.whole = {from_lane(w.d, base),
               from_lane(w.a, base),
               from_lane(w.c, base),
               from_lane(w.last_a, base + inner),
               from_lane(w.last_c, base + inner),
               from_lane(w.last_d, base + inner)};
    return t;
}

/// The last unknown of a whole system. A periodic one has its ends for neighbours.
template <class T>
__device__ T close(const ends<T>& e, bool periodic, bool& bad) {
    if (!periodic) return e.last_d;
    const T pivot = fma(-e.last_c, e.a + e.c, T(1) + e.last_a);
    bad |= is_bad(pivot);
    return fma(-e.last_c, e.d, e.last_d) / pivot;
}

}  // namespace wale::tree::pcr_thomas
