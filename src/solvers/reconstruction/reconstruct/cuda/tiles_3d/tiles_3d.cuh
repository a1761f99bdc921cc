// tiles_3d - persistent warps that visit the tiles of volumes until no pixel of any tile can rise.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/tiles_3d/faces.cuh"
#include "solvers/reconstruction/reconstruct/cuda/tiles_3d/tuning.hpp"
#include "solvers/reconstruction/reconstruct/shared/worklist.cuh"

namespace wale::reconstruction::tiles_3d {

/// All tiles of all volumes of a batch, x fastest, each as in shared memory.
template <class T>
struct task {
    using word = typename pack<T>::word;
    const word* mask;
    word* risen;
    int tiles_x, tiles_y, tiles_z;  // of a volume
    tiles::worklist work;

    [[nodiscard]] __device__ place locate(std::uint32_t tile) const {
        const auto x = static_cast<std::uint32_t>(tiles_x), y = static_cast<std::uint32_t>(tiles_y),
                   z = static_cast<std::uint32_t>(tiles_z);
        return {static_cast<int>(tile % x),
                static_cast<int>(tile / x % y),
                static_cast<int>(tile / x / y % z),
                tiles_x,
                tiles_y,
                tiles_z};
    }
};

/// A warp and its tile.
template <class T, int Planes, int Reach>
struct visitor {
    using word = typename pack<T>::word;
    static constexpr int words = Planes * plane_pitch;
    static constexpr int plane_vectors = plane_pitch * static_cast<int>(sizeof(word) / 4) / 4;
    static_assert(plane_pitch % 4 == 0 && Planes % seat::groups == 0 && Planes < 32);

    const task<T>& of;
    word* j;
    word* m;
    seat at;

    __device__ void load(std::uint32_t number) const {
        const auto* from_j = reinterpret_cast<const uint4*>(of.risen + std::size_t{number} * words);
        const auto* from_m = reinterpret_cast<const uint4*>(of.mask + std::size_t{number} * words);
#pragma unroll 8
        for (int i = at.lane; i < Planes * plane_vectors; i += 32) {
            reinterpret_cast<uint4*>(j)[i] = tiles::load_relaxed(from_j + i);
            reinterpret_cast<uint4*>(m)[i] = from_m[i];
        }
        __syncwarp();
    }
    __device__ void publish(std::uint32_t number, std::uint32_t planes) const {
        auto* to = reinterpret_cast<uint4*>(of.risen + std::size_t{number} * words);
        for (; planes != 0; planes &= planes - 1) {
            const int plane = __ffs(static_cast<int>(planes)) - 1;
            for (int i = at.lane; i < plane_vectors; i += 32)
                tiles::store_relaxed(to + plane * plane_vectors + i,
                                     reinterpret_cast<const uint4*>(j)[plane * plane_vectors + i]);
        }
        __syncwarp();
        __threadfence();
    }
    /// From the first look at the tile to the moment when no other warp has woken it; whether it was the last
    /// of all that could rise. `ticket`: for what comes next.
    __device__ bool run(std::uint32_t number, bool first, std::uint32_t& ticket) const {
        const place where = of.locate(number);
        if (at.lane == 0) of.work.begin(number, first);
        __syncwarp();
        load(number);
        const tile<T, Planes> t{j, m, at};
        const surroundings<T, Planes> low{of.risen + std::size_t{number} * words, where, at};
        const surroundings<T, Planes> under{of.mask + std::size_t{number} * words, where, at};
        std::uint32_t fresh = first ? t.all_planes : 0;
        while (true) {
            const std::uint32_t touched = take_offers<Reach>(t, low);
            const std::uint32_t changed = touched | t.template settle<Reach>(touched | fresh);
            if (changed != 0) {
                publish(number, changed);
                wake(number, where, wake_test<Reach, T, Planes>{t, low, under}(changed));
            }
            __syncwarp();
            int ended = 0;
            if (at.lane == 0) ended = of.work.end(number, first, ticket);
            ended = __shfl_sync(everyone, ended, 0);
            if (ended != 0) return ended == of.work.ended_all;
            fresh = 0;
        }
    }
    __device__ void wake(std::uint32_t number, const place& where, std::uint32_t directions) const {
        const int dz = at.lane / 9 - 1, dy = at.lane / 3 % 3 - 1, dx = at.lane % 3 - 1;
        if (at.lane < 27 && (directions >> at.lane & 1u) != 0)
            of.work.wake(static_cast<std::uint32_t>(std::int64_t{number} + where.step(dz, dy, dx)));
    }
};

// Who does what: a warp takes a ticket; the first tickets are the tiles themselves, a later one waits for an
// entry
//   of the ring. It copies the tile and its mask to shared memory, raises its outermost pixels to what the 26
//   tiles around offer, lets it settle, writes back the planes that changed and wakes those neighbours that
//   it can raise.
// What it waits for: an empty-handed warp for an entry or for the announcement of the end, a waker for the
// slot
//   of an entry that was taken a whole ring ago. Nothing else waits; a tile that another warp visits is only
//   marked.
// Why it cannot deadlock: a tile is in the ring at most once and the ring has a slot for each tile, so a
// waker's
//   slot has a taker that polls it already. Warps that visit wait for no other warp, and end since every
//   round raises a pixel of a finite lattice. The warp that brings the count of due visits to zero announces
//   the end. One resident warp suffices, and every wait is bounded (shared/worklist.cuh).
// Why this memory order: the words of a tile pass from visitor to visitor by its state word: fence, then the
// exchange to
//   idle; the next one's exchange, then fence. Neighbours read a tile's words while they are written,
//   relaxed: a word is a lower bound of the answer at any time. What was missed is repaired: the writer
//   fences before it marks us dirty, and we mark ourselves running and fence before we read. So either we see
//   the words, or the mark outlives our visit and we look again.
template <int Row, class T, int Reach>
__global__ void __launch_bounds__(32 * policies[Row].policy.warps, policies[Row].policy.blocks)
    settle_tiles(const task<T> of) {
    constexpr int planes = policies[Row].policy.planes;
    using visitor_type = visitor<T, planes, Reach>;
    extern __shared__ __align__(16) unsigned char memory[];
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
    auto* own = reinterpret_cast<typename pack<T>::word*>(memory) + warp * 2 * visitor_type::words;
    const visitor_type here{of, own, own + visitor_type::words, {lane}};
    std::uint32_t visits = 0, ticket = 0;  // ticket: of lane 0
    if (lane == 0) ticket = of.work.next();
    while (true) {
        std::uint32_t number = tiles::no_tile, first = 0;
        if (lane == 0) {
            first = ticket < of.work.tiles ? 1 : 0;
            number = of.work.take(ticket, 0);  // without a time limit
        }
        number = __shfl_sync(everyone, number, 0);
        first = __shfl_sync(everyone, first, 0);
        if (number == tiles::no_tile) break;
        ++visits;
        if (here.run(number, first != 0, ticket)) of.work.announce_end(lane);
    }
    if (lane == 0) atomicAdd(&of.work.all->visits, visits);
}

}  // namespace wale::reconstruction::tiles_3d
