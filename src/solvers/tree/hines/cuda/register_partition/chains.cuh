// chains - a lane's chains, up and down; all their factors are in registers in between.
#pragma once

#include "solvers/tree/hines/cuda/register_partition/team.cuh"

namespace wale::tree::register_partition {

// What the chains leave: a small tree, contracted by a warp in rounds and expanded again.

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

/// What is asked of shared memory one row ahead.
template <class T>
struct row_values {
    T upper, lower, diagonal, rhs;
    T from_below, to_below;  // couplings with the separator below, where a chain begins
};
template <class T>
__device__ T at_byte(const T* array, std::uint32_t byte) {
    return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(array) + byte);
}
/// `where` holds 8 * node.
template <class T>
__device__ std::uint32_t byte_of(const chain_row& r) {
    const std::uint32_t eight = r.where & 0x1fff8u;
    return sizeof(T) == 8 ? eight : eight / 2;
}
template <int Pitch, class T>
__device__ row_values<T> fetch(const T* in, const chain_row& r) {
    const std::uint32_t byte = byte_of<T>(r);
    row_values<T> v{at_byte(in, byte),
                    at_byte(in + Pitch, byte),
                    at_byte(in + 2 * Pitch, byte),
                    at_byte(in + 3 * Pitch, byte),
                    0,
                    0};
    if (r.first() && r.has_separator()) {
        v.from_below = in[r.node_below()];
        v.to_below = in[Pitch + r.node_below()];
    }
    return v;
}

/// Factors of a lane's nodes: x = g - c x(parent) - a x(separator below).
template <class T, int Rows>
struct factors {
    T c[Rows], a[Rows], g[Rows];
};

/// What a chain hands on: to the next node or the separator above, and to the separator below.
template <class T>
struct running {
    T d = 0, b = 0;                  // to be taken from diagonal and right side above
    T from_below = 0, to_below = 0;  // couplings of the node above with the separator below
    T low_d = 0, low_b = 0;          // to be taken from the separator below
};

/// -x * y; as a sum, since a negated factor costs nothing there.
template <class T>
__device__ T negated_product(T x, T y) {
    return fma(-x, y, T(0));
}

template <class T, int Rows>
__device__ void eliminate(int k, const chain_row& r, const row_values<T>& v, running<T>& s,
                          factors<T, Rows>& f, bool& doubt) {
    if (r.first()) s = {T(0), T(0), v.from_below, v.to_below, T(0), T(0)};
    const T inverse = trusted_reciprocal(v.diagonal - s.d, doubt);
    const T c = v.lower * inverse, g = (v.rhs - s.b) * inverse, a = s.from_below * inverse;
    f.c[k] = c;
    f.g[k] = g;
    f.a[k] = a;
    s.d = v.upper * c;
    s.b = v.upper * g;
    s.low_d = fma(s.to_below, a, s.low_d);
    s.low_b = fma(s.to_below, g, s.low_b);
    s.from_below = negated_product(v.upper, a);
    s.to_below = negated_product(s.to_below, c);
}

template <class T>
struct chain_ends {
    pair<T>*chain_shares, *edges, *low_shares;
    __device__ void put(const chain_row& r, const running<T>& s) const {
        chain_shares[r.number()] = {s.d, s.b};
        if (r.below() == chain_row::none) return;
        edges[r.below()] = {s.from_below, s.to_below};
        low_shares[r.below()] = {s.low_d, s.low_b};
    }
};

__device__ inline chain_row row_at(const int2* rows, int k) {
    const int2 r = __ldg(rows + k);
    return {static_cast<std::uint32_t>(r.x), static_cast<std::uint32_t>(r.y)};
}

/// Rows of the lane's chains upwards, all trees of the team side by side. Values are fetched a row ahead.
template <int Rows, int Lanes, int Cells, int Pitch, class T>
__device__ void climb(const int2* rows, const T* const (&in)[Cells], const chain_ends<T> (&ends)[Cells],
                      factors<T, Rows> (&f)[Cells], bool (&doubt)[Cells]) {
    running<T> s[Cells];
    row_values<T> now[Cells];
    chain_row r = row_at(rows, 0), next = row_at(rows, Rows > 1 ? Lanes : 0);
#pragma unroll
    for (int c = 0; c < Cells; ++c) now[c] = fetch<Pitch>(in[c], r);
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
        chain_row later = next;
        if (k + 2 < Rows) later = row_at(rows, (k + 2) * Lanes);
        row_values<T> coming[Cells];
#pragma unroll
        for (int c = 0; c < Cells; ++c)
            if (k + 1 < Rows) coming[c] = fetch<Pitch>(in[c], next);
#pragma unroll
        for (int c = 0; c < Cells; ++c) eliminate(k, r, now[c], s[c], f[c], doubt[c]);
        if (r.last()) {
#pragma unroll
            for (int c = 0; c < Cells; ++c) ends[c].put(r, s[c]);
        }
        r = next;
        next = later;
#pragma unroll
        for (int c = 0; c < Cells; ++c) now[c] = coming[c];
    }
}

/// And downwards; unknowns go to shared memory by node.
template <int Rows, int Lanes, int Cells, class T>
__device__ void descend(const int2* rows, const T* const (&separators)[Cells], T* const (&x)[Cells],
                        const factors<T, Rows> (&f)[Cells]) {
    T above[Cells] = {}, below[Cells] = {};
    chain_row next = row_at(rows, (Rows - 1) * Lanes),
              later = row_at(rows, (Rows > 1 ? Rows - 2 : 0) * Lanes);
#pragma unroll
    for (int k = Rows - 1; k >= 0; --k) {
        const chain_row r = next;
        next = later;
        if (k > 1) later = row_at(rows, (k - 2) * Lanes);
        const std::uint32_t byte = byte_of<T>(r);
#pragma unroll
        for (int c = 0; c < Cells; ++c) {
            if (r.last()) {
                above[c] = separators[c][r.number()];
                below[c] = r.below() == chain_row::none ? T(0) : separators[c][r.below()];
            }
            above[c] = fma(-f[c].c[k], above[c], fma(-f[c].a[k], below[c], f[c].g[k]));
            *reinterpret_cast<T*>(reinterpret_cast<char*>(x[c]) + byte) = above[c];
        }
    }
}

}  // namespace wale::tree::register_partition
