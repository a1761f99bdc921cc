// unpivoted - a thread's rows without exchanges: downwards to its last row, which keeps the unknown left of
// the chunk, and its first row folded over those below it; then upwards.
#pragma once

#include "solvers/tree/chains/cuda/pcr_thomas/async.cuh"
#include "solvers/tree/chains/cuda/pcr_thomas/ends.cuh"
#include "solvers/tree/chains/cuda/pcr_thomas/tuning.hpp"
#include "solvers/tree/chains/cuda/pcr_thomas/work.cuh"

namespace wale::tree::pcr_thomas {

template <class T, int Rows>
struct unpivoted {
    static constexpr const char* name = "tree/chains/pcr_thomas";
    static constexpr const auto& policies = unpivoted_policies;
    static constexpr policy chosen(int row) { return unpivoted_policies[row].policy; }
    static constexpr reach farthest = reach::cluster;
    static constexpr bool exchanges = false;

    T before[Rows], after[Rows], right[Rows];  // before L + x + after (next unknown) = right
    ends<T> whole;
    T left, last;      // L and Z, when known
    unsigned bad = 0;  // rows

    template <int Step>
    __device__ void eliminate(const rows_of_chunk<T, Step>& in) {
        if (downwards<false>(in)) downwards<true>(in);
    }

    /// Finds `left` and `last`. Four answers. Who: every warp writes its own six numbers and reads those of
    /// all warps of its block; every block of a cluster writes its six to all blocks. What it waits for: the
    /// barrier of the block, then that of the cluster. Why it cannot deadlock: all threads reach both once a
    /// tile, whatever their numbers are, and the hardware starts the blocks of a cluster together. Why this
    /// order: a barrier makes the writes before it seen; the next tile's barriers keep a block's writes
    /// behind these reads, and two sets in turn (`odd`) those from other blocks.
    template <reach Far>
    __device__ void join(const work<T>& w, const seat& s, T* exchange, bool odd) {
        bool broken = false;
        const rank here{s.place, s.group, Far == reach::warp ? s.lane - s.place : 0};
        if constexpr (Far == reach::warp) {
            const auto mine = quickly_or_exactly(broken, [&]<bool Exact>(pivots_seen& seen) {
                return solve_runs<Exact>(whole, here, w.periodic, seen);
            });
            last = mine.z;
            left = from_below(last, 1);
            if (s.place == 0) left = mine.l;
        } else {
            const auto mine = quickly_or_exactly(
                broken, [&]<bool Exact>(pivots_seen& seen) { return tie<Exact>(whole, here, seen); });
            if (s.lane == 0) store(exchange + words * s.warp, mine.whole);
            wait_for_all<Far>();
            T l = 0, z = 0;  // of the warp
            outer_edges<Far>(w, s, exchange, odd, l, z, broken);
            last = fma(-mine.mine.a, l, fma(-mine.mine.c, z, mine.mine.d));
            left = from_below(last, 1);
            if (s.place == 0) left = l;
        }
        if (broken && s.taken) bad |= 1u << (Rows - 1);
    }

    /// The solution into shared memory, from row `skip` on.
    __device__ void substitute(T* x, int skip) const {
        T y = last;
#pragma unroll
        for (int j = Rows - 1; j >= 0; --j) {
            if (j < Rows - 1) y = fma(-after[j], y, fma(-before[j], left, right[j]));
            if (j >= skip) x[j] = y;
        }
    }

private:
    static constexpr int words = ends_elements;

    /// True: it has to be done with divisions.
    template <bool Exact, int Step>
    __device__ bool downwards(const rows_of_chunk<T, Step>& in) {
        T l = T(-1), u = 0, b = 0;  // the row before: x is L
        ends<T> e;
        pivots_seen seen;
#pragma unroll
        for (int j = 0; j < Rows; ++j) {
            const T low = in.low(j);
            const T pivot = fma(-low, u, in.middle(j));
            const T r = reciprocal<Exact>(pivot, seen);
            if (Exact && is_bad(pivot)) bad |= 1u << j;
            b = fma(-low, b, in.rhs(j)) * r;
            l = -low * l * r;
            u = in.up(j, j == Rows - 1) * r;
            before[j] = l, after[j] = u, right[j] = b;
            if (j < Rows - 1 && in.has(j)) {
                e.d = fma(-e.c, b, e.d);
                e.a = fma(-e.c, l, e.a);
                e.c = -e.c * u;
            }
        }
        e.last_a = l, e.last_c = u, e.last_d = b;
        whole = e;
        return seen.unusual;
    }

    /// L and Z of this warp from what all warps of the block, and all blocks of the cluster, have stored.
    template <reach Far>
    static __device__ void outer_edges(const work<T>& w, const seat& s, T* exchange, bool odd, T& l, T& z,
                                       bool& broken) {
        bool bad_warps = false, bad_blocks = false;
        const ends<T> of_warp = other(exchange, s.lane, s.warps);
        const rank warps{s.lane, s.warps, 0};
        if constexpr (Far == reach::block) {
            quickly_or_exactly(bad_warps, [&]<bool Exact>(pivots_seen& seen) {
                return solve_runs<Exact>(of_warp, warps, w.periodic, seen);
            }).inner_edges(s.warp, l, z);
        } else {
            const auto block = quickly_or_exactly(
                bad_warps, [&]<bool Exact>(pivots_seen& seen) { return tie<Exact>(of_warp, warps, seen); });
            T* const from_blocks =
                exchange + words * static_cast<int>(blockDim.x) / 32 + (odd ? words * w.blocks : 0);
            if (static_cast<int>(threadIdx.x) < w.blocks)
                send(from_blocks + words * s.block, s.lane, block.whole);
            wait_for_cluster();
            const ends<T> of_block = other(from_blocks, s.lane, w.blocks);
            const rank blocks{s.lane, w.blocks, 0};
            quickly_or_exactly(bad_blocks, [&]<bool Exact>(pivots_seen& seen) {
                return solve_runs<Exact>(of_block, blocks, w.periodic, seen);
            }).inner_edges(s.block, l, z);
            block.inner_edges(s.warp, l, z);
        }
        broken |= (bad_warps && s.lane == s.warp) || (bad_blocks && s.lane == s.block);
    }

    static __device__ void store(T* to, const ends<T>& e) {
        to[0] = e.d, to[1] = e.a, to[2] = e.c;
        to[3] = e.last_a, to[4] = e.last_c, to[5] = e.last_d;
    }
    static __device__ void send(T* to, int block, const ends<T>& e) {
        const T all[words] = {e.d, e.a, e.c, e.last_a, e.last_c, e.last_d};
#pragma unroll
        for (int k = 0; k < words; ++k) store_remote(to + k, block, all[k]);
    }
    static __device__ ends<T> other(const T* from, int number, int count) {
        if (number >= count) return {};
        from += words * number;
        return {from[0], from[1], from[2], from[3], from[4], from[5]};
    }
};

}  // namespace wale::tree::pcr_thomas
