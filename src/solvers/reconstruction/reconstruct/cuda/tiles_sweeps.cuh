// tiles_sweeps - one tile in shared memory, one warp: columns down and up with a lane a column, rows there
// and back with a lane a row. Both walk the same words; only the roles of row and lane change.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/tiles_words.cuh"

namespace wale::reconstruction::tiles {

/// What the neighbours offer at a tile's rim: rows as packed words (lane = column), columns as chains (lane =
/// row).
template <class T>
struct rim {
    using word = typename cell<T>::word;
    word above, below;  // paired: `above` holds both
    word left, right;
};

/// Every column: down, then up (with Wide to the lower and upper three neighbours). Whether a pixel of this
/// lane rose.
template <class T, bool Wide>
__device__ bool sweep_columns(typename cell<T>::word* j, const typename cell<T>::word* m, const rim<T>& from,
                              int lane) {
    using c = cell<T>;
    using word = typename c::word;
    word risen[c::chains][side], mask[side], carry[c::chains], offered[c::chains], under[c::chains];
    c::split(from.above, carry);
#pragma unroll
    for (int r = 0; r < side; ++r) {
        word own[c::chains];
        c::split(j[r * pitch + lane], own);
        mask[r] = m[r * pitch + lane];
        c::split(mask[r], under);
        c::template offer<Wide>(carry, offered);
#pragma unroll
        for (int i = 0; i < c::chains; ++i)
            risen[i][r] = carry[i] = c::larger(own[i], c::smaller(offered[i], under[i]));
    }
    if constexpr (c::paired)
        for (int i = 0; i < c::chains; ++i) carry[i] = c::swapped(carry[i]);
    else
        c::split(from.below, carry);
    word changed = 0;
#pragma unroll
    for (int r = side - 1; r >= 0; --r) {
        c::split(mask[r], under);
        c::template offer<Wide>(carry, offered);
#pragma unroll
        for (int i = 0; i < c::chains; ++i)
            carry[i] = c::larger(risen[i][r], c::smaller(offered[i], under[i]));
        const word now = c::join(carry);
        changed |= now ^ j[r * pitch + lane];
        j[r * pitch + lane] = now;
    }
    return changed != 0;
}

/// Every row, from left to right and back: its exact reconstruction.
template <class T>
__device__ bool sweep_rows(typename cell<T>::word* j, const typename cell<T>::word* m, const rim<T>& from,
                           int lane) {
    using c = cell<T>;
    using word = typename c::word;
    word risen[c::chains][side], mask[side], under[c::chains];
    j += lane * pitch;
    m += lane * pitch;
    word carry = from.left;
#pragma unroll
    for (int k = 0; k < side; ++k) {
        word own[c::chains];
        c::split(j[k], own);
        mask[k] = m[k];
        c::split(mask[k], under);
#pragma unroll
        for (int i = 0; i < c::chains; ++i)
            risen[i][k] = carry = c::larger(own[i], c::smaller(carry, under[i]));
    }
    carry = from.right;
    word changed = 0;
#pragma unroll
    for (int k = side - 1; k >= 0; --k) {
        word own[c::chains];
        c::split(mask[k], under);
#pragma unroll
        for (int i = c::chains - 1; i >= 0; --i)
            own[i] = carry = c::larger(risen[i][k], c::smaller(carry, under[i]));
        const word now = c::join(own);
        changed |= now ^ j[k];
        j[k] = now;
    }
    return changed != 0;
}

/// Alternates both until neither raises a pixel; whether any did. The pixels then satisfy the recurrence in
/// this tile, seen from this rim.
template <class T, bool Wide>
__device__ bool settle(typename cell<T>::word* j, const typename cell<T>::word* m, const rim<T>& from,
                       int lane) {
    bool any = false, rows_hold = false;
    while (true) {
        const bool columns_rose = __any_sync(everyone, sweep_columns<T, Wide>(j, m, from, lane));
        __syncwarp();
        any |= columns_rose;
        if (!columns_rose && rows_hold) return any;
        const bool rows_rose = __any_sync(everyone, sweep_rows<T>(j, m, from, lane));
        __syncwarp();
        any |= rows_rose;
        rows_hold = true;
        // Without diagonals a sweep of the columns is exact: nothing is left if the rows then stay as they
        // are.
        if (!rows_rose && (!columns_rose || !Wide)) return any;
    }
}

}  // namespace wale::reconstruction::tiles
