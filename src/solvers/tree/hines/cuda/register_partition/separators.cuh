// separators - what the chains leave: a small tree, contracted by a warp in rounds and expanded again.
#pragma once

#include "solvers/tree/hines/cuda/register_partition/team.cuh"

namespace wale::tree::register_partition {

/// Before the chains: what the separators need of the arrays, while those are there.
template <int Lanes, int Pitch, class T>
__device__ void take_separators(const int4* records, int count, const cell_memory<T>& m, const T* in,
                                int lane) {
    for (int k = lane; k < count; k += Lanes) {
        const int4 s = records[k];
        const int node = s.x & 0x7fffffff;
        m.sums(Pitch)[k] = {in[2 * Pitch + node], in[3 * Pitch + node]};
        if (s.x >= 0) continue;
        m.edges(Pitch)[k] = {in[node], in[Pitch + node]};
        m.low_shares(Pitch)[k] = {T(0), T(0)};
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
template <int Pitch, class T>
__device__ void gather_chains(const int4* records, int count, const cell_memory<T>& m, int lane) {
    for (int k = lane; k < count; k += 32) {
        const int4 s = records[k];
        const pair<T> own = m.sums(Pitch)[k], low = m.low_shares(Pitch)[k];
        const pair<T> chains = sum_of(m.chain_shares(Pitch) + s.y, static_cast<std::uint32_t>(s.z));
        m.sums(Pitch)[k] = {own.a - (low.a + chains.a), own.b - (low.b + chains.b)};
    }
    __syncwarp();
}

/// One warp: separators into their neighbours, round by round, then back.
template <int Pitch, class T>
__device__ bool solve_separators(const form_records& form, int count, int steps, const cell_memory<T>& m,
                                 int lane) {
    pair<T>*const shares = m.shares(Pitch), *const sums = m.sums(Pitch), *const edges = m.edges(Pitch);
    T* const x = m.of_separators(Pitch);
    const int4* const rounds = form.separators + count;
    bool doubt = false;
    for (int t = 0; t < steps; ++t) {
        const int2 step = form.steps[t];
        const int k = step.x + lane;
        if (k < step.y) {
            const round_record r(rounds[k]);
            const pair<T> own = sums[k], edge = edges[k];
            pair<T> below{};
            if (r.has_child()) below = edges[r.child];
            const pair<T> taken = sum_of(shares + r.first_share, r.shares);
            const T inverse = trusted_reciprocal(own.a - taken.a, doubt);
            const T c = r.has_parent() ? edge.b * inverse : T(0), g = (own.b - taken.b) * inverse,
                    a = below.a * inverse;
            sums[k] = {c, g};
            edges[k].a = a;
            shares[r.to_parent] = {edge.a * c, edge.a * g};
            if (r.has_child()) {
                shares[r.to_child] = {below.b * a, below.b * g};
                edges[r.child] = {-edge.a * a, -below.b * c};
            }
        }
        __syncwarp();
    }
    for (int t = steps - 1; t >= 0; --t) {
        const int2 step = form.steps[t];
        const int k = step.x + lane;
        if (k < step.y) {
            const round_record r(rounds[k]);
            const pair<T> factor = sums[k];
            const T a = edges[k].a;
            const T above = r.has_parent() ? x[r.parent] : T(0), below = r.has_child() ? x[r.child] : T(0);
            x[k] = fma(-factor.a, above, fma(-a, below, factor.b));
        }
        __syncwarp();
    }
    return doubt;
}

}  // namespace wale::tree::register_partition
