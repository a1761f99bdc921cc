// sweep - directional sweeps of the whole image (Karas 2010): left to right, right to left, down, up, each
// pixel after the one before it, until an iteration changes nothing. Diagonal neighbours are part of the y
// sweeps. A warp scans a part of the image; what enters it from outside may be old or new, since another
// warp may raise it at this very moment. Either is a lower bound of the answer, and an iteration that changes
// nothing has seen final values only. So no block waits for another.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/sweep/tuning.hpp"
#include "solvers/reconstruction/reconstruct/shared/passes.cuh"

namespace wale::reconstruction::sweep {

/// Pixels of a row that are loaded and stored together: four bytes, or one double.
template <class T>
struct cell {
    using word = std::conditional_t<sizeof(T) < 4, std::uint32_t, T>;
    using value = std::conditional_t<sizeof(T) < 4, std::uint32_t, T>;  // a pixel in a register
    static constexpr int pixels = sizeof(T) < 4 ? 4 / static_cast<int>(sizeof(T)) : 1;

    __device__ static value get(word w, int k) {
        if constexpr (pixels == 1)
            return w;
        else
            return w >> 8 * sizeof(T) * static_cast<unsigned>(k) & ((1u << 8 * sizeof(T)) - 1);
    }
    __device__ static word with(word w, int k, value v) {
        if constexpr (pixels == 1)
            return v;
        else
            return w | v << 8 * sizeof(T) * static_cast<unsigned>(k);
    }
    __device__ static value lowest() { return static_cast<value>(lowest_key<T>()); }
    /// What another warp may be writing.
    __device__ static word shared_with_others(const word* p) { return *static_cast<const volatile word*>(p); }
};

/// Keys of all lines of all images, `pitch` words a line, lowest keys beyond the last column.
template <class T>
struct planes {
    using word = typename cell<T>::word;
    const word* mask;
    word* rising;
    index_t pitch, rows, images;
    // Whether the iteration before changed anything, and this one.
    const std::uint32_t* changed_before;
    std::uint32_t* changed;
};

__device__ inline void report(bool mine, std::uint32_t* changed) {
    if (__any_sync(0xffffffffu, mine) && threadIdx.x % 32 == 0)
        *static_cast<volatile std::uint32_t*>(changed) = 1;
}

/// A warp's tile: lane = column while it is loaded and stored, lane = row while it is scanned.
template <int Row, class T>
struct shared_tile {
    static constexpr policy p = policies[Row].policy;
    using word = typename cell<T>::word;
    word mask[p.rows * p.stride], rising[p.rows * p.stride];

