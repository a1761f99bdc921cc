// join - nodes of all tiles join by Boruvka's rounds until each knows its level. One cooperative
// launch.
#pragma once

#include "cuda/grid_barrier.cuh"
#include "cuda/warp.cuh"
#include "solvers/reconstruction/reconstruct/cuda/basins/graph.cuh"

namespace wale::reconstruction::basins {

/// The best edge of a node: level and scrambled number + 1; number 0: none.
template <class Wide>
struct choice {
    Wide level;
    std::uint32_t number;
    __device__ bool operator==(const choice& o) const { return level == o.level && number == o.number; }
};

/// One block's part: a slice of the edges and a slice of the nodes, packed in place round after round, so
/// that no list is shared. What other blocks write is read past the first-level cache, and after a barrier;
/// the exceptions are noted.
template <class Wide, int Row>
class join_work {
public:
    static constexpr join_policy policy = join_policies[Row].policy;
    static constexpr int threads = policy.threads;
    static constexpr bool one_word = sizeof(Wide) == 4;  // of level and number

    struct memory {
        std::uint32_t kept[2][threads / 32];
    };

    __device__ join_work(const graph<Wide>& g, const label_map& where, memory& m)
        : g_(g), where_(where), m_(m), barrier_(&g.count->arrived, &g.count->failed) {}

    __device__ void run() {
        const std::uint32_t edges = __ldcg(&g_.count->edges), nodes = __ldcg(&g_.count->nodes);
        edge_begin_ = slice(edges, blockIdx.x);
        edge_end_ = slice(edges, blockIdx.x + 1);
        node_begin_ = slice(nodes, blockIdx.x);
        node_end_ = slice(nodes, blockIdx.x + 1);
        while (round_ < most_rounds)
            if (!join_once()) break;
        if (round_ == most_rounds || __ldcg(&g_.count->failed) != 0) {
            g_.count->failed = 1;
            return;
        }
        if (blockIdx.x == 0 && threadIdx.x == 0) g_.count->rounds = static_cast<std::uint32_t>(round_);
        const index_t stride = index_t{threads} * gridDim.x;
        for (index_t x = 1 + index_t{blockIdx.x} * threads + threadIdx.x; x <= nodes; x += stride)
            g_.level[x] = level_of(static_cast<std::uint32_t>(x));
    }

private:
    /// One block needs no counter: its own barrier takes a tenth of the time.
    __device__ bool all_are_here() {
        if (gridDim.x > 1) return barrier_.wait();
        __syncthreads();
        return true;
    }

    /// Whether another round may find edges.
    __device__ bool join_once() {
        if (round_ == 0)
            propose<true>();
        else
            propose<false>();
        if (threadIdx.x == 0 && edge_end_ > edge_begin_)
            atomicAdd(&g_.count->left[round_], edge_end_ - edge_begin_);
        if (!all_are_here() || __ldcg(&g_.count->left[round_]) == 0) return false;
        if constexpr (!one_word) {
            propose_number();
            if (!all_are_here()) return false;
        }
        hook();
        if (!all_are_here()) return false;
        while (__ldcg(&g_.count->walking[pass_]) != 0) {  // a chain longer than a walk: all shorten theirs
            ++pass_;
            walk_on();
            if (!all_are_here()) return false;
        }
        ++pass_;
        ++round_;
        return true;
    }

    /// Moves the edges to what their ends hooked to, drops those that no level needs, offers them to their
    /// ends.
    template <bool First>
    __device__ void propose() {
        constexpr int items = policy.items;
        std::uint32_t kept = edge_begin_;
        for (std::uint32_t base = edge_begin_; base < edge_end_; base += threads * items) {
            edge e[items];
            Wide w[items];
            bool keep[items];
#pragma unroll
            for (int q = 0; q < items; ++q) {
                const std::uint32_t i = base + static_cast<std::uint32_t>(q * threads) + threadIdx.x;
                keep[q] = i < edge_end_;
                e[q] = keep[q] ? load(g_.ends + i) : edge{0, 0};
                w[q] = keep[q] ? __ldcg(g_.weight + i) : Wide{0};
            }
#pragma unroll
            for (int q = 0; q < items; ++q)
                if (keep[q]) e[q] = moved<First>(e[q]);  // the source has no parent to read
#pragma unroll
            for (int q = 0; q < items; ++q) keep[q] = keep[q] && needed(e[q], w[q]);
            std::uint32_t to[items];
            kept += places<items>(keep, kept, to);
#pragma unroll
            for (int q = 0; q < items; ++q) {
                if (!keep[q]) continue;
                g_.ends[to[q]] = e[q];
                g_.weight[to[q]] = w[q];
                offer(e[q].from, w[q], to[q]);
                offer(e[q].to, w[q], to[q]);
            }
        }
        edge_end_ = kept;
    }

