// sweeps - one thread's way through the factors of one chain. Rows are taken a few at a time: all their
// loads are asked for before the first is used, and before anything of them is stored, so that b and x may
// be the same memory.
#pragma once

#include "solvers/tree/elimination/cuda/eliminate.cuh"
#include "solvers/tree/elimination/cuda/store.cuh"

namespace wale::tree::thomas {

/// f.operator()<Rows>(i) for i = from, from + Rows, ... as long as that many are left below `to`, then half
/// as many and so on.
template <int Rows, class F>
__device__ void upwards(index_t from, index_t to, const F& f) {
    index_t i = from;
    for (; i + Rows <= to; i += Rows) f.template operator()<Rows>(i);
    if constexpr (Rows > 1) upwards<Rows / 2>(i, to, f);
}
/// The same from the other end: f.operator()<Rows>(to - Rows), ...
template <int Rows, class F>
__device__ void downwards(index_t from, index_t to, const F& f) {
    index_t i = to;
    for (; i - Rows >= from; i -= Rows) f.template operator()<Rows>(i - Rows);
    if constexpr (Rows > 1) downwards<Rows / 2>(from, i, f);
}

/// One chain's part of a store.
template <class T>
struct chain_view {
    line<T> inverse, right, beyond, multiplier, column;
    line<unsigned char> exchanged;
    index_t size;  // that is factored
    bool pivoted;
    __device__ chain_view(const factor_store<T>& f, index_t system) {
        const index_t first = f.begin_of(system), step = f.step();
        inverse = {f.inverse + first, step};
        right = {f.right + first, step};
        multiplier = {f.multiplier + first, step};
        pivoted = f.beyond != nullptr;
        beyond = {pivoted ? f.beyond + first : nullptr, step};
        exchanged = {pivoted ? f.exchanged + first : nullptr, step};
        column = {f.column != nullptr ? f.column + first : nullptr, step};
        size = f.open_size_of(system);
    }
};

/// x = L^-1 P b.
template <int Rows, class T>
__device__ void down_through_lower(const chain_view<T>& c, const line<const T>& b, const line<T>& x) {
    T y = b[0];
    upwards<Rows>(0, c.size - 1, [&]<int Count>(index_t i) {
        T next[Count], multiplier[Count];
        bool exchanged[Count];
#pragma unroll
        for (int k = 0; k < Count; ++k) {
            next[k] = b[i + k + 1];
            multiplier[k] = c.multiplier[i + k];
            exchanged[k] = c.pivoted && c.exchanged[i + k] != 0;
        }
#pragma unroll
        for (int k = 0; k < Count; ++k) {
            const step_of_elimination<T> s{T(0), T(0), T(0), T(0), multiplier[k], exchanged[k]};
            const T left = follow(s, y, next[k]);
            x[i + k] = y;
            y = left;
        }
    });
    x[c.size - 1] = y;
}

/// x = U^-1 x.
template <int Rows, class T>
__device__ void up_through_upper(const chain_view<T>& c, const line<T>& x) {
    T after = T(0), second = T(0);  // x[i + 1], x[i + 2]
    downwards<Rows>(0, c.size, [&]<int Count>(index_t i) {
        T y[Count], inverse[Count], right[Count], beyond[Count];
#pragma unroll
        for (int k = 0; k < Count; ++k) {
            y[k] = x[i + k];
            inverse[k] = c.inverse[i + k];
            right[k] = c.right[i + k];
            beyond[k] = c.pivoted ? c.beyond[i + k] : T(0);
        }
#pragma unroll
        for (int k = Count - 1; k >= 0; --k) {
            T sum = less_product(y[k], right[k], after);
            if (c.pivoted) sum = less_product(sum, beyond[k], second);
            second = after;
            x[i + k] = after = sum * inverse[k];
        }
    });
}

/// x = U^-T b.
template <int Rows, class T>
__device__ void down_through_upper(const chain_view<T>& c, const line<const T>& b, const line<T>& x) {
    T before = T(0), second = T(0);  // x[i - 1], x[i - 2]
    T right_before = T(0);           // of row i - 1
    T beyond_before = T(0), beyond_second = T(0);
    upwards<Rows>(0, c.size, [&]<int Count>(index_t i) {
        T y[Count], inverse[Count], right[Count], beyond[Count];
#pragma unroll
        for (int k = 0; k < Count; ++k) {
            y[k] = b[i + k];
            inverse[k] = c.inverse[i + k];
            right[k] = c.right[i + k];
            beyond[k] = c.pivoted ? c.beyond[i + k] : T(0);
        }
#pragma unroll
        for (int k = 0; k < Count; ++k) {
            T sum = less_product(y[k], right_before, before);
            if (c.pivoted) sum = less_product(sum, beyond_second, second);
            second = before;
            x[i + k] = before = sum * inverse[k];
            right_before = right[k];
            beyond_second = beyond_before;
            beyond_before = beyond[k];
        }
    });
}

/// x = P^T L^-T x.
template <int Rows, class T>
__device__ void up_through_lower(const chain_view<T>& c, const line<T>& x) {
    T after = x[c.size - 1];
    downwards<Rows>(0, c.size - 1, [&]<int Count>(index_t i) {
        T y[Count], multiplier[Count];
        bool exchanged[Count];
#pragma unroll
        for (int k = 0; k < Count; ++k) {
            y[k] = x[i + k];
            multiplier[k] = c.multiplier[i + k];
            exchanged[k] = c.pivoted && c.exchanged[i + k] != 0;
        }
#pragma unroll
        for (int k = Count - 1; k >= 0; --k) {
            const T own = less_product(y[k], multiplier[k], after);
            x[i + k + 1] = exchanged[k] ? own : after;
            after = exchanged[k] ? after : own;
        }
    });
    x[0] = after;
}

/// A'^-1, the chain without a bordered unknown.
template <int Rows, class T>
__device__ void solve_open(const chain_view<T>& c, const line<const T>& b, const line<T>& x) {
    down_through_lower<Rows>(c, b, x);
    up_through_upper<Rows>(c, x);
}
template <int Rows, class T>
__device__ void solve_open_transposed(const chain_view<T>& c, const line<const T>& b, const line<T>& x) {
    down_through_upper<Rows>(c, b, x);
    up_through_lower<Rows>(c, x);
}

}  // namespace wale::tree::thomas
