// team - the lanes that work on one or two trees together: their shared memory, their barrier, and bulk
// copies of the next trees while the present ones are computed.
#pragma once

#include <cstdint>

#include "cuda/wait.cuh"
#include "solvers/tree/hines/cuda/register_partition/tuning.hpp"
#include "solvers/tree/hines/shared/partition.hpp"
#include "solvers/tree/hines/shared/vectors.cuh"

namespace wale::tree::register_partition {

/// Two numbers that go together: diagonal and right side, two couplings, factor and reduced right side.
template <class T>
struct alignas(2 * sizeof(T)) pair {
    T a, b;
};

/// Where a form's partition lies in the arrays of its class.
struct alignas(16) device_form {
    std::int32_t up, down;      // rows of lanes
    std::int32_t separators;    // records of separators, then as many of rounds
    std::int32_t steps_begin;   // pairs: separators [x, y) of a warp's step
    std::int32_t plain, nodes;  // pairs node and parent, parents first, for the careful way; how many
    std::int32_t count, steps;  // separators, steps of rounds
};
/// Node and bare; first chain, chains.
inline int4 packed(const separator& s) {
    return {static_cast<int>(s.node | s.bare << 31), static_cast<int>(s.first_chain),
            static_cast<int>(s.chains), 0};
}
/// What is done with a separator in its round.
struct round_record {
    std::uint32_t parent, child, first_share, shares, to_parent, to_child;
    __device__ explicit round_record(const int4& r)
        : parent(half(r.x, 0)),
          child(half(r.x, 1)),
          first_share(half(r.y, 0)),
          shares(half(r.y, 1)),
          to_parent(half(r.z, 0)),
          to_child(half(r.z, 1)) {}
    static int4 of(const separator& s) {
        const auto both = [](std::uint32_t low, std::uint32_t high) {
            return static_cast<int>(low | high << 16);
        };
        return {both(s.parent, s.child), both(s.first_share, s.shares), both(s.to_parent, s.to_child), 0};
    }
    [[nodiscard]] __device__ bool has_parent() const { return parent != chain_row::none; }
    [[nodiscard]] __device__ bool has_child() const { return child != chain_row::none; }

private:
    static __device__ std::uint32_t half(int word, int which) {
        return which == 0 ? static_cast<std::uint32_t>(word) & 0xffff
                          : static_cast<std::uint32_t>(word) >> 16;
    }
};

/// A team's copy of a form's records in shared memory: little is left of the L1 cache beside so much of that.
struct form_records {
    int4* separators;  // then those of rounds
    int2* steps;
    static WALE_HD int bytes(int separators, int steps) {
        return 32 * separators + (8 * steps + 15) / 16 * 16;
    }
};

/// A team's trees: one after the other of a form, or the same tree of vectors side by side.
struct alignas(16) unit {
    std::int32_t form;
    std::int32_t base[2];  // the second -1: none
    std::int32_t nodes;    // of the form
};

template <class T>
struct partition_work {
    device_tree_vectors<T> v;
    const device_form* forms;
    const int2* rows;     // of lanes, and plain nodes
    const int4* records;  // of separators and of rounds
    const unit* units;
    index_t groups;  // of vectors, to each unit
    index_t total;   // units * groups
    index_t span;    // words of an array
    int most_separators, most_chains, most_steps;
    bool alike;            // the four arrays are aligned alike
    std::int32_t* failed;  // the number of the call's report; null: not wanted
};

/// What a team has of each tree in shared memory; in words. The tree's unknowns overlay what the separators
/// need.
template <class T>
struct cell_memory {
    T* base;
    int separators, chains;

