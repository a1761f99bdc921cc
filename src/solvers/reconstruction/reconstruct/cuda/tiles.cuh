// tiles - persistent warps that visit tiles until no pixel of any tile can rise.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/tiles_rim.cuh"
#include "solvers/reconstruction/reconstruct/cuda/tiles_tuning.hpp"
#include "solvers/reconstruction/reconstruct/cuda/tiles_worklist.cuh"

namespace wale::reconstruction::tiles {

/// One launch.
template <class T>
struct task {
    using word = typename cell<T>::word;
    plane<const T> mask, marker;
    plane<T> risen;  // J, as stored values: the output, or scratch where that has another type
    codec<T> code;
    index_t rows, columns;  // of a picture
    int across, down;       // tiles of a picture
    word* risen_rims;
    word* mask_rims;
    worklist work;

    [[nodiscard]] __device__ place locate(std::uint32_t tile) const {
        const auto each = static_cast<std::uint32_t>(across) * static_cast<std::uint32_t>(down);
        const std::uint32_t picture = tile / each, inside = tile % each;
        const auto y = static_cast<int>(inside / static_cast<std::uint32_t>(across));
        const auto x = static_cast<int>(inside % static_cast<std::uint32_t>(across));
        return {picture,
                index_t{y} * cell<T>::rows,
                index_t{x} * cell<T>::columns,
                rows,
                columns,
                across,
                down,
                x,
                y};
    }
};

/// A warp and its tile.
template <class T, bool Wide>
struct visitor {
    using c = cell<T>;
    using word = typename c::word;
    static constexpr int words = side * pitch;
    static constexpr word complement = ~word{0};

    const task<T>& of;
    word* j;  // keys of J and of the mask: [side][pitch]
    word* m;
    int lane;

