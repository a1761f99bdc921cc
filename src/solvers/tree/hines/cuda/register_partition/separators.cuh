// separators - what the chains leave: a small tree, solved by a warp level by level.
#pragma once

#include "solvers/tree/hines/cuda/register_partition/team.cuh"

namespace wale::tree::register_partition {

/// Before the chains: what the separators need of the arrays, while those are there.
template <int Lanes, int Room, class T>
__device__ void take_separators(const device_form& f, const cell_memory<T>& m, const T* in, int lane) {
    for (int k = lane; k < f.separators; k += Lanes) {
        const uint4 s = f.gathers[k];
        const std::uint32_t index = s.x & 0x7fffffffu, node = s.y;
        m.sums(Room)[index] = {in[2 * Room + node], in[3 * Room + node]};
        if (s.x >> 31 == 0) continue;
        m.edges(Room)[index] = {in[node], in[Room + node]};
        m.shares(Room)[index] = {T(0), T(0)};
    }
}

/// After the chains: each separator takes their shares, in a fixed order.
template <int Lanes, int Room, class T>
__device__ void gather_chains(const device_form& f, const cell_memory<T>& m, int lane) {
    for (int k = lane; k < f.separators; k += Lanes) {
        const uint4 s = f.gathers[k];
        const std::uint32_t index = s.x & 0x7fffffffu, first = s.z, count = s.w;
        const pair<T> own = m.sums(Room)[index], low = m.shares(Room)[index];
        const pair<T>* chains = m.chain_shares(Room) + first;
        pair<T> one{}, two{};
        if (count > 0) one = chains[0];
        if (count > 1) two = chains[1];
        T d = own.a + low.a + (one.a + two.a), b = own.b + low.b + (one.b + two.b);
        for (std::uint32_t c = 2; c < count; ++c) {
            d += chains[c].a;
            b += chains[c].b;
        }
        m.sums(Room)[index] = {d, b};
    }
}

/// One warp: separators into their parents, then back.
template <int Room, class T>
__device__ bool solve_separators(const device_form& f, const cell_memory<T>& m, int lane) {
    pair<T>*const shares = m.shares(Room), *const sums = m.sums(Room), *const edges = m.edges(Room);
    T* const x = m.of_separators(Room);
    bool doubt = false;
    const auto mine = [&](int t, bool& active) {
        const int2 step = f.steps[t];
        active = step.x + lane < step.y;
        return f.levels[active ? step.x + lane : step.y - 1];
    };
    bool active;
    uint4 s = mine(0, active);
    pair<T> own = sums[s.x], edge = edges[s.w & 0x7fffffffu];
    for (int t = 0; t < f.step_count; ++t) {
        bool coming_active = false;
        const uint4 coming = mine(min(t + 1, f.step_count - 1), coming_active);
        const pair<T> coming_own = sums[coming.x], coming_edge = edges[coming.w & 0x7fffffffu];
        const pair<T>* children = shares + (s.z & 0xffff);
        const std::uint32_t count = s.z >> 16;
        pair<T> one{}, two{};
        if (count > 0) one = children[0];
        if (count > 1) two = children[1];
        T d = own.a + (one.a + two.a), b = own.b + (one.b + two.b);
        for (std::uint32_t c = 2; c < count; ++c) {
            d += children[c].a;
            b += children[c].b;
        }
        bool odd = false;
        const T inverse = trusted_reciprocal(d, odd);
        const bool reversed = s.w >> 31 != 0;
        const T upper = reversed ? edge.b : edge.a, lower = reversed ? edge.a : edge.b;
        const T c = lower * inverse, g = b * inverse;
        if (active) {
            doubt |= odd;
            shares[s.x] = {-upper * c, -upper * g};
            sums[s.x] = {c, g};
        }
        __syncwarp();
        s = coming;
        own = coming_own;
        edge = coming_edge;
        active = coming_active;
    }
    s = mine(f.step_count - 1, active);
    pair<T> factor = sums[s.x];
    for (int t = f.step_count - 1; t >= 0; --t) {
        bool coming_active = false;
        const uint4 coming = mine(max(t - 1, 0), coming_active);
        const pair<T> coming_factor = sums[coming.x];
        const T value = s.y == chain_row::none ? factor.b : fma(-factor.a, x[s.y], factor.b);
        if (active) x[s.x] = value;
        __syncwarp();
        s = coming;
        factor = coming_factor;
        active = coming_active;
    }
    return doubt;
}

}  // namespace wale::tree::register_partition