    static WALE_HD int overlay(int pitch, int separators, int chains) {
        const int shares = 2 * separators + 1, ends = separators + chains;
        const int inner = (2 * (2 * separators + (shares > ends ? shares : ends)) + 3) / 4 * 4;
        return inner > pitch ? inner : pitch;
    }
    static WALE_HD int words(int pitch, int separators, int chains) {
        return 4 * pitch + overlay(pitch, separators, chains) + 4 + (separators + 3) / 4 * 4;
    }
    /// Diagonals and right sides, then their factors; edges; shares overlay the ends of chains.
    __device__ pair<T>* sums(int pitch) const { return reinterpret_cast<pair<T>*>(base + 4 * pitch); }
    __device__ pair<T>* edges(int pitch) const { return sums(pitch) + separators; }
    __device__ pair<T>* shares(int pitch) const { return sums(pitch) + 2 * separators; }
    __device__ pair<T>* low_shares(int pitch) const { return shares(pitch); }
    __device__ pair<T>* chain_shares(int pitch) const { return shares(pitch) + separators; }
    __device__ T* unknowns(int pitch) const { return base + 4 * pitch; }
    __device__ T* of_separators(int pitch) const {
        return unknowns(pitch) + overlay(pitch, separators, chains) + 4;
    }
    /// Set by a lane whose pivot has a reciprocal that may be inexact.
    __device__ int* doubtful(int pitch) const { return reinterpret_cast<int*>(of_separators(pitch) - 4); }
};

/// 1 / x where that is an ordinary number; else `doubt` is raised and the result means nothing.
__device__ inline double trusted_reciprocal(double x, bool& doubt) {
    double y;
    asm("rcp.approx.ftz.f64 %0,%1;" : "=d"(y) : "d"(x));
    const double e = fma(-x, y, 1.0);
    doubt |= !(fabs(e) < 0.5);
    return fma(fma(e, e, e), y, y);
}
__device__ inline float trusted_reciprocal(float x, bool& doubt) {
    float y;
    asm("rcp.approx.ftz.f32 %0,%1;" : "=f"(y) : "f"(x));
    const float e = fmaf(-x, y, 1.0f);
    doubt |= !(fabsf(e) < 0.5f);
    return fmaf(e, y, y);
}

/// A barrier for all lanes of a team. Teams are whole warps.
template <int Lanes>
__device__ void team_barrier(int team) {
    if constexpr (Lanes == 32)
        __syncwarp();
    else
        asm volatile("bar.sync %0,%1;" ::"r"(team + 1), "n"(Lanes) : "memory");
}

__device__ inline std::uint32_t shared_address(const void* p) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

/// Bulk copies on their way to shared memory; one thread starts them, all wait.
struct arrivals {
    std::uint64_t* barrier;
    std::uint32_t phase = 0;

    __device__ void set_up() const {
        asm volatile("mbarrier.init.shared.b64 [%0],1;" ::"r"(shared_address(barrier)) : "memory");
    }
    __device__ void expect(std::uint32_t bytes) const {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _,[%0],%1;" ::"r"(shared_address(barrier)),
                     "r"(bytes)
                     : "memory");
    }
    __device__ void copy(void* to, const void* from, std::uint32_t bytes) const {
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],%2,[%3];" ::"r"(
                shared_address(to)),
            "l"(from), "r"(bytes), "r"(shared_address(barrier))
            : "memory");
    }
    /// Bounded; false: it ran out.
    __device__ bool wait() {
        const auto arrived = [&] {
            std::uint32_t done;
            asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p,[%1],%2; selp.u32 %0,1,0,p;}"
                         : "=r"(done)
                         : "r"(shared_address(barrier)), "r"(phase)
                         : "memory");
            return done != 0;
        };
        if (!cuda::wait_until(arrived, cuda::own_bound{cuda::spin_limit})) return false;
        phase ^= 1;
        return true;
    }
};

/// Which unit, and which of its groups of vectors. Moves on without dividing.
struct place_in_work {
    index_t unit, group;
    __device__ void advance(const place_in_work& step, index_t groups) {
        unit += step.unit;
        group += step.group;
        if (group < groups) return;
        group -= groups;
        ++unit;
    }
};

/// Where a unit's trees lie.
template <int Cells>
struct located {
    int form, nodes;
    index_t vector[Cells], begin[Cells];
    std::int32_t base[Cells];
    bool there[Cells];
};

template <int Cells, class T>
__device__ located<Cells> locate(const partition_work<T>& w, const int4& u, const place_in_work& at) {
    located<Cells> l;
    l.form = u.x;
    l.nodes = u.w;
    const bool by_vector = w.v.at.count > 1;
#pragma unroll
    for (int c = 0; c < Cells; ++c) {
        l.vector[c] = by_vector ? at.group * Cells + c : 0;
        l.base[c] = c == 0 || by_vector ? u.y : u.z;
        l.there[c] = l.base[c] >= 0 && l.vector[c] < w.v.at.count;
        l.begin[c] = l.vector[c] * w.v.at.stride + l.base[c];
    }
    return l;
}

/// A tree's part of the four arrays as 16-byte words: whole ones that reach a little into the neighbours.
template <class T>
struct window {
    index_t first;  // word of the array
    int skip, words;
    bool inside;  // of the arrays; else it is copied word by word
};
template <class T>
__device__ window<T> window_of(const partition_work<T>& w, index_t begin, int nodes) {
    constexpr int per = 16 / static_cast<int>(sizeof(T));
    const auto off =
        static_cast<int>((reinterpret_cast<std::uintptr_t>(w.v.diagonal + begin) / sizeof(T)) % per);
    const int words = (off + nodes + per - 1) / per * per;
    return {begin - off, off, words, w.alike && begin - off >= 0 && begin - off + words <= w.span};
}

}  // namespace wale::tree::register_partition