    __device__ void load(const place& at, bool first) const {
        const tile_io<T> io{at, lane};
        const auto encode = [&](word w) { return of.code.encode(w); };
        io.load(of.mask, m, encode);
        if (!first) {
            io.load({of.risen.data, of.risen.row_stride, of.risen.picture_stride, of.risen.vectors}, j,
                    encode);
        } else if (of.code.rule.start == start_rule::given) {
            io.load(of.marker, j, encode);
            __syncwarp();
            for (int r = 0; r < side; ++r)
                j[r * pitch + lane] = c::smaller_pixels(j[r * pitch + lane], m[r * pitch + lane]);
        } else {
            __syncwarp();
            start(at);
        }
        __syncwarp();
    }
    /// The marker that the job's rule makes of the mask.
    __device__ void start(const place& at) const {
        if (of.code.rule.start != start_rule::border) {
            const word columns = c::column_bits(lane, [&](int k) { return at.column + k < at.columns; });
            for (int r = 0; r < side; ++r) {
                const word rows = c::row_bits(r, [&](int k) { return at.row + k < at.rows; });
                j[r * pitch + lane] = of.code.lower(m[r * pitch + lane]) & rows & columns;
            }
            return;
        }
        const word columns = c::column_bits(
            lane, [&](int k) { return at.column + k == 0 || at.column + k == at.columns - 1; });
        for (int r = 0; r < side; ++r) {
            const word rows =
                c::row_bits(r, [&](int k) { return at.row + k == 0 || at.row + k == at.rows - 1; });
            j[r * pitch + lane] = m[r * pitch + lane] & (rows | columns);
        }
    }
    /// What surrounds the tile, as the sweeps take it.
    __device__ rim<T> offered(std::uint32_t tile, const place& at) const {
        using r = rims<T>;
        frame<T> f = r::template around<Wide>(of.risen_rims, tile, at, lane, 0);
        f.left = r::template offered<Wide>(f.left, f.corner_left, lane);
        f.right = r::template offered<Wide>(f.right, f.corner_right, lane);
        return f;
    }
    __device__ void wake_neighbours(std::uint32_t tile, const place& at, const frame<T>& own) const {
        using r = rims<T>;
        const std::uint32_t wakes = r::template to_wake<Wide>(
            own, r::template around<Wide>(of.risen_rims, tile, at, lane, 0),
            r::template around<Wide>(of.mask_rims, tile, at, lane, complement), lane);
        if (lane < 8 && (wakes >> lane & 1u) != 0 && at.is_inside(step_across(lane), step_down(lane)))
            of.work.wake(static_cast<std::uint32_t>(
                std::int64_t{tile} + std::int64_t{step_down(lane)} * at.across + step_across(lane)));
    }
    /// Everything from the first look at the tile to the moment when nobody has woken it; whether it was the
    /// last tile of all that could rise.
    __device__ bool run(std::uint32_t tile, bool first) const {
        using r = rims<T>;
        const place at = of.locate(tile);
        if (lane == 0) of.work.begin(tile, first);
        __syncwarp();
        load(at, first);
        const frame<T> under = r::own(m, lane);
        if (first) r::publish(of.mask_rims, tile, under, lane, complement);
        bool fresh = first;
        while (true) {
            const rim<T> around = offered(tile, at);
            bool rose = fresh;
            if (fresh || r::template can_rise<Wide>(r::own(j, lane), under, around))
                rose = settle<T, Wide>(j, m, around, lane) || fresh;
            if (rose) {
                const tile_io<T> io{at, lane};
                io.store(of.risen, j, [&](word w) { return of.code.decode(w); });
                const frame<T> own = r::own(j, lane);
                r::publish(of.risen_rims, tile, own, lane, 0);
                __syncwarp();
                __threadfence();
                wake_neighbours(tile, at, own);
            }
            __syncwarp();
            int ended = 0;
            if (lane == 0) {
                bool last = false;
                ended = of.work.end(tile, first, last) ? (last ? 2 : 1) : 0;
            }
            ended = __shfl_sync(everyone, ended, 0);
            if (ended != 0) return ended == 2;
            fresh = false;
        }
    }
};

// Who does what: a warp takes a ticket; the first `tiles` tickets are the tiles themselves, a later one waits
// for an
//   entry of the ring. It copies the tile and its mask to shared memory, lets it settle, writes it back,
//   publishes its rim and wakes those neighbours whose rim would rise.
// What it waits for: an empty-handed warp for an entry or for the announcement of the end, a waker for the
// slot
//   of an entry that was taken a whole ring ago. Nothing else waits; a tile that another warp visits is only
//   marked.
// Why it cannot deadlock: a tile is in the ring at most once and the ring has room for all of them, so a
// waker's slot has a
//   taker that polls it already. Warps that visit need nobody; they end since every round raises a pixel of a
//   finite lattice. Entries are taken in order and no warp sleeps on a ticket beyond the last entry while one
//   before it has no taker. `settled` counts visits due, under the waker's own, so it cannot show the end
//   while one is under way; who brings it there tells everyone. One resident warp suffices. Every wait is
//   bounded, from the last sign of life.
// Why this memory order: pixels of a tile pass from visitor to visitor by its state word: fence, then the CAS
// to idle; the next
//   one's exchange, then fence. Rims are read while they are written, relaxed, a word at a time: a word is a
//   lower bound at any time, and what was missed is repaired since its writer fences before it marks us
//   dirty, and we mark ourselves running and fence before we read. So either we see the words, or the
//   writer's mark outlives our visit and we look again.
template <int Row, class T, bool Wide>
__global__ void __launch_bounds__(32 * tiles_policies[Row].policy.warps, tiles_policies[Row].policy.blocks)
    tiles_kernel(const task<T> of) {
    using word = typename cell<T>::word;
    extern __shared__ __align__(16) unsigned char memory[];
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
    constexpr int words = visitor<T, Wide>::words;
    word* own = reinterpret_cast<word*>(memory) + warp * 2 * words;
    const visitor<T, Wide> here{of, own, own + words, lane};
    std::uint32_t visits = 0;
    while (true) {
        std::uint32_t tile = no_tile, first = 0;
        if (lane == 0) {
            bool is_first = false;
            tile = of.work.take(is_first);
            first = is_first ? 1 : 0;
        }
        tile = __shfl_sync(everyone, tile, 0);
        first = __shfl_sync(everyone, first, 0);
        if (tile == no_tile) break;
        ++visits;
        if (of.work.jitter != 0) __nanosleep(tile * 2654435761u >> 20);
        if (here.run(tile, first != 0)) of.work.announce_end(lane);
    }
    if (lane == 0) atomicAdd(&of.work.all->visits, visits);
}

/// finish_rule::residue and flag.
template <class T, class Out>
__global__ void tiles_finish_kernel(plane<const T> mask, plane<const T> risen, plane<Out> out, recipe<T> rule,
                                    index_t pictures, index_t rows, index_t columns) {
    const index_t lines = pictures * rows;
    for (index_t line = blockIdx.y; line < lines; line += gridDim.y) {
        const index_t picture = line / rows, row = line % rows;
        const T* under = mask.at(picture, row, 0);
        const T* value = risen.at(picture, row, 0);
        Out* to = out.at(picture, row, 0);
        for (index_t k = blockIdx.x * index_t{blockDim.x} + threadIdx.x; k < columns;
             k += index_t{gridDim.x} * blockDim.x) {
            const T i = rule.key(under[k]), j = rule.key(value[k]);
            to[k] = rule.finish == finish_rule::flag ? static_cast<Out>(j < i ? 1 : 0)
                                                     : static_cast<Out>(rule.finished(j, i));
        }
    }
}

}  // namespace wale::reconstruction::tiles
