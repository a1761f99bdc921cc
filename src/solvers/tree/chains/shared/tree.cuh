// tree - the segments of a warp's lanes, or of a block's threads, joined in pairs up to one, and the way back
// to the unknowns about each. Fixed pairs: the same bits whatever runs beside.
#pragma once

#include "cuda/complex.cuh"
#include "solvers/tree/chains/shared/segment.hpp"

namespace wale::tree::partition {

template <class T>
__device__ segment<T> of_lane(const segment<T>& s, int other) {
    const auto x = [&](T v) { return cuda::of_lane(v, other); };
    return {{x(s.head.before), x(s.head.first), x(s.head.last), x(s.head.after), x(s.head.right)},
            {x(s.tail.before), x(s.tail.first), x(s.tail.last), x(s.tail.after), x(s.tail.right)}};
}

/// 2^Levels lanes. Every lane of a group of 2, 4, ... holds that group's segment; the lane where the right
/// half of a group begins keeps its seam: one for each lane but 0.
template <class How, class T, int Levels>
class warp_tree {
public:
    /// `used`: lanes from 0 on that have a segment. note(pivot, lane, right): of the unknown at the left or
    /// the right of the seam before `lane`; by that lane. Whole warps.
    template <class Note>
    __device__ segment<T> up(segment<T> mine, int lane, int used, const Note& note) {
#pragma unroll
        for (int level = 0; level < Levels; ++level) {
            const int half = 1 << level;
            const bool right = lane & half;
            const segment<T> other = of_lane(mine, lane ^ half);
            seam<T> gone;
            const segment<T> both = join<How>(right ? other : mine, right ? mine : other, gone);
            const bool there = begin_of_right(lane, half) < used;
            mine = there ? both : right ? other : mine;
            if (there && begin_of_right(lane, half) == lane) {
                seam_ = gone;
                note(gone.left_pivot, lane, false);
                note(gone.next_pivot, lane, true);
            }
        }
        return mine;
    }
    /// From the unknowns about all to those about each lane's segment.
    __device__ ends<T> down(ends<T> x, int lane, int used) const {
#pragma unroll
        for (int level = Levels - 1; level >= 0; --level) {
            const int half = 1 << level, owner = begin_of_right(lane, half);
            const seam_unknowns<T> at = unseam<How>(seam_, x);
            const T left = cuda::of_lane(at.left, owner);
            const T next = cuda::of_lane(at.next, owner);
            if (owner >= used) continue;
            if (lane & half) {
                x.before = left;
                x.first = next;
            } else {
                x.last = left;
                x.after = next;
            }
        }
        return x;
    }

private:
    __device__ static int begin_of_right(int lane, int half) {
        return (lane & ~(2 * half - 1)) | half;
    }
    seam<T> seam_;
};

/// The same for a block of Warps warps. Shared memory: a segment for each warp, that no other thread
/// else touches between up() and the next barrier.
template <class How, class T, int Warps>
class block_tree {
public:
    __device__ explicit block_tree(segment<T>* of_warps)
        : of_warps_(of_warps), lane_(threadIdx.x % 32), warp_(threadIdx.x / 32) {}

    /// All threads get the segment of all. `used`: threads that have one. note as above, with threads.
    template <class Note>
    __device__ segment<T> up(const segment<T>& mine, int used, const Note& note) {
        inner_used_ = min(max(used - 32 * warp_, 0), 32);
        outer_used_ = (used + 31) / 32;
        const segment<T> of_warp = inner_.up(mine, lane_, inner_used_, [&](T pivot, int lane, bool right) {
            note(pivot, 32 * warp_ + lane, right);
        });
        if (lane_ == 0) of_warps_[warp_] = of_warp;
        __syncthreads();
        return outer_.up(of_warps_[lane_ % Warps], lane_, outer_used_, [&](T pivot, int lane, bool right) {
            if (warp_ == 0 && lane < Warps) note(pivot, 32 * lane, right);
        });
    }
    __device__ ends<T> down(const ends<T>& x) const {
        const ends<T> outer = outer_.down(x, lane_, outer_used_);
        const auto of_warp = [&](T v) { return cuda::of_lane(v, warp_); };
        return inner_.down(
            {of_warp(outer.before), of_warp(outer.first), of_warp(outer.last), of_warp(outer.after)}, lane_,
            inner_used_);
    }

private:
    static constexpr int levels_for(int leaves) { return leaves <= 1 ? 0 : 1 + levels_for((leaves + 1) / 2); }
    static constexpr int outer_levels = levels_for(Warps);
    segment<T>* of_warps_;
    int lane_, warp_, inner_used_ = 0, outer_used_ = 0;
    warp_tree<How, T, 5> inner_;
    warp_tree<How, T, outer_levels> outer_;
};

}  // namespace wale::tree::partition