    __device__ void load(const planes<T>& all, index_t first, int lines, int lane) {
#pragma unroll 8
        for (int r = 0; r < lines; ++r) {
            mask[r * p.stride + lane] = all.mask[first + r * all.pitch + lane];
            rising[r * p.stride + lane] = all.rising[first + r * all.pitch + lane];
        }
        __syncwarp();
    }
    /// Scans row `lane` from `carry` on; whether a pixel rose.
    template <bool Forward>
    __device__ bool scan(int lane, typename cell<T>::value& carry) {
        using c = cell<T>;
        bool changed = false;
#pragma unroll 8
        for (int i = 0; i < 32; ++i) {
            const int at = lane * p.stride + (Forward ? i : 31 - i);
            const word m = mask[at], old = rising[at];
            word risen{};
#pragma unroll
            for (int j = 0; j < c::pixels; ++j) {
                const int k = Forward ? j : c::pixels - 1 - j;
                carry = smaller(c::get(m, k), larger(c::get(old, k), carry));
                risen = c::with(risen, k, carry);
            }
            changed = changed || risen != old;
            rising[at] = risen;
        }
        return changed;
    }
    __device__ void store(const planes<T>& all, index_t first, unsigned changed, int lane) const {
        for (; changed != 0; changed &= changed - 1) {
            const int r = __ffs(static_cast<int>(changed)) - 1;
            all.rising[first + r * all.pitch + lane] = rising[r * p.stride + lane];
        }
        __syncwarp();
    }
};

/// A sweep along the rows: a warp takes p.rows lines of a segment of columns.
template <int Row, class T, bool Forward>
__global__ void __launch_bounds__(32 * policies[Row].policy.warps) sweep_x(planes<T> all, index_t segments) {
    constexpr policy p = policies[Row].policy;
    using c = cell<T>;
    __shared__ shared_tile<Row, T> tiles[p.warps];
    if (*all.changed_before == 0) return;
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
    const index_t job = index_t{blockIdx.x} * p.warps + warp;
    const index_t line = job / segments * p.rows, lines = all.images * all.rows - line;
    if (lines <= 0) return;
    const int here = static_cast<int>(smaller(lines, index_t{p.rows}));
    const index_t across = all.pitch / 32, length = p.tiles;
    const index_t first = job % segments * length, last = smaller(first + length, across);
    const index_t before = Forward ? 32 * first - 1 : 32 * last;  // the word that this segment goes on from
    auto carry = c::lowest();
    if (lane < here && before >= 0 && before < all.pitch)
        carry = c::get(c::shared_with_others(all.rising + (line + lane) * all.pitch + before),
                       Forward ? c::pixels - 1 : 0);
    bool rose = false;
    for (index_t i = first; i < last; ++i) {
        const index_t at = line * all.pitch + 32 * (Forward ? i : first + last - 1 - i);
        tiles[warp].load(all, at, here, lane);
        const bool changed = lane < here && tiles[warp].template scan<Forward>(lane, carry);
        __syncwarp();
        tiles[warp].store(all, at, __ballot_sync(0xffffffffu, changed), lane);
        rose = rose || changed;
    }
    report(rose, all.changed);
}

/// The line before, as a lane of a y sweep sees it: its own pixels and one to either side.
template <class T>
struct line_before {
    using c = cell<T>;
    using value = typename c::value;
    value own[c::pixels], left, right;

    /// `side`: the word beside the warp's 32, in the first and the last lane.
    template <int Reach>
    __device__ void take(typename c::word w, typename c::word side, int lane) {
#pragma unroll
        for (int k = 0; k < c::pixels; ++k) own[k] = c::get(w, k);
        if constexpr (Reach > 1) {
            left = __shfl_up_sync(0xffffffffu, own[c::pixels - 1], 1);
            right = __shfl_down_sync(0xffffffffu, own[0], 1);
            if (lane == 0) left = c::get(side, c::pixels - 1);
            if (lane == 31) right = c::get(side, 0);
        }
    }
    template <int Reach>
    __device__ value largest(int k) const {
        if constexpr (Reach == 1) return own[k];
        const value l = k == 0 ? left : own[k == 0 ? 0 : k - 1];
        const value r = k + 1 == c::pixels ? right : own[k + 1 == c::pixels ? k : k + 1];
        return larger(own[k], larger(l, r));
    }
};

/// Lines that are loaded before the first of them is scanned.
inline constexpr int lines_ahead = 8;

template <class T, int Reach>
struct y_lane {
    using c = cell<T>;
    using word = typename c::word;
    const planes<T>& all;
    index_t column;  // word of this lane
    int lane;

