// solve - a team's way with its trees: copies, chains up, separators, chains down, store; and the careful way
// for a tree with a pivot that no reciprocal should be trusted with.
#pragma once

#include "solvers/tree/hines/cuda/register_partition/chains.cuh"

namespace wale::tree::register_partition {

/// Starts the copies of a unit's trees. One thread.
template <int Cells, int Pitch, class T>
__device__ void start_copies(const partition_work<T>& w, const located<Cells>& l, const arrivals& a,
                             const cell_memory<T> (&m)[Cells]) {
    window<T> parts[Cells];
    std::uint32_t bytes = 0;
#pragma unroll
    for (int c = 0; c < Cells; ++c) {
        parts[c] = window_of(w, l.begin[c], l.nodes);
        if (l.there[c] && parts[c].inside) bytes += 4u * parts[c].words * sizeof(T);
    }
    a.expect(bytes);
    const T* const arrays[4] = {w.v.upper, w.v.lower, w.v.diagonal, w.v.rhs};
#pragma unroll
    for (int c = 0; c < Cells; ++c) {
        if (!l.there[c] || !parts[c].inside) continue;
#pragma unroll
        for (int k = 0; k < 4; ++k)
            a.copy(m[c].base + k * Pitch, arrays[k] + parts[c].first, parts[c].words * sizeof(T));
    }
}

/// At the ends of the arrays, or where those are not aligned alike.
template <int Lanes, int Pitch, class T>
__device__ void copy_by_word(const partition_work<T>& w, const cell_memory<T>& m, index_t begin,
                             const int2& skip_nodes, int lane) {
    const T* const arrays[4] = {w.v.upper, w.v.lower, w.v.diagonal, w.v.rhs};
    for (int k = 0; k < 4; ++k)
        for (int i = lane; i < skip_nodes.y; i += Lanes)
            m.base[k * Pitch + skip_nodes.x + i] = arrays[k][begin + i];
    asm volatile("fence.proxy.async;" ::: "memory");  // later bulk copies write here
}

/// Unknowns to their vector, 16 bytes at a time where they are whole.
template <int Lanes, class T>
__device__ void store(const T* x, T* to, const int2& skip_nodes, int lane) {
    constexpr int per = 16 / static_cast<int>(sizeof(T));
    const int first = skip_nodes.x, last = skip_nodes.x + skip_nodes.y;
    for (int j = lane * per; j < last; j += Lanes * per) {
        if (j >= first && j + per <= last) {
            __stcs(reinterpret_cast<int4*>(to + j), *reinterpret_cast<const int4*>(x + j));
            continue;
        }
        for (int i = max(j, first); i < min(j + per, last); ++i) to[i] = x[i];
    }
}

struct careful_tree {
    const int2* plain;
    index_t begin, vector;
    std::int32_t base, nodes;
};

/// Hines's own order with divisions, by one thread; names the bad pivot. The inputs are still there. Never
/// inlined: it must not take registers from those who come by without a doubt.
template <class T>
__device__ __noinline__ void solve_carefully(const device_tree_vectors<T>& v, careful_tree t, T* pivot) {
    const index_t begin = t.begin;
    const int nodes = t.nodes;
    T* x = v.solution + begin;
    for (int i = 0; i < nodes; ++i) {
        pivot[i] = v.diagonal[begin + i];
        x[i] = v.rhs[begin + i];
    }
    for (int k = nodes - 1; k >= 0; --k) {
        const int i = t.plain[k].x, p = t.plain[k].y;
        if (is_bad(pivot[i])) v.bad.note(t.vector, t.base + i);
        if (p < 0) continue;
        const T factor = v.upper[begin + i] / pivot[i];
        pivot[p] = fma(-factor, v.lower[begin + i], pivot[p]);
        x[p] = fma(-factor, x[i], x[p]);
    }
    for (int k = 0; k < nodes; ++k) {
        const int i = t.plain[k].x, p = t.plain[k].y;
        x[i] = (p < 0 ? x[i] : fma(-v.lower[begin + i], x[p], x[i])) / pivot[i];
    }
}

/// Who does what: a team of lanes takes trees at a fixed stride; lane 0 starts the bulk copies of its next
/// ones. What waits: all lanes, for those copies, at the team's mbarrier, and for each other. Why it cannot
/// deadlock: the copies were started before by the same team, and no team waits for another. Why this order
/// of memory: the barrier's completed phase makes the copied bytes visible to those that waited; a team meets
/// between its last reading of a buffer and the start of the copies that overwrite it.
template <int Row, class T>
__global__ void __launch_bounds__(policies[Row].policy.lanes* policies[Row].policy.teams, 1)
    solve_teams(const __grid_constant__ partition_work<T> w) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // bulk copies: the row refuses older devices
    constexpr policy p = policies[Row].policy;
    constexpr int lanes = p.lanes, cells = p.cells, pitch = p.pitch, rows = p.rows;
    extern __shared__ __align__(128) char memory[];
    const int team = static_cast<int>(threadIdx.x) / lanes, lane = static_cast<int>(threadIdx.x) % lanes;
    const int words = cell_memory<T>::words(pitch, w.most_separators, w.most_chains);
    arrivals copies{reinterpret_cast<std::uint64_t*>(memory) + team};
    const int record_bytes = form_records::bytes(w.most_separators, w.most_steps);
    char* const own_records = memory + 128 + team * record_bytes;
    const form_records records{reinterpret_cast<int4*>(own_records),
                               reinterpret_cast<int2*>(own_records + 32 * w.most_separators)};
    T* const trees = reinterpret_cast<T*>(memory + 128 + (blockDim.x / lanes) * record_bytes);
    cell_memory<T> m[cells];
#pragma unroll
    for (int c = 0; c < cells; ++c)
        m[c] = {trees + (team * cells + c) * words, w.most_separators, w.most_chains};
#pragma unroll
    for (int c = 0; c < cells; ++c) {
        if (lane < 16) m[c].base[lane / 4 * pitch + p.idle() + lane % 4] = lane / 4 == 2 ? T(1) : T(0);
        if (lane == 0) *m[c].doubtful(pitch) = 0;
    }
    if (lane == 0) copies.set_up();
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    __syncthreads();
    const index_t stride = index_t{gridDim.x} * (blockDim.x / lanes);
    index_t number = index_t{gridDim.x} * team + blockIdx.x;
    place_in_work at{number / w.groups, number % w.groups};
    const place_in_work step{stride / w.groups, stride % w.groups};
    const int4* const units = reinterpret_cast<const int4*>(w.units);
    int4 coming = number < w.total ? __ldg(units + at.unit) : int4{};
    device_form f{};
    int known = -1;  // the form whose records are here
    if (lane == 0 && number < w.total) start_copies<cells, pitch>(w, locate<cells>(w, coming, at), copies, m);
    for (; number < w.total; number += stride) {
        const located<cells> l = locate<cells>(w, coming, at);
        at.advance(step, w.groups);
        if (number + stride < w.total) coming = __ldg(units + at.unit);  // used after the climb
        if (l.form != known) {
            f = w.forms[l.form];
            known = l.form;
            for (int k = lane; k < 2 * f.count; k += lanes)
                records.separators[k] = w.records[f.separators + k];
            for (int k = lane; k < f.steps; k += lanes) records.steps[k] = w.rows[f.steps_begin + k];
            team_barrier<lanes>(team);
        }
        if (!copies.wait()) {
            if (lane == 0 && w.failed != nullptr) *w.failed = 1;
            return;
        }
        const T* in[cells];
        bool by_word = false;
#pragma unroll
        for (int c = 0; c < cells; ++c) {
            const window<T> part = window_of(w, l.begin[c], f.nodes);
            in[c] = m[c].base + part.skip;
            if (!l.there[c] || part.inside) continue;
            copy_by_word<lanes, pitch>(w, m[c], l.begin[c], {part.skip, f.nodes}, lane);
            by_word = true;
        }
        if (by_word) team_barrier<lanes>(team);
        chain_ends<T> ends[cells];
#pragma unroll
        for (int c = 0; c < cells; ++c) {
            take_separators<lanes, pitch>(records.separators, f.count, m[c], in[c], lane);
            ends[c] = {m[c].chain_shares(pitch), m[c].edges(pitch), m[c].low_shares(pitch)};
        }
        factors<T, rows> factor[cells];
        bool doubt[cells] = {};
        climb<rows, lanes, cells, pitch>(w.rows + f.up + lane, in, ends, factor, doubt);
#pragma unroll
        for (int c = 0; c < cells; ++c)
            if (doubt[c]) *m[c].doubtful(pitch) = 1;
        team_barrier<lanes>(team);
        if (lane == 0 && number + stride < w.total)
            start_copies<cells, pitch>(w, locate<cells>(w, coming, at), copies, m);
#pragma unroll
        for (int c = 0; c < cells; ++c) {
            if (c % (lanes / 32) != lane / 32) continue;
            gather_chains<pitch>(records.separators, f.count, m[c], lane % 32);
            if (solve_separators<pitch>(records, f.count, f.steps, m[c], lane % 32))
                *m[c].doubtful(pitch) = 1;
        }
        team_barrier<lanes>(team);
        T* x[cells];
        const T* found[cells];
        int skip[cells];
#pragma unroll
        for (int c = 0; c < cells; ++c) {
            constexpr int per = 16 / static_cast<int>(sizeof(T));
            const auto to = reinterpret_cast<std::uintptr_t>(w.v.solution + l.begin[c]);
            skip[c] = static_cast<int>(to / sizeof(T) % per);
            x[c] = m[c].unknowns(pitch) + skip[c];
            found[c] = m[c].of_separators(pitch);
            for (int k = lane; k < f.count; k += lanes)
                x[c][records.separators[k].x & 0x7fffffff] = found[c][k];
        }
        descend<rows, lanes, cells>(w.rows + f.down + lane, found, x, factor);
        team_barrier<lanes>(team);
        bool careful = false;
#pragma unroll
        for (int c = 0; c < cells; ++c) {
            if (!l.there[c]) continue;
            if (*m[c].doubtful(pitch) != 0)
                careful = true;
            else
                store<lanes>(m[c].unknowns(pitch), w.v.solution + l.begin[c] - skip[c], {skip[c], f.nodes},
                             lane);
        }
        team_barrier<lanes>(team);
        if (!careful && !(cells > 1 && !l.there[cells - 1])) continue;
#pragma unroll
        for (int c = 0; c < cells; ++c) {
            if (lane != 0 || *m[c].doubtful(pitch) == 0) continue;
            if (l.there[c])
                solve_carefully(w.v, {w.rows + f.plain, l.begin[c], l.vector[c], l.base[c], f.nodes},
                                m[c].unknowns(pitch));
            *m[c].doubtful(pitch) = 0;
        }
        team_barrier<lanes>(team);
    }
#endif
}

}  // namespace wale::tree::register_partition
