// separators - what the chains leave: a small tree, contracted by a warp in rounds and expanded again.
#pragma once

#include "solvers/tree/hines/cuda/register_partition/team.cuh"

namespace wale::tree::register_partition {

/// Before the chains: what the separators need of the arrays, while those are there.
template <int Lanes, int Room, class T>
__device__ void take_separators(const int4* records, int count, const cell_memory<T>& m, const T* in,
                                int lane) {
    for (int k = lane; k < count; k += Lanes) {
        const int4 s = __ldg(records + k);
        const int node = s.x & 0x7fffffff;
        m.sums(Room)[k] = {in[2 * Room + node], in[3 * Room + node]};
        if (s.x >= 0) continue;
        m.edges(Room)[k] = {in[node], in[Room + node]};
        m.low_shares(Room)[k] = {T(0), T(0)};
    }
}

/// The sum of a list, the first two with one wait.
template <class T>
__device__ pair<T> sum_of(const pair<T>* list, std::uint32_t count) {
    pair<T> one{}, two{};
    if (count > 0) one = list[0];
    if (count > 1) two = list[1];
    one = {one.a + two.a, one.b + two.b};
    for (std::uint32_t c = 2; c < count; ++c) {
        one.a += list[c].a;
        one.b += list[c].b;
    }
    return one;
}

/// After the chains, one warp: each separator takes their shares, in a fixed order.
template <int Room, class T>
__device__ void gather_chains(const int4* records, int count, const cell_memory<T>& m, int lane) {
    for (int k = lane; k < count; k += 32) {
        const int4 s = __ldg(records + k);
        const pair<T> own = m.sums(Room)[k], low = m.low_shares(Room)[k];
        const pair<T> chains = sum_of(m.chain_shares(Room) + s.y, static_cast<std::uint32_t>(s.z));
        m.sums(Room)[k] = {own.a - (low.a + chains.a), own.b - (low.b + chains.b)};
    }
    __syncwarp();
}

/// One warp: separators into their neighbours, round by round, then back.
template <int Room, class T>
__device__ bool solve_separators(const int4* rounds, int steps, const cell_memory<T>& m, int lane) {
    pair<T>*const shares = m.shares(Room), *const sums = m.sums(Room), *const edges = m.edges(Room);
    T* const x = m.of_separators(Room);
    bool doubt = false;
    int4 next = __ldg(rounds + lane);
    for (int t = 0; t < steps; ++t) {
        const round_record r(next);
        next = __ldg(rounds + 32 * min(t + 1, steps - 1) + lane);
        if (r.active()) {
            const pair<T> own = sums[r.own], edge = edges[r.own];
            pair<T> below{};
            if (r.has_child()) below = edges[r.child];
            const pair<T> taken = sum_of(shares + r.first_share, r.shares);
            const T inverse = trusted_reciprocal(own.a - taken.a, doubt);
            const T c = r.has_parent() ? edge.b * inverse : T(0), g = (own.b - taken.b) * inverse,
                    a = below.a * inverse;
            sums[r.own] = {c, g};
            edges[r.own].a = a;
            shares[r.to_parent] = {edge.a * c, edge.a * g};
            if (r.has_child()) {
                shares[r.to_child] = {below.b * a, below.b * g};
                edges[r.child] = {-edge.a * a, -below.b * c};
            }
        }
        __syncwarp();
    }
    pair<T> factor{};
    T a = 0;
    const auto fetch = [&](const round_record& r) {
        if (!r.active()) return;
        factor = sums[r.own];
        a = edges[r.own].a;
    };
    next = __ldg(rounds + 32 * (steps - 1) + lane);
    fetch(round_record(next));
    for (int t = steps - 1; t >= 0; --t) {
        const round_record r(next);
        next = __ldg(rounds + 32 * max(t - 1, 0) + lane);
        if (r.active()) {
            const T above = r.has_parent() ? x[r.parent] : T(0), below = r.has_child() ? x[r.child] : T(0);
            x[r.own] = fma(-factor.a, above, fma(-a, below, factor.b));
        }
        fetch(round_record(next));
        __syncwarp();
    }
    return doubt;
}

}  // namespace wale::tree::register_partition
