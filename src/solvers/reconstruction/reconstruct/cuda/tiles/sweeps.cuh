// sweeps - one tile in shared memory, one warp: columns down and up with a lane a column, rows there
// and back with a lane a row. Both walk the same words; only the roles of row and lane change. What has not
// changed since it was last walked in a direction is skipped, a chunk of words at a time.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/tiles/tuning.hpp"
#include "solvers/reconstruction/reconstruct/cuda/tiles/words.cuh"

namespace wale::reconstruction::tiles {

/// What the neighbours offer at a tile's rim: rows as packed words (lane = column), columns as chains (lane =
/// row).
template <class T>
struct rim {
    using word = typename cell<T>::word;
    word above, below;  // paired: `above` holds both
    word left, right;
};

/// The lines (rows or columns of words, a bit each) that have changed since they last offered themselves to
/// their next line.
struct unoffered {
    std::uint32_t up, down;  // to the line with the next higher, next lower number
};

enum class axis { columns, rows };  // what a lane walks along

/// A lane's walk over the 32 lines of its tile, one way.
template <class T, axis Along, bool Wide>
struct walk {
    using c = cell<T>;
    using word = typename c::word;
    static constexpr int chunk = tiles_chunk, chunks = side / chunk;
    static constexpr std::uint32_t lines_of_chunk = (1u << chunk) - 1;

    word* j;  // of this lane
    const word* m;
    word rim[c::chains];         // what lies before the first line
    std::uint32_t active;        // whether the line before has changed since it last offered itself: 0 or 1
    word rose = 0;               // bits of this lane that did
    std::uint32_t changed = 0;   // lines, by chunks
    std::uint32_t steps = 0;     // chunks walked
    word carry[c::chains] = {};  // what the line before offers

    static constexpr int stride = Along == axis::columns ? pitch : 1;

    template <bool Up>
    __device__ void step(word (&own)[c::chains], const word (&under)[c::chains]) {
        if constexpr (Along == axis::columns) {
            word offered[c::chains];
            c::template offer<Wide>(carry, offered);
            for (int i = 0; i < c::chains; ++i) own[i] = c::larger(own[i], c::smaller(offered[i], under[i]));
        } else if constexpr (Up) {
            word last = carry[c::chains - 1];
            for (int i = 0; i < c::chains; ++i) own[i] = last = c::larger(own[i], c::smaller(last, under[i]));
        } else {
            word last = carry[0];
            for (int i = c::chains - 1; i >= 0; --i)
                own[i] = last = c::larger(own[i], c::smaller(last, under[i]));
        }
        for (int i = 0; i < c::chains; ++i) carry[i] = own[i];
    }

    template <bool Up>
    __device__ void walk_chunk(int first, std::uint32_t todo) {
        word now[chunk], old[chunk];
#pragma unroll
        for (int k = 0; k < chunk; ++k) old[k] = j[(first + k) * stride];
        word differs = 0;
#pragma unroll
        for (int i = 0; i < chunk; ++i) {
            const int k = Up ? i : chunk - 1 - i;
            word own[c::chains], under[c::chains];
            c::split(old[k], own);
            c::split(m[(first + k) * stride], under);
            step<Up>(own, under);
            now[k] = c::join(own);
            differs |= now[k] ^ old[k];
        }
        constexpr int last = Up ? chunk - 1 : 0;
        active = __any_sync(everyone, now[last] != old[last]) ? 1u : todo >> (first + last) & 1u;
        if (__any_sync(everyone, differs != 0)) {
            changed |= lines_of_chunk << first;
            rose |= differs;
#pragma unroll
            for (int k = 0; k < chunk; ++k) j[(first + k) * stride] = now[k];
        }
        ++steps;
    }

    /// From the rim, or from what the other way left at the middle of a paired tile.
    template <bool Up>
    __device__ void run(std::uint32_t todo) {
        std::uint32_t due = active << (Up ? 0 : chunks - 1);  // chunks, a bit each
#pragma unroll
        for (int i = 0; i < chunks; ++i) due |= (todo >> chunk * i & lines_of_chunk) != 0 ? 1u << i : 0;
        active = 0;
        while (due != 0) {
            const int i = Up ? __ffs(static_cast<int>(due)) - 1 : 31 - __clz(static_cast<int>(due));
            const int first = chunk * i;
            if (i == (Up ? 0 : chunks - 1)) {
                for (int k = 0; k < c::chains; ++k) carry[k] = rim[k];
            } else {
                c::split(j[(Up ? first - 1 : first + chunk) * stride], carry);
            }
            walk_chunk<Up>(first, todo);
            due &= ~(1u << i);
            if (i != (Up ? chunks - 1 : 0)) {
                due |= Up ? active << (i + 1) : active << i >> 1;
                active = 0;
            }
        }
    }
};

/// A tile's way to its fixpoint under a rim.
template <class T, bool Wide>
struct settling {
    using c = cell<T>;
    using word = typename c::word;
    word* j;
    const word* m;
    int lane;
    unoffered rows, columns;  // of words
    std::uint32_t steps = 0;

    /// The columns down and up: with Wide to three neighbours each, else their exact reconstruction. What a
    /// walk has raised need not be offered back to where it came from, but sideways of it.
    __device__ void settle_columns(const rim<T>& from, bool rim_is_new) {
        walk<T, axis::columns, Wide> w{j + lane, m + lane, {}, rim_is_new ? 1u : 0};
        c::split(from.above, w.rim);
        w.template run<true>(rows.up);
        if constexpr (Wide) rows.down |= w.changed;
        if constexpr (c::paired) {
            c::split(c::swapped(j[(side - 1) * pitch + lane]), w.rim);
        } else {
            c::split(from.below, w.rim);
            w.active = rim_is_new ? 1 : 0;
        }
        w.changed = 0;
        w.template run<false>(rows.down);
        rows = {Wide ? w.changed : 0, 0};
        finish(w, columns);
    }
    /// The rows there and back: their exact reconstruction.
    __device__ void settle_rows(const rim<T>& from, bool rim_is_new) {
        walk<T, axis::rows, false> w{j + lane * pitch, m + lane * pitch, {}, rim_is_new ? 1u : 0};
        w.rim[c::chains - 1] = from.left;
        w.template run<true>(columns.up);
        w.rim[0] = from.right;
        w.active = rim_is_new ? 1 : 0;
        w.template run<false>(columns.down);
        columns = {0, 0};
        finish(w, rows);
    }
    template <class Walk>
    __device__ void finish(const Walk& w, unoffered& others) {
        const std::uint32_t lanes = __ballot_sync(everyone, w.rose != 0);
        others.up |= lanes;
        others.down |= lanes;
        steps += w.steps;
        __syncwarp();
    }

    /// Whether a pixel rose. Then the pixels satisfy the recurrence in this tile, seen from this rim.
    __device__ bool run(const rim<T>& from) {
        bool any = false, rim_is_new = true;
        while (true) {
            if (rim_is_new || (rows.up | rows.down) != 0) settle_columns(from, rim_is_new);
            any |= (columns.up | columns.down | rows.up) != 0;
            if (rim_is_new || (columns.up | columns.down) != 0) settle_rows(from, rim_is_new);
            any |= (rows.up | rows.down) != 0;
            rim_is_new = false;
            if ((rows.up | rows.down | columns.up | columns.down) == 0) return any;
        }
    }
};

}  // namespace wale::reconstruction::tiles
