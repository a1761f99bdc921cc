// bridge - the two rows that a run of consecutive rows leaves between the unknowns at its two edges: (L, F),
// left of it and its first, and (Z, R), its last and right of it. Two neighbours have the pair at their
// common edge in four rows; eliminating it leaves two rows between the outer pairs. (Wright, "Stable parallel
// algorithms for two-point boundary value problems", 1992, with Gaussian elimination for QR.)
#pragma once

#include "solvers/tree/chains/cuda/pcr_thomas/ends.cuh"
#include "solvers/tree/chains/cuda/pcr_thomas/geometry.hpp"

namespace wale::tree::pcr_thomas {

/// l L + f F + u (first of the inner pair) + v (second) + z Z + r R = d
template <class T>
struct long_row {
    T l = 0, f = 0, u = 0, v = 0, z = 0, r = 0, d = 0;
};

template <class T>
__device__ void exchange_if(bool wanted, T& a, T& b) {
    const T old = a;
    a = wanted ? b : a;
    b = wanted ? old : b;
}
template <class T>
__device__ void exchange_if(bool wanted, long_row<T>& a, long_row<T>& b) {
    exchange_if(wanted, a.l, b.l);
    exchange_if(wanted, a.f, b.f);
    exchange_if(wanted, a.u, b.u);
    exchange_if(wanted, a.v, b.v);
    exchange_if(wanted, a.z, b.z);
    exchange_if(wanted, a.r, b.r);
    exchange_if(wanted, a.d, b.d);
}
/// Divides the row by its pivot; its column is dropped.
template <class T>
__device__ void divide(long_row<T>& p, T reciprocal) {
    p.l *= reciprocal, p.f *= reciprocal, p.v *= reciprocal;
    p.z *= reciprocal, p.r *= reciprocal, p.d *= reciprocal;
}
/// Takes `times` the divided row p from q; q's column v with `WithV`.
template <bool WithV, class T>
__device__ void take(long_row<T>& q, T times, const long_row<T>& p) {
    q.l = fma(-times, p.l, q.l);
    q.f = fma(-times, p.f, q.f);
    if constexpr (WithV) q.v = fma(-times, p.v, q.v);
    q.z = fma(-times, p.z, q.z);
    q.r = fma(-times, p.r, q.r);
    q.d = fma(-times, p.d, q.d);
}

/// Two rows l L + f F + z Z + r R = d, in long rows without u and v.
template <class T>
struct bridge {
    long_row<T> a, b;
};
/// What is known at the edges of a run.
template <class T>
struct edges {
    T l, f, z, r;
};

/// Row one gives u from v and the outer pairs, row two v from the outer pairs.
template <class T>
struct inner_pair {
    long_row<T> one, two;
    static constexpr int elements = pair_elements;
    __device__ void store(T* to, int step) const {
        const T all[elements] = {one.l, one.f, one.v, one.z, one.r, one.d, two.l, two.f, two.z, two.r, two.d};
#pragma unroll
        for (int k = 0; k < elements; ++k) to[k * step] = all[k];
    }
    __device__ void load(const T* from, int step) {
        one.l = from[0], one.f = from[step], one.v = from[2 * step], one.z = from[3 * step];
        one.r = from[4 * step], one.d = from[5 * step];
        two.l = from[6 * step], two.f = from[7 * step], two.z = from[8 * step];
        two.r = from[9 * step], two.d = from[10 * step];
    }
    __device__ void solve(const edges<T>& e, T& u, T& v) const {
        v = fma(-two.l, e.l, fma(-two.f, e.f, fma(-two.z, e.z, fma(-two.r, e.r, two.d))));
        u = fma(-one.l, e.l, fma(-one.f, e.f, fma(-one.z, e.z, fma(-one.r, e.r, fma(-one.v, v, one.d)))));
    }
};

/// From the rows of two neighbours to those of both together: `left` becomes the whole's.
template <class T>
__device__ inner_pair<T> merge(bridge<T>& left, const bridge<T>& right, pivots_seen& seen) {
    // the left run's (Z, R) are the right one's (L, F): the inner pair
    const auto as_left = [](const long_row<T>& q) {
        return long_row<T>{q.l, q.f, q.z, q.r, T(0), T(0), q.d};
    };
    const auto as_right = [](const long_row<T>& q) {
        return long_row<T>{T(0), T(0), q.l, q.f, q.z, q.r, q.d};
    };
    long_row<T> p = as_left(left.a), q = as_left(left.b), s = as_right(right.a), t = as_right(right.b);
    exchange_if(fabs(q.u) > fabs(p.u), p, q);
    exchange_if(fabs(t.u) > fabs(s.u), s, t);
    exchange_if(fabs(s.u) > fabs(p.u), p, s);
    divide(p, reciprocal<true>(p.u, seen));
    take<true>(q, q.u, p);
    take<true>(s, s.u, p);
    take<true>(t, t.u, p);
    exchange_if(fabs(s.v) > fabs(q.v), q, s);
    exchange_if(fabs(t.v) > fabs(q.v), q, t);
    divide(q, reciprocal<true>(q.v, seen));
    take<false>(s, s.v, q);
    take<false>(t, t.v, q);
    left = {s, t};
    return {p, q};
}
/// The edges of a whole system: nothing beyond them, or each other.
template <class T>
__device__ edges<T> close(const bridge<T>& w, bool periodic, bool& bad) {
    T f = w.a.f, z = w.a.z, d = w.a.d, g = w.b.f, y = w.b.z, e = w.b.d;
    if (periodic) f += w.a.r, z += w.a.l, g += w.b.r, y += w.b.l;
    const bool wanted = fabs(g) > fabs(f);
    exchange_if(wanted, f, g);
    exchange_if(wanted, z, y);
    exchange_if(wanted, d, e);
    const T times = g / f;
    const T pivot = fma(-times, z, y);
    bad |= is_bad(f) || is_bad(pivot);
    const T last = fma(-times, d, e) / pivot;
    const T first = fma(-z, last, d) / f;
    return {periodic ? last : T(0), first, last, periodic ? first : T(0)};
}

/// Runs `place` of `count` in neighbouring lanes become one, whose rows are in the lane of place 0. The inner
/// pairs stay in `kept`, the one left of this lane's run at [0].
template <class T>
__device__ bool merge_lanes(bridge<T>& mine, int place, int count, T* kept, int step) {
    pivots_seen seen;
    for (int s = 1; s < count; s *= 2) {
        const auto above = [&](const long_row<T>& q) {
            return long_row<T>{from_above(q.l, s), from_above(q.f, s), T(0), T(0), from_above(q.z, s),
                               from_above(q.r, s), from_above(q.d, s)};
        };
        const bridge<T> other{above(mine.a), above(mine.b)};
        if (place % (2 * s) == 0 && place + s < count) merge(mine, other, seen).store(kept + s, step);
    }
    return seen.bad;
}
/// And back: from the edges of the whole, in the lane of place 0, to those of every run.
template <class T>
__device__ void split_lanes(edges<T>& mine, int place, int count, const T* kept, int step) {
    int s = 1;
    while (2 * s < count) s *= 2;
    for (; s > 0 && count > 1; s /= 2) {
        T u = 0, v = 0;
        const bool merged = place % (2 * s) == 0 && place + s < count;
        if (merged) {
            inner_pair<T> pair;
            pair.load(kept + s, step);
            pair.solve(mine, u, v);
        }
        const edges<T> below{from_below(u, s), from_below(v, s), from_below(mine.z, s),
                             from_below(mine.r, s)};
        if (merged) mine.z = u, mine.r = v;
        if (place % (2 * s) == s) mine = below;
    }
}

}  // namespace wale::tree::pcr_thomas
