// levels - a block takes a tree by a schedule made before (levels.hpp): one step after the other up, then
// down.
#pragma once

#include "solvers/tree/hines/cuda/levels/tuning.hpp"
#include "solvers/tree/hines/shared/levels.hpp"
#include "solvers/tree/hines/shared/vectors.cuh"

namespace wale::tree::block_levels {

/// Where a schedule lies in the arrays of all.
struct device_schedule {
    std::int64_t rows, shares;
    std::int32_t steps;  // 0: there is none
};
struct device_tree {
    std::int32_t form, base;
};
struct device_form {
    device_schedule plain, centred;
    std::int32_t nodes;
    std::int32_t resident;  // its factors and shares fit into shared memory, its nodes are consecutive
};

template <class T>
struct share {
    T d, b;
};
template <class T>
struct level_work {
    device_tree_vectors<T> v;
    T* factor;         // placed as the vectors are; for trees that are not resident
    share<T>* shares;  // [instances * most_shares], for the same
    index_t most_shares;
    const device_form* forms;
    const device_tree* trees;
    const int4* rows;
    const std::int32_t *share_ends, *share_parents;
    index_t instances;
};

/// Factors of a tree's nodes, c and g with x = g - c x(parent): in shared memory, or c in scratch and g where
/// the unknowns go. Before a node is eliminated its diagonal and right side are there, or in the inputs.
template <bool Resident, class T>
struct tree_state {
    T *c, *g;
    const T *diagonal, *rhs;
    index_t step;
    __device__ T diagonal_of(std::int32_t node) const { return Resident ? c[node] : diagonal[node * step]; }
    __device__ T rhs_of(std::int32_t node) const { return Resident ? g[node] : rhs[node * step]; }
    __device__ T& factor(std::int32_t node) const { return c[Resident ? node : node * step]; }
    __device__ T& unknown(std::int32_t node) const { return g[Resident ? node : node * step]; }
};

/// One block's tree.
template <bool Resident, class T>
struct block_tree {
    const level_work<T>& w;
    tree_state<Resident, T> state;
    share<T>* shares;
    index_t begin, step, vector;
    std::int32_t base;
    bool names_pivots;  // this schedule's pivots are Hines's own