    template <bool First>
    __device__ edge moved(edge e) const {
        if (!First) return {__ldcg(g_.parent + e.from), __ldcg(g_.parent + e.to)};
        if ((e.from & crosses) == 0) return e;
        const std::uint32_t tile = e.to / static_cast<std::uint32_t>(where_.pixels);
        return {e.from & ~crosses, where_.heads[tile].first + where_.labels[e.to]};
    }

    /// An edge to the source is a marker. An edge not above both markers joins what the source has joined.
    /// Markers may be rising meanwhile: an old value only keeps an edge that the next round drops.
    __device__ bool needed(edge e, Wide w) const {
        if (e.from == e.to) return false;
        if (e.from == source_node || e.to == source_node) {
            Wide* marker = g_.marker + (e.from | e.to);
            if (w > __ldcg(marker)) raise(marker, w);
            return false;
        }
        return w > smaller(__ldcg(g_.marker + e.from), __ldcg(g_.marker + e.to));
    }

    __device__ void offer(std::uint32_t node, Wide w, std::uint32_t i) const {
        std::uint64_t* best = g_.best[round_ & 1] + node;
        std::uint64_t key = w;
        if constexpr (one_word) key = key << 32 | scramble::there(i + 1);
        if (key > __ldcg(best)) raise(best, key);
    }
    __device__ void propose_number() const {
        for (std::uint32_t i = edge_begin_ + threadIdx.x; i < edge_end_; i += threads) {
            const edge e = load(g_.ends + i);
            const Wide w = __ldcg(g_.weight + i);
            for (const std::uint32_t node : {e.from, e.to})
                if (__ldcg(g_.best[round_ & 1] + node) == w)
                    atomicMax(g_.best_number[round_ & 1] + node, scramble::there(i + 1));
        }
    }
    __device__ choice<Wide> best_of(std::uint32_t node) const {
        const std::uint64_t key = __ldcg(g_.best[round_ & 1] + node);
        if constexpr (one_word)
            return {static_cast<Wide>(key >> 32), static_cast<std::uint32_t>(key)};
        else
            return {key, __ldcg(g_.best_number[round_ & 1] + node)};
    }

    /// Every node that still stands for itself hooks. The list keeps those that did before.
    __device__ void hook() {
        std::uint32_t kept = node_begin_;
        bool walking = false;
        for (std::uint32_t base = node_begin_; base < node_end_; base += threads) {
            const std::uint32_t i = base + threadIdx.x;
            std::uint32_t node = 0;
            if (i < node_end_) node = round_ == 0 ? i + 1 : __ldcg(g_.roots + i);
            const bool keep[1] = {node != 0 && __ldcg(g_.parent + node) == node};
            std::uint32_t to[1];
            kept += places<1>(keep, kept, to);
            if (!keep[0]) continue;
            g_.roots[to[0]] = node;
            walking = !settle(node) || walking;
        }
        node_end_ = kept;
        report(walking);
    }

    /// Whether the node's walk along the chain of best edges came to its end: to the source, or to two nodes
    /// that took the same edge, of which the lower stays. Others raise markers meanwhile, but never as far as
    /// the level of the best edge, so no decision here depends on it.
    __device__ bool settle(std::uint32_t node) const {
        const choice<Wide> own = best_of(node);
        const Wide marker = __ldcg(g_.marker + node);
        if (own.number == 0 || marker >= own.level) {
            g_.cap[node] = marker;
            g_.parent[node] = source_node;
            return true;
        }
        std::uint32_t at = node;
        choice<Wide> best = own;
        bool ended = false;
        for (int step = 0; step < policy.steps && !ended; ++step) {
            const edge e = load(g_.ends + (scramble::back(best.number) - 1));
            const std::uint32_t next = e.from == at ? e.to : e.from;
            const choice<Wide> its = best_of(next);
            ended = true;
            if (__ldcg(g_.marker + next) >= its.level)
                at = source_node;
            else if (its == best)
                at = smaller(at, next);
            else
                at = next, best = its, ended = false;
        }
        if (at == node) {
            g_.best[~round_ & 1][node] = 0;
            if constexpr (!one_word) g_.best_number[~round_ & 1][node] = 0;
            return true;
        }
        g_.cap[node] = own.level;
        cuda::store_relaxed(g_.parent + node, at);
        if (ended && at != source_node) raise(g_.marker + at, marker);
        return ended;
    }

