// rim - how tiles see each other: each publishes its outermost rows and columns as words that 32 lanes
// load at once, and compares what it publishes with what its neighbours have.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/tiles/memory.cuh"
#include "solvers/reconstruction/reconstruct/cuda/tiles/sweeps.cuh"

namespace wale::reconstruction::tiles {

/// Neighbours in the order of wake bits: above, below, left, right, and the diagonals.
__device__ inline int step_across(int n) {
    return n < 2 ? 0 : n % 2 == 0 ? -1 : 1;
}
__device__ inline int step_down(int n) {
    return n < 2 ? 2 * n - 1 : n < 4 ? 0 : n < 6 ? -1 : 1;
}

/// A rim with the pixels at its corners: as chains, in lane 0, and in lane 31 where rows are not paired.
template <class T>
struct frame : rim<T> {
    typename cell<T>::word corner_left, corner_right;
};

/// The rims of all tiles. Zero stands for a tile without a visit yet: in `risen` the lowest key, in
/// `mask`, which holds complements, the highest. So what is read too early is never too much, and wakes too
/// often at most.
template <class T>
struct rims {
    using c = cell<T>;
    using word = typename c::word;
    static constexpr int lines = c::paired ? 3 : 4;  // rows above [and below], left column, right column
    static constexpr int line_left = lines - 2, line_right = lines - 1, line_below = c::paired ? 0 : 1;

    /// This tile's own, from shared memory.
    __device__ static frame<T> own(const word* shared, int lane) {
        frame<T> f;
        word first[c::chains], last[c::chains];
        f.above = shared[lane];
        f.below = shared[(side - 1) * pitch + lane];
        c::split(shared[lane * pitch], first);
        c::split(shared[lane * pitch + side - 1], last);
        f.left = first[0];
        f.right = last[c::chains - 1];
        f.corner_left = f.corner_right = 0;
        return f;
    }
    __device__ static void publish(word* all, std::uint32_t tile, const frame<T>& f, int lane,
                                   word complement) {
        word* to = all + std::size_t{tile} * (lines * side) + lane;
        store_relaxed(to, f.above ^ complement);
        if constexpr (!c::paired) store_relaxed(to + side, f.below ^ complement);
        store_relaxed(to + line_left * side, f.left ^ complement);
        store_relaxed(to + line_right * side, f.right ^ complement);
    }
    /// What lies around a tile. Beyond the image: lowest keys.
    template <bool Wide>
    __device__ static frame<T> around(const word* all, std::uint32_t tile, const place& at, int lane,
                                      word complement) {
        const auto line = [&](int dx, int dy, int which, int k) -> word {
            if (!at.is_inside(dx, dy)) return 0;
            const std::size_t other = tile + static_cast<std::size_t>(std::int64_t{dy} * at.across + dx);
            return load_relaxed(all + other * (lines * side) + which * side + k) ^ complement;
        };
        // The row next to us: of the tile above its last, of the tile below its first.
        const auto rows = [&](int dx, int k, word& above, word& below) {
            above = line(dx, -1, line_below, k);
            below = line(dx, 1, 0, k);
            if constexpr (c::paired) above = __byte_perm(above, below, 0x5432);
        };
        frame<T> f;
        rows(0, lane, f.above, f.below);
        f.left = line(-1, 0, line_right, lane);
        f.right = line(1, 0, line_left, lane);
        f.corner_left = f.corner_right = 0;
        if constexpr (Wide) {
            if (lane == 0 || (!c::paired && lane == side - 1)) {
                word above, below, chain[c::chains];
                rows(-1, side - 1, above, below);
                c::split(lane == 0 ? above : below, chain);
                f.corner_left = chain[c::chains - 1];
                rows(1, 0, above, below);
                c::split(lane == 0 ? above : below, chain);
                f.corner_right = chain[0];
            }
        }
        return f;
    }

    /// What a column of chains offers to the pixels beside it.
    template <bool Wide>
    __device__ static word offered(word column, word corner, int lane) {
        if constexpr (!Wide) return column;
        word up = __shfl_up_sync(everyone, column, 1);
        word down = __shfl_down_sync(everyone, column, 1);
        if (lane == 0) up = corner;
        if (lane == side - 1) down = c::paired ? c::swapped(column) : corner;
        return c::largest(column, up, down);
    }

    /// The pixels of `low` that `from` can raise under `mask`: a bit in each. Packed rows.
    template <bool Wide>
    __device__ static word raised_row(word low, word mask, word from) {
        word l[c::chains], m[c::chains], f[c::chains], o[c::chains];
        c::split(low, l);
        c::split(mask, m);
        c::split(from, f);
        c::template offer<Wide>(f, o);
        for (int i = 0; i < c::chains; ++i) l[i] = c::larger(l[i], c::smaller(o[i], m[i]));
        return c::join(l) ^ low;
    }
    __device__ static word raised_column(word low, word mask, word offer) {
        constexpr word significant = c::chains == 2 ? word{0xff00ff00u} : ~word{0};
        return (c::larger(low, c::smaller(offer, mask)) ^ low) & significant;
    }

    /// The neighbours that this tile's rim can raise, a bit each.
    template <bool Wide>
    __device__ static std::uint32_t to_wake(const frame<T>& own, const frame<T>& low, const frame<T>& mask,
                                            int lane) {
        const word above = raised_row<Wide>(low.above, mask.above, own.above);
        const word below = c::paired ? above : raised_row<Wide>(low.below, mask.below, own.below);
        const word left = raised_column(low.left, mask.left, offered<Wide>(own.left, 0, lane));
        const word right = raised_column(low.right, mask.right, offered<Wide>(own.right, 0, lane));
        std::uint32_t wakes = 0;
        const auto note = [&](int n, word raised) {
            wakes |= (__any_sync(everyone, raised != 0) ? 1u : 0u) << n;
        };
        constexpr word first = c::paired ? word{0xffffu} : ~word{0},
                       second = c::paired ? ~word{0xffffu} : ~word{0};
        note(0, above & first);
        note(1, below & second);
        note(2, left);
        note(3, right);
        if constexpr (Wide) {
            const word l = raised_column(low.corner_left, mask.corner_left, own.left);
            const word r = raised_column(low.corner_right, mask.corner_right, own.right);
            const bool top = lane == 0, bottom = lane == (c::paired ? 0 : side - 1);
            note(4, top ? l & first : 0);
            note(5, top ? r & first : 0);
            note(6, bottom ? l & second : 0);
            note(7, bottom ? r & second : 0);
        }
        return wakes;
    }
};

}  // namespace wale::reconstruction::tiles
