// ends - a run of consecutive rows, reduced to its first and its last row, and how neighbouring runs are
// solved together by parallel cyclic reduction over the lanes of a warp. The same step ties threads to a
// warp, warps to a block and blocks to a cluster. Wang, "A parallel method for tridiagonal equations" (1981);
// Laszlo, Giles, Appleyard, "Manycore algorithms for batch scalar and block tridiagonal solvers" (2016).
#pragma once

#include "cuda/warp.cuh"
#include "solvers/tree/problem.hpp"

namespace wale::tree::pcr_thomas {

// 1/x to about one unit in the last place without a branch. Where that is not possible, outside the
// ordinary range and where x is no pivot at all, it says so, and the caller starts again with divisions.

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

/// L is the unknown left of the run, Z the run's last one, R the one right of it.
template <class T>
struct ends {
    T d = 0, a = 0, c = T(-1);                 // first unknown = d - a L - c Z
    T last_a = T(-1), last_c = 0, last_d = 0;  // last_a L + Z + last_c R = last_d
};

/// Where a lane's run stands in a group of runs in neighbouring lanes, the first in lane `base`.
struct rank {
    int place, count, base;
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

/// Z of a run as d - a L - c Z', with Z' the last unknown of the next run, then of further ones, then of the
/// group.
template <class T>
struct equation {
    T d = 0, a = 0, c = T(-1);
};

/// The equation with its neighbour's first row put in. All lanes of the warp take part.
template <bool Exact, class T>
__device__ equation<T> start(const ends<T>& e, bool has_next, pivots_seen& seen) {
    const T d1 = from_above(e.d, 1), a1 = from_above(e.a, 1), c1 = from_above(e.c, 1);
    if (!has_next) return {e.last_d, e.last_a, T(0)};
    const T r = reciprocal<Exact>(fma(-e.last_c, a1, T(1)), seen);
    return {fma(-e.last_c, d1, e.last_d) * r, e.last_a * r, -e.last_c * c1 * r};
}

/// Doubles the distance to the neighbours until they are beyond the first or not among the `inner` runs;
/// those have the coefficient `beyond`: 0 where nothing is there, -1 to keep them as unknowns.
template <bool Exact, class T>
__device__ void reduce_cyclically(equation<T>& q, int place, int inner, T beyond, pivots_seen& seen) {
    for (int s = 1; s < inner; s *= 2) {
        T d0 = from_below(q.d, s), a0 = from_below(q.a, s), c0 = from_below(q.c, s);
        T d1 = from_above(q.d, s), a1 = from_above(q.a, s), c1 = from_above(q.c, s);
        if (place < s) d0 = 0, a0 = beyond, c0 = 0;
        if (place + s >= inner) d1 = 0, a1 = 0, c1 = beyond;
        if (place < inner) {
            const T r = reciprocal<Exact>(fma(-q.a, c0, fma(-q.c, a1, T(1))), seen);
            q.d = fma(-q.a, d0, fma(-q.c, d1, q.d)) * r;
            q.a = -q.a * a0 * r;
            q.c = -q.c * c1 * r;
        }
    }
}

/// The runs of a group in terms of its L and Z, and the group's own ends.
template <class T>
struct tied {
    equation<T> mine;
    ends<T> whole;
    /// L and Z of run `number`, held by that lane, from those of the group.
    __device__ void inner_edges(int number, T& l, T& z) const {
        const T of_run = fma(-mine.a, l, fma(-mine.c, z, mine.d));
        const T previous = from_lane(of_run, number > 0 ? number - 1 : 0);
        z = from_lane(of_run, number);
        if (number > 0) l = previous;
    }
};

template <bool Exact, class T>
__device__ tied<T> tie(const ends<T>& e, const rank& at, pivots_seen& seen) {
    const int inner = at.count - 1;  // the last run's Z is the group's
    tied<T> t;
    const bool is_inner = at.place < inner;
    const equation<T> q = start<Exact>(e, is_inner, seen);
    if (is_inner) t.mine = q;
    reduce_cyclically<Exact>(t.mine, at.place, inner, T(-1), seen);
    const T d0 = from_below(t.mine.d, 1), a0 = from_below(t.mine.a, 1), c0 = from_below(t.mine.c, 1);
    ends<T> w = e;
    w.d = fma(-e.c, t.mine.d, e.d);
    w.a = fma(-e.c, t.mine.a, e.a);
    w.c = -e.c * t.mine.c;
    if (at.place == inner && at.place > 0) {
        const T r = reciprocal<Exact>(fma(-e.last_a, c0, T(1)), seen);
        w.last_d = fma(-e.last_a, d0, e.last_d) * r;
        w.last_a = -e.last_a * a0 * r;
        w.last_c = e.last_c * r;
    }
    const int last = at.base + inner;
    t.whole = {from_lane(w.d, at.base),   from_lane(w.a, at.base),   from_lane(w.c, at.base),
               from_lane(w.last_a, last), from_lane(w.last_c, last), from_lane(w.last_d, last)};
    return t;
}

/// The runs of a whole system, solved: Z of each lane's run, and L of the first.
template <class T>
struct solved {
    T z = 0, l = 0;
    __device__ void inner_edges(int number, T& left, T& last) const {
        const T previous = from_lane(z, number > 0 ? number - 1 : 0);
        last = from_lane(z, number);
        left = number > 0 ? previous : l;
    }
};

/// A periodic system has its ends for neighbours.
template <bool Exact, class T>
__device__ solved<T> solve_runs(const ends<T>& e, const rank& at, bool periodic, pivots_seen& seen) {
    if (!periodic) {
        equation<T> q = start<Exact>(e, at.place + 1 < at.count, seen);
        reduce_cyclically<Exact>(q, at.place, at.count, T(0), seen);
        return {q.d, T(0)};
    }
    const tied<T> t = tie<Exact>(e, at, seen);
    const ends<T>& w = t.whole;
    const T pivot = fma(-w.last_c, w.a + w.c, T(1) + w.last_a);
    if (at.place >= 0 && at.place < at.count) {
        if constexpr (Exact)
            seen.bad |= is_bad(pivot);
        else
            seen.unusual |= !ordinary(pivot);
    }
    const T z = fma(-w.last_c, w.d, w.last_d) / pivot;
    return {fma(-t.mine.a, z, fma(-t.mine.c, z, t.mine.d)), z};
}

/// f.operator()<false>(seen) by the whole warp, and with divisions where that was not good enough.
template <class F>
__device__ auto quickly_or_exactly(bool& bad, F&& f) {
    pivots_seen seen;
    auto found = f.template operator()<false>(seen);
    if (__any_sync(cuda::whole_warp, seen.unusual)) {
        pivots_seen again;
        found = f.template operator()<true>(again);
        bad |= again.bad;
    }
    return found;
}

}  // namespace wale::tree::pcr_thomas
