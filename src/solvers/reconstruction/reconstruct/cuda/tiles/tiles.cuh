// tiles - persistent warps that visit tiles until no pixel of any tile can rise.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/tiles/rim.cuh"
#include "solvers/reconstruction/reconstruct/cuda/tiles/tuning.hpp"
#include "solvers/reconstruction/reconstruct/shared/worklist.cuh"

namespace wale::reconstruction::tiles {

/// One launch.
template <class T>
struct task {
    using word = typename cell<T>::word;
    plane<const T> mask, marker;
    plane<T> risen;  // J, as stored values: the output, or scratch where that has another type
    codec<T> code;
    bool residue;           // `risen` holds I - J: narrow types, where nothing is lost by it
    bool onward;            // tiles were woken from outside: any line may be one that has not offered itself
    index_t rows, columns;  // of an image
    int across, down;       // tiles of an image
    word* risen_rims;
    word* mask_rims;
    worklist work;

    [[nodiscard]] __device__ place locate(std::uint32_t tile) const {
        const auto each = static_cast<std::uint32_t>(across) * static_cast<std::uint32_t>(down);
        const std::uint32_t image = tile / each, inside = tile % each;
        const auto y = static_cast<int>(inside / static_cast<std::uint32_t>(across));
        const auto x = static_cast<int>(inside % static_cast<std::uint32_t>(across));
        return {
            image, index_t{y} * cell<T>::rows, index_t{x} * cell<T>::columns, rows, columns, across, down, x,
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
    std::uint32_t sweeps = 0;

    /// Takes the tile over, loads it and what lies around it: all loads are under way before the first is
    /// waited for.
    __device__ frame<T> load(std::uint32_t tile, const place& at, bool first) const {
        using r = rims<T>;
        const tile_io<T> io{at, lane};
        const plane<const T> risen{of.risen.data, of.risen.row_stride, of.risen.image_stride,
                                   of.risen.vectors};
        const auto encode = [&](word w, int) { return of.code.encode(w); };
        const auto encode_risen = [&](word w, int k) { return of.residue ? m[k] - w : of.code.encode(w); };
        frame<T> near;
        if (!first && io.is_vectors(of.mask) && io.is_vectors(risen)) {
            typename tile_io<T>::vector_rows under, over;
            io.fetch(of.mask, under);
            begin(tile, first);
            io.fetch(risen, over);
            near = r::template around<Wide>(of.risen_rims, tile, at, lane, 0);
            io.place_vectors(under, m, encode);
            io.place_vectors(over, j, encode_risen);
            __syncwarp();
            return near;
        }
        begin(tile, first);
        near = r::template around<Wide>(of.risen_rims, tile, at, lane, 0);
        if (first) {
            load_first(at);
            return near;
        }
        io.load(of.mask, m, encode);
        __syncwarp();
        io.load(risen, j, encode_risen);
        __syncwarp();
        return near;
    }
    __device__ void load_first(const place& at) const {
        tile_io<T>{at, lane}.load(of.mask, m, [&](word w, int) { return of.code.encode(w); });
        __syncwarp();
        if (of.code.rule.start == start_rule::given)
            given(at);
        else
            start(at);
        __syncwarp();
    }
    __device__ void store(const place& at) const {
        tile_io<T>{at, lane}.store(of.risen,
                                   [&](int k) { return of.residue ? m[k] - j[k] : of.code.decode(j[k]); });
    }
    __device__ void begin(std::uint32_t tile, bool first) const {
        if (lane == 0) of.work.begin(tile, first);
        __syncwarp();
    }
    __device__ void given(const place& at) const {
        const tile_io<T> io{at, lane};
        io.load(of.marker, j, [&](word w, int) { return of.code.encode(w); });
        __syncwarp();
        for (int r = 0; r < side; ++r)
            j[r * pitch + lane] = c::smaller_pixels(j[r * pitch + lane], m[r * pitch + lane]);
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
    __device__ rim<T> offered(frame<T> near) const {
        using r = rims<T>;
        near.left = r::template offered<Wide>(near.left, near.corner_left, lane);
        near.right = r::template offered<Wide>(near.right, near.corner_right, lane);
        return near;
    }
    /// Writes the tile back and wakes whom it can raise. What the neighbours have is read first, so that the
    /// fence's time is not added to it; to have read too early only wakes too often.
    __device__ void publish(std::uint32_t tile, const place& at) const {
        using r = rims<T>;
        const frame<T> low = r::template around<Wide>(of.risen_rims, tile, at, lane, 0);
        const frame<T> mask = r::template around<Wide>(of.mask_rims, tile, at, lane, complement);
        store(at);
        const frame<T> own = r::own(j, lane);
        r::publish(of.risen_rims, tile, own, lane, 0);
        __syncwarp();
        __threadfence();
        const std::uint32_t wakes = r::template to_wake<Wide>(own, low, mask, lane);
        if (lane < 8 && (wakes >> lane & 1u) != 0 && at.is_inside(step_across(lane), step_down(lane)))
            of.work.wake(static_cast<std::uint32_t>(
                std::int64_t{tile} + std::int64_t{step_down(lane)} * at.across + step_across(lane)));
    }
    /// Everything from the first look at the tile to the moment when no other warp has woken it; whether it
    /// was the last tile of all that could rise. `ticket`: for what comes next.
    __device__ bool run(std::uint32_t tile, bool first, std::uint32_t& ticket) {
        using r = rims<T>;
        const place at = of.locate(tile);
        frame<T> near = load(tile, at, first);
        if (first) r::publish(of.mask_rims, tile, r::own(m, lane), lane, complement);
        // That have not offered themselves: a revisited tile's have, unless others raised its pixels.
        std::uint32_t lines = first || of.onward ? ~0u : 0;
        while (true) {
            settling<T, Wide> now{j, m, lane, {lines, lines}, {lines, lines}};
            if (now.run(offered(near)) || lines != 0) publish(tile, at);
            sweeps += now.steps;
            lines = 0;
            __syncwarp();
            int ended = 0;
            if (lane == 0) ended = of.work.end(tile, first, ticket);
            ended = __shfl_sync(everyone, ended, 0);
            if (ended != 0) return ended == worklist::ended_all;
            near = r::template around<Wide>(of.risen_rims, tile, at, lane, 0);
        }
    }
};

// Who does what: a warp draws tickets. The first ones are the tiles themselves, a later one waits for an
// entry
//   of the ring. It copies the tile and its mask to shared memory, lets it settle, writes it back, publishes
//   its rim and wakes those neighbours whose rim would rise.
// What it waits for: an empty-handed warp for an entry or for the announcement of the end; a waker for the
// slot
//   of an entry that was pushed a whole ring ago. Nothing else waits: a tile under a visit is only marked.
// Why it cannot deadlock: a tile is in the ring at most once and the ring has a slot for each, so that a
// waker's
//   slot has a taker already that polls it. Warps that visit wait for no other warp, and their rounds end
//   since each raises a pixel of a finite lattice. Tickets and entries pair off in order, so no entry is
//   without a taker while a warp is free. `settled` counts a wake before the waker's own visit ends: it
//   cannot show the end too early, and the warp that brings it there announces the end. One resident warp
//   suffices. Every wait is bounded, counted from the last sign of life. A launch that goes on (onward.cuh)
//   has no first visits and finds its wakes counted and in the ring; a warp that finds all visits ended
//   leaves.
// Why this memory order: the pixels of a tile pass from visitor to visitor through its state: fence, then the
//   CAS to idle; the next one's exchange, then fence. Rims are read while they are written, relaxed, a word
//   at a time: each word is a lower bound at any time. What is missed is repaired: its writer fences before
//   it marks us dirty, we mark ourselves running and fence before we read. Either we see its words, or its
//   mark outlives our visit and we look again.
template <int Row, class T, bool Wide>
__global__ void __launch_bounds__(32 * tiles_policies[Row].policy.warps, tiles_policies[Row].policy.blocks)
    tiles_kernel(const task<T> of) {
    using word = typename cell<T>::word;
    extern __shared__ __align__(16) unsigned char memory[];
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
    if (of.onward && cuda::load_relaxed(&of.work.all->settled) == 0u - of.work.tiles) return;
    constexpr int words = visitor<T, Wide>::words;
    word* own = reinterpret_cast<word*>(memory) + warp * 2 * words;
    visitor<T, Wide> here{of, own, own + words, lane};
    const std::uint64_t began = cuda::nanoseconds();
    std::uint32_t visits = 0, ticket = 0;
    if (lane == 0) ticket = of.work.next();
    while (true) {
        std::uint32_t tile = no_tile, first = 0;
        if (lane == 0) {
            tile = of.work.take(ticket, began);
            first = ticket < of.work.tiles ? 1 : 0;
        }
        tile = __shfl_sync(everyone, tile, 0);
        first = __shfl_sync(everyone, first, 0);
        if (tile == no_tile) break;
        ++visits;
        if (of.work.jitter != 0) __nanosleep(tile * 2654435761u >> 20);
        if (here.run(tile, first != 0, ticket)) of.work.announce_end(lane);
    }
    if (lane == 0) {
        atomicAdd(&of.work.all->visits, visits);
        atomicAdd(&of.work.all->sweeps, static_cast<unsigned long long>(here.sweeps));
    }
}

/// Images that are a tile each: nothing lies around them, so that one visit is all, and nothing is shared.
template <class T, bool Wide>
__global__ void __launch_bounds__(32 * lone_tile_warps) tiles_lone(const __grid_constant__ task<T> of) {
    using word = typename cell<T>::word;
    constexpr int words = visitor<T, Wide>::words;
    __shared__ word memory[lone_tile_warps][2 * words];
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
    const std::uint32_t tile = blockIdx.x * lone_tile_warps + static_cast<std::uint32_t>(warp);
    if (tile >= of.work.tiles) return;
    const visitor<T, Wide> here{of, memory[warp], memory[warp] + words, lane};
    const place at = of.locate(tile);
    here.load_first(at);
    settling<T, Wide> now{here.j, here.m, lane, {~0u, ~0u}, {~0u, ~0u}};
    now.run(here.offered(frame<T>{}));
    here.store(at);
}

/// finish_rule::residue and flag.
template <class T, class Out>
__global__ void tiles_finish_kernel(plane<const T> mask, plane<const T> risen, plane<Out> out, recipe<T> rule,
                                    index_t images, index_t rows, index_t columns) {
    const index_t lines = images * rows;
    for (index_t line = blockIdx.y; line < lines; line += gridDim.y) {
        const index_t image = line / rows, row = line % rows;
        const T* under = mask.at(image, row, 0);
        const T* value = risen.at(image, row, 0);
        Out* to = out.at(image, row, 0);
        for (index_t k = blockIdx.x * index_t{blockDim.x} + threadIdx.x; k < columns;
             k += index_t{gridDim.x} * blockDim.x) {
            const T i = rule.key(under[k]), j = rule.key(value[k]);
            to[k] = rule.finish == finish_rule::flag ? static_cast<Out>(j < i ? 1 : 0)
                                                     : static_cast<Out>(rule.finished(j, i));
        }
    }
}

}  // namespace wale::reconstruction::tiles