    [[nodiscard]] __device__ word lowest() const {
        word w{};
#pragma unroll
        for (int k = 0; k < c::pixels; ++k) w = c::with(w, k, c::lowest());
        return w;
    }
    /// The word beside the warp's part of a line.
    [[nodiscard]] __device__ word side(index_t line) const {
        if constexpr (Reach == 1) return lowest();
        const index_t beside = lane == 0 ? column - 1 : column + 1;
        if ((lane != 0 && lane != 31) || beside < 0 || beside >= all.pitch) return lowest();
        return c::shared_with_others(all.rising + line * all.pitch + beside);
    }
    /// The pixels of a line under what the line before gives.
    [[nodiscard]] __device__ word raised(word m, word old, const line_before<T>& from) const {
        word risen{};
#pragma unroll
        for (int k = 0; k < c::pixels; ++k)
            risen = c::with(risen, k,
                            smaller(c::get(m, k), larger(c::get(old, k), from.template largest<Reach>(k))));
        return risen;
    }
};

/// A sweep along the columns: a warp takes 32 words of a segment of lines.
template <int Row, class T, int Reach, bool Down>
__global__ void __launch_bounds__(32 * policies[Row].policy.warps) sweep_y(planes<T> all, index_t segments) {
    constexpr policy p = policies[Row].policy;
    using c = cell<T>;
    using word = typename c::word;
    if (*all.changed_before == 0) return;
    const int lane = static_cast<int>(threadIdx.x % 32);
    const index_t across = all.pitch / 32;
    const index_t job = index_t{blockIdx.x} * p.warps + threadIdx.x / 32;
    const index_t image = job / across / segments;
    if (image >= all.images) return;
    const index_t length = p.lines;
    const index_t first = job / across % segments * length, last = smaller(first + length, all.rows);
    const y_lane<T, Reach> mine{all, job % across * 32 + lane, lane};
    const index_t top = image * all.rows, step = Down ? 1 : -1;
    index_t row = Down ? first : last - 1;
    word before = mine.lowest();
    if (row - step >= 0 && row - step < all.rows)
        before = c::shared_with_others(all.rising + (top + row - step) * all.pitch + mine.column);
    bool rose = false;
    for (index_t left = last - first; left > 0; left -= lines_ahead) {
        word m[lines_ahead], old[lines_ahead], sides[lines_ahead];
#pragma unroll
        for (int i = 0; i < lines_ahead; ++i) {
            const index_t here = row + i * step, at = (top + here) * all.pitch + mine.column;
            m[i] = i < left ? all.mask[at] : word{};
            old[i] = i < left ? all.rising[at] : word{};
            const bool inside = i < left && here - step >= 0 && here - step < all.rows;
            sides[i] = inside ? mine.side(top + here - step) : mine.lowest();
        }
#pragma unroll
        for (int i = 0; i < lines_ahead; ++i) {
            if (i >= left) break;
            line_before<T> from;
            from.template take<Reach>(before, sides[i], lane);
            before = mine.raised(m[i], old[i], from);
            if (before != old[i]) {
                all.rising[(top + row + i * step) * all.pitch + mine.column] = before;
                rose = true;
            }
        }
        row += lines_ahead * step;
    }
    report(rose, all.changed);
}

/// The first pass: keys of mask and marker.
template <class T>
__global__ void __launch_bounds__(edge_pass_threads)
    start_sweeps(typed_job<T> job, index_t pitch, T* mask, T* rising) {
    const index_t lines = job.mask_at.images * job.mask_at.rows;
    for (index_t line = blockIdx.y; line < lines; line += gridDim.y)
        for (index_t column = index_t{blockIdx.x} * edge_pass_threads + threadIdx.x; column < pitch;
             column += index_t{gridDim.x} * edge_pass_threads) {
            const index_t image = line / job.mask_at.rows, row = line % job.mask_at.rows;
            const bool inside = column < job.mask_at.columns;
            mask[line * pitch + column] = inside ? job.mask_key(image, 0, row, column) : lowest_key<T>();
            rising[line * pitch + column] = inside ? job.marker_key(image, 0, row, column) : lowest_key<T>();
        }
}

/// The last pass: the answer.
template <class T>
__global__ void __launch_bounds__(edge_pass_threads)
    finish_sweeps(typed_job<T> job, index_t pitch, const T* rising) {
    const index_t lines = job.mask_at.images * job.mask_at.rows;
    for (index_t line = blockIdx.y; line < lines; line += gridDim.y)
        for (index_t column = index_t{blockIdx.x} * edge_pass_threads + threadIdx.x;
             column < job.mask_at.columns; column += index_t{gridDim.x} * edge_pass_threads)
            job.finish(line / job.mask_at.rows, 0, line % job.mask_at.rows, column,
                       rising[line * pitch + column]);
}

}  // namespace wale::reconstruction::sweep