    struct values {
        T d, b, up, low;
    };
    __device__ static level_row row(const int4* rows, index_t k) {
        const int4 r = __ldg(rows + k);
        return {static_cast<std::uint32_t>(r.x), r.y, r.z, r.w};
    }
    __device__ values fetch(const level_row& r) const {
        if (r.is(level_row::idle)) return {T(1), T(0), T(0), T(0)};
        const index_t edge = begin + (r.edge < 0 ? ~r.edge : r.edge) * step;
        const T up = w.v.upper[edge], low = w.v.lower[edge];
        return {state.diagonal_of(r.node()), state.rhs_of(r.node()), r.edge < 0 ? low : up,
                r.edge < 0 ? up : low};
    }
    /// True where the pivot is bad.
    __device__ bool eliminate(const level_row& r, const values& in, const std::int32_t* ends,
                              share<T>& carry) const {
        if (r.is(level_row::barrier_upwards)) __syncthreads();
        if (r.is(level_row::idle)) return false;
        T d = in.d, b = in.b;
        if (r.is(level_row::taken)) {
            d -= carry.d;
            b -= carry.b;
        }
        if (r.in >= 0) {
            const std::int32_t end = __ldg(ends + r.in);
            for (std::int32_t k = r.in; k < end; ++k) {
                d -= shares[k].d;
                b -= shares[k].b;
            }
        }
        const bool bad = is_bad(d);
        if (bad && names_pivots) w.v.bad.note(vector, base + r.node());
        if (w.v.eliminated) w.v.eliminated[begin + r.node() * step] = d;
        const T inverse = reciprocal(d), c = in.low * inverse, g = b * inverse;
        state.factor(r.node()) = c;
        state.unknown(r.node()) = g;
        carry = {in.up * c, in.up * g};
        if (r.out >= 0) shares[r.out] = carry;
        return bad;
    }
    __device__ bool climb(const device_schedule& s) const {
        constexpr int ahead = levels::ahead;
        const int4* rows = w.rows + s.rows + threadIdx.x;
        const index_t lanes = blockDim.x;
        level_row now[ahead], next[ahead];
        values in[ahead];
        share<T> carry{};
        bool bad = false;
#pragma unroll
        for (int j = 0; j < ahead; ++j) {
            now[j] = row(rows, j * lanes);
            next[j] = row(rows, (ahead + j) * lanes);
            in[j] = fetch(now[j]);
        }
        for (int t = 0; t < s.steps; t += ahead) {
            values coming[ahead];
            level_row later[ahead];
#pragma unroll
            for (int j = 0; j < ahead; ++j) {
                coming[j] = fetch(next[j]);
                later[j] = t + ahead < s.steps ? row(rows, (t + 2 * ahead + j) * lanes) : next[j];
            }
#pragma unroll
            for (int j = 0; j < ahead; ++j) {
                bad |= eliminate(now[j], in[j], w.share_ends + s.shares, carry);
                now[j] = next[j];
                next[j] = later[j];
                in[j] = coming[j];
            }
        }
        return bad;
    }
    __device__ void descend(const device_schedule& s) const {
        constexpr int ahead = levels::ahead;
        const int4* rows = w.rows + s.rows + threadIdx.x;
        const std::int32_t* parents = w.share_parents + s.shares;
        const index_t lanes = blockDim.x;
        level_row next[ahead];
        std::int32_t above[ahead];
        const auto load = [&](int t) {
#pragma unroll
            for (int j = 0; j < ahead; ++j) {
                next[j] = row(rows, (t + j) * lanes);
                above[j] = next[j].out >= 0 ? __ldg(parents + next[j].out) : -1;
            }
        };
        load(s.steps - ahead);
        T x = 0;
        for (int t = s.steps - ahead; t >= 0; t -= ahead) {
            level_row now[ahead];
            std::int32_t parent[ahead];
            T c[ahead], g[ahead];
#pragma unroll
            for (int j = 0; j < ahead; ++j) {
                now[j] = next[j];
                parent[j] = above[j];
                const bool idle = now[j].is(level_row::idle);
                c[j] = idle ? T(0) : state.factor(now[j].node());
                g[j] = idle ? T(0) : state.unknown(now[j].node());
            }
            load(max(t - ahead, 0));
#pragma unroll
            for (int j = ahead - 1; j >= 0; --j) {
                if (now[j].is(level_row::barrier_downwards)) __syncthreads();
                if (now[j].is(level_row::idle)) continue;
                if (parent[j] >= 0) x = state.unknown(parent[j]);
                x = now[j].out == level_row::root ? g[j] : fma(-c[j], x, g[j]);
                state.unknown(now[j].node()) = x;
            }
        }
    }
};

/// In shared memory: around the centre if that is allowed; where a pivot is bad, once more in Hines's order,
/// which has the last word. The inputs are as they were until the unknowns are stored.
template <class T>
__device__ void solve_resident(const level_work<T>& w, const device_form& f, index_t begin, index_t vector,
                               std::int32_t base) {
    extern __shared__ __align__(16) char memory[];
    T* const c = reinterpret_cast<T*>(memory);
    T* const g = c + f.nodes;
    const index_t step = w.v.at.step();
    auto* const shares = reinterpret_cast<share<T>*>(g + f.nodes);
    for (bool centred = w.v.eliminated == nullptr;; centred = false) {
        for (std::int32_t i = threadIdx.x; i < f.nodes; i += static_cast<std::int32_t>(blockDim.x)) {
            c[i] = w.v.diagonal[begin + i * step];
            g[i] = w.v.rhs[begin + i * step];
        }
        __syncthreads();
        const block_tree<true, T> tree{
            w, {c, g, nullptr, nullptr, step}, shares, begin, step, vector, base, !centred};
        const device_schedule& s = centred ? f.centred : f.plain;
        const bool bad = tree.climb(s);
        if (__syncthreads_or(bad) && centred) continue;
        tree.descend(s);
        break;
    }
    __syncthreads();
    for (std::int32_t i = threadIdx.x; i < f.nodes; i += static_cast<std::int32_t>(blockDim.x))
        w.v.solution[begin + i * step] = g[i];
}

/// A block a tree; its lanes wait for each other only.
template <int Row, class T>
__global__ void __launch_bounds__(policies[Row].policy.lanes)
    solve_levels_of_trees(const __grid_constant__ level_work<T> w) {
    const index_t me = blockIdx.x, vector = me % w.v.at.count;
    const device_tree t = w.trees[me / w.v.at.count];
    const device_form f = w.forms[t.form];
    const index_t step = w.v.at.step(), begin = w.v.at.begin_of(vector) + t.base * step;
    if (f.resident) {
        solve_resident(w, f, begin, vector, t.base);
        return;
    }
    const block_tree<false, T> tree{
        w,
        {w.factor + begin, w.v.solution + begin, w.v.diagonal + begin, w.v.rhs + begin, step},
        w.shares + me * w.most_shares,
        begin,
        step,
        vector,
        t.base,
        true};
    tree.climb(f.plain);
    __syncthreads();
    tree.descend(f.plain);
}

}  // namespace wale::tree::block_levels
