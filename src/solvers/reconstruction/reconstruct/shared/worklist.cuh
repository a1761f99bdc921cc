// worklist - which tile a warp visits next. First every tile once, by ticket; then those that a
// neighbour woke, first in first out, from a ring of slots; the end is announced through the same slots.
#pragma once

#include <string>

#include "cuda/stream.cuh"
#include "cuda/wait.cuh"
#include "solvers/reconstruction/problem.hpp"
#include "tuning/override.hpp"

namespace wale::reconstruction::tiles {

// Loads and stores of pixels that other tiles read while they are written. A value is a lower bound of the
// answer at any time, so that no order is needed.
using cuda::load_relaxed;
using cuda::store_relaxed;
__device__ inline uint4 load_relaxed(const uint4* p) {
    uint4 v;
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0,%1,%2,%3},[%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(p)
                 : "memory");
    return v;
}
__device__ inline std::uint64_t load_relaxed(const std::uint64_t* p) {
    std::uint64_t v;
    asm volatile("ld.relaxed.gpu.global.u64 %0,[%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}
__device__ inline void store_relaxed(std::uint64_t* p, std::uint64_t v) {
    asm volatile("st.relaxed.gpu.global.u64 [%0],%1;" ::"l"(p), "l"(v) : "memory");
}
__device__ inline void store_relaxed(uint4* p, uint4 v) {
    asm volatile("st.relaxed.gpu.global.v4.u32 [%0],{%1,%2,%3,%4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z),
                 "r"(v.w)
                 : "memory");
}

/// State of a tile. 0: no visit yet. A tile is in the ring if and only if a waker found it idle.
inline constexpr std::uint32_t running = 1, dirty = 2, idle = 4;

enum failure : std::uint32_t { none, wait_ran_out, over_budget };

inline constexpr std::uint32_t no_tile = 0xffffffffu;
inline constexpr std::uint32_t stop_entry = 0xffffffffu;  // a slot holds 0, tile + 1, or this

/// All start as 0. A line of memory each.
struct control {
    alignas(128) std::uint32_t head;     // tickets handed out: visits
    alignas(128) std::uint32_t tail;     // entries pushed
    alignas(128) std::uint32_t settled;  // wakes less visits ended: - tiles at the end
    alignas(128) std::uint32_t failed;   // failure
    std::uint32_t visits;
    unsigned long long sweeps;  // of columns and of rows, over tiles
};

struct worklist {
    control* all;
    std::uint32_t* state;  // of each tile
    std::uint32_t* slots;  // of a power of two, at least tiles and workers
    std::uint32_t slot_mask;
    std::uint32_t tiles;
    std::uint32_t workers;     // warps of the launch
    std::uint32_t budget;      // tickets before the guard steps in; 0: never
    std::uint64_t time_limit;  // [ns] after which the guard steps in where there is a budget; 0: never
    std::uint32_t jitter;      // for tests: another order of first visits, and pauses
    std::uint32_t withheld;    // for tests: the wake that is lost, plus 1

    __device__ void fail(std::uint32_t why) const { cuda::store_relaxed(&all->failed, why); }

    __device__ bool put(std::uint32_t position, std::uint32_t entry) const {
        std::uint32_t* slot = slots + (position & slot_mask);
        const auto gives_up = [&](std::uint32_t spins) {
            if (spins > cuda::spin_limit || cuda::load_relaxed(&all->failed) != none)
                return fail(wait_ran_out), true;
            __nanosleep(20);
            return false;
        };
        return cuda::wait_until([&] { return atomicCAS(slot, 0u, entry) == 0; }, gives_up);
    }

    __device__ std::uint32_t next() const { return atomicAdd(&all->head, 1u); }

    /// By one lane, with the clock when its warp began. no_tile: the end. A corridor is seen by the clock:
    /// few visits, one after another.
    __device__ std::uint32_t take(std::uint32_t ticket, std::uint64_t began) const {
        if (ticket < tiles) return jitter != 0 ? tiles - 1 - ticket : ticket;
        if (cuda::load_relaxed(&all->failed) != none) return no_tile;
        if (budget != 0 && ticket >= budget) return fail(over_budget), no_tile;
        if (time_limit != 0 && cuda::nanoseconds() - began > time_limit) return fail(over_budget), no_tile;
        return await(ticket - tiles);
    }

    /// Bounded from the last change of the counters: another tile may take long before it wakes this warp's.
    __device__ std::uint32_t await(std::uint32_t position) const {
        std::uint32_t* slot = slots + (position & slot_mask);
        std::uint32_t entry = 0, seen = 0, spin = 0, pause = 20;
        const auto gives_up = [&](std::uint32_t) {
            if ((++spin & 15u) == 0) {
                const std::uint32_t now = cuda::load_relaxed(&all->tail) ^ cuda::load_relaxed(&all->settled);
                if (now != seen) spin = 0;
                seen = now;
                if (cuda::load_relaxed(&all->failed) != none) return true;
                if (spin > cuda::spin_limit) return fail(wait_ran_out), true;
                pause = pause < 160 ? 2 * pause : pause;
            }
            __nanosleep(pause);
            return false;
        };
        const bool arrived = cuda::wait_until([&] { return (entry = atomicExch(slot, 0u)) != 0; }, gives_up);
        return arrived && entry != stop_entry ? entry - 1 : no_tile;
    }

    /// Before its pixels are read.
    __device__ void begin(std::uint32_t tile, bool first) const {
        atomicExch(state + tile, first ? running : running | idle);
        __threadfence();
    }

    /// After the waker's pixels are written and fenced.
    __device__ void wake(std::uint32_t tile) const {
        if (atomicOr(state + tile, dirty) != idle) return;
        atomicAdd(&all->settled, 1u);
        if (tile + 1 == withheld) return;
        put(atomicAdd(&all->tail, 1u), tile + 1);
    }

    /// 0: another warp woke the tile during its visit, which goes on. Else the visit has ended, with the one
    /// answer that all have if it was the last, and the next ticket is drawn while the counter answers.
    static constexpr int ended_one = 1, ended_all = 2;
    __device__ int end(std::uint32_t tile, bool first, std::uint32_t& ticket) const {
        const std::uint32_t mine = first ? running : running | idle;
        if (atomicCAS(state + tile, mine, idle) == mine) {
            const std::uint32_t before = atomicSub(&all->settled, 1u);
            ticket = next();
            return before - 1u == 0u - tiles ? ended_all : ended_one;
        }
        atomicExch(state + tile, mine);
        __threadfence();
        return 0;
    }

    /// By a whole warp: every worker waits or will wait for a ticket beyond the last entry.
    __device__ void announce_end(int lane) const {
        std::uint32_t from = 0;
        if (lane == 0) from = atomicAdd(&all->tail, workers);
        from = __shfl_sync(0xffffffffu, from, 0);
        for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < workers; i += 32)
            put(from + i, stop_entry);
    }
};

/// For tests, through WALE_TUNING, of `row` tiles or tiles_3d: "reconstruction/tiles/max_blocks=1" runs one
/// resident block (0: no limit); "reconstruction/tiles/jitter=1" visits in another order and with pauses;
/// "reconstruction/tiles/withhold=K" never wakes tile K - 1; "reconstruction/tiles/budget=N" lets the guard
/// step in after N visits.
[[nodiscard]] inline std::uint32_t hook(const char* row, const char* name) {
    return static_cast<std::uint32_t>(
        tuning::overridden(std::string("reconstruction/") + row + "/" + name, std::size_t{1} << 31, 0));
}

/// Blocks for so many tiles, a tile a warp, with `shared` bytes of shared memory a block.
template <class Kernel>
[[nodiscard]] unsigned resident_blocks(const cuda::context& on, const char* row, Kernel kernel, int warps,
                                       std::size_t shared, index_t tiles) {
    const int each = cuda::launch_limits::blocks(on, kernel, 32 * warps, shared);
    if (each == 0)
        throw device_error(std::string("CUDA: a block of cuda/") + row + " does not fit on this device");
    index_t blocks = smaller(index_t{each} * on.multiprocessors(), (tiles + warps - 1) / warps);
    if (const std::uint32_t most = hook(row, "max_blocks"); most != 0)
        blocks = smaller(blocks, index_t{most});
    return static_cast<unsigned>(blocks);
}

}  // namespace wale::reconstruction::tiles