    /// Walks on along parents while all others do: where each takes `steps`, chains shorten that many times.
    __device__ void walk_on() const {
        bool walking = false;
        for (std::uint32_t i = node_begin_ + threadIdx.x; i < node_end_; i += threads) {
            const std::uint32_t node = __ldcg(g_.roots + i);
            std::uint32_t at = cuda::load_relaxed(g_.parent + node);
            if (at == node || at == source_node) continue;
            std::uint32_t next = cuda::load_relaxed(g_.parent + at);
            for (int step = 0; step < policy.steps && next != at && next != source_node; ++step) {
                at = next;
                next = cuda::load_relaxed(g_.parent + at);
            }
            const bool ended = next == at || next == source_node;
            cuda::store_relaxed(g_.parent + node, next);
            if (ended && next != source_node) raise(g_.marker + next, __ldcg(g_.marker + node));
            walking = walking || !ended;
        }
        report(walking);
    }
    __device__ void report(bool walking) const {
        if (__syncthreads_or(walking) && threadIdx.x == 0) atomicAdd(&g_.count->walking[pass_], 1u);
    }

    /// At most one step for each round.
    __device__ Wide level_of(std::uint32_t node) const {
        Wide level = ~Wide{0};
        while (node != source_node) {
            const std::uint32_t on = __ldcg(g_.parent + node);
            level = smaller(level, __ldcg((on == node ? g_.marker : g_.cap) + node));
            if (on == node) break;
            node = on;
        }
        return level;
    }

    /// Where the block's kept items go, from `begin` on; returns how many. All threads of the block.
    template <int Items>
    __device__ std::uint32_t places(const bool (&keep)[Items], std::uint32_t begin,
                                    std::uint32_t (&to)[Items]) {
        const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const std::uint32_t before = (1u << lane) - 1;
        std::uint32_t mine = 0;
#pragma unroll
        for (int q = 0; q < Items; ++q) {
            const std::uint32_t votes = __ballot_sync(~0u, keep[q]);
            to[q] = mine + static_cast<std::uint32_t>(__popc(votes & before));
            mine += static_cast<std::uint32_t>(__popc(votes));
        }
        flip_ ^= 1;  // the other half may still be read
        if (lane == 0) m_.kept[flip_][warp] = mine;
        __syncthreads();
        std::uint32_t all = lane < threads / 32 ? m_.kept[flip_][lane] : 0;
        std::uint32_t first = lane < warp ? all : 0;
        all = cuda::sum_of_warp(all);
        first = begin + cuda::sum_of_warp(first);
#pragma unroll
        for (int q = 0; q < Items; ++q) to[q] += first;
        return all;
    }

    __device__ static edge load(const edge* at) {
        const uint2 e = __ldcg(reinterpret_cast<const uint2*>(at));
        return {e.x, e.y};
    }
    __device__ static std::uint32_t slice(std::uint32_t all, std::uint32_t part) {
        return static_cast<std::uint32_t>(index_t{all} * part / gridDim.x);
    }

    const graph<Wide>& g_;
    const label_map& where_;
    memory& m_;
    cuda::grid_barrier barrier_;
    std::uint32_t edge_begin_ = 0, edge_end_ = 0, node_begin_ = 0, node_end_ = 0;
    int round_ = 0, pass_ = 0, flip_ = 0;
};

template <class Wide, int Row>
__global__ void __launch_bounds__(join_policies[Row].policy.threads, 1)
    join_tiles(const __grid_constant__ graph<Wide> g, const __grid_constant__ label_map where) {
    __shared__ typename join_work<Wide, Row>::memory memory;
    join_work<Wide, Row>(g, where, memory).run();
    if (g.trap && __ldcg(&g.count->failed) != 0) __trap();
}

}  // namespace wale::reconstruction::basins
