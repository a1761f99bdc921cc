// contract - the edges of a tile, and Boruvka's rounds over them in shared memory (Boruvka 1926).
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/basins/graph.cuh"
#include "solvers/reconstruction/reconstruct/cuda/basins/links.cuh"

namespace wale::reconstruction::basins {

// What a block holds of a tile while it contracts it.

/// Basins are numbered as their maxima are found; number `basins` stands for the source.
template <class T, class Link, int Row>
struct alignas(16) tile_memory {
    using shape = shape_of<Link, Row>;
    using level = typename levels<T>::level;
    using wide = typename levels<T>::wide;
    static constexpr bool packed = sizeof(level) <= 2;  // level and edge number fit one word
    static constexpr int margin = 16 / sizeof(level);
    static constexpr int pitch = shape::columns + 2 * margin;
    static constexpr int plane_pitch = pitch * (shape::rows + 2);

    // Basins
    wide marker[shape::basins + 1];
    wide best_level[packed ? 1 : shape::basins];
    std::uint32_t best[shape::basins];      // packed: level << 16 | scrambled number; or the number
    level cap[shape::basins];               // at which it joins its root
    std::uint16_t root[shape::basins + 1];  // its parent, at first itself
    std::uint16_t hook[shape::basins];      // the same while a round lasts; in the end the label
    std::uint8_t open[shape::basins];       // touches the tile's edge: its best edge may lie outside
    // Before there are basins, their place holds a list of pixels.
    static constexpr int basin_bytes =
        shape::basins * static_cast<int>(sizeof(wide) * (packed ? 1 : 2) + sizeof(level) + 9);
    std::uint8_t spare[basin_bytes < 2 * shape::pixels ? 2 * shape::pixels - basin_bytes : 1];
    WALE_HD std::uint16_t* candidate() { return reinterpret_cast<std::uint16_t*>(marker); }

    // Pixels
    alignas(16) level keys[plane_pitch * (shape::planes + 2 * shape::depth)];  // with a rim of one pixel
    alignas(16) std::uint16_t parent[shape::pixels];                           // a pixel, or is_basin | basin

    // Edges
    std::uint32_t ends[shape::policy.edges];  // pixel << 5 | neighbour, then basin | other basin << 16
    std::uint32_t crossing[shape::policy.crossings];  // pixel << 5 | neighbour
    level weight[shape::policy.edges];

    int found, candidates, edges, crossings;
    int nodes, attached, inner;
    std::uint32_t first_node, first_edge;

    WALE_HD static constexpr int place(int x, int y, int z) {
        return (z + shape::depth) * plane_pitch + (y + 1) * pitch + margin + x;
    }
    WALE_HD static constexpr int place(int pixel) {
        return place(pixel % shape::columns, pixel / shape::columns % shape::rows,
                     pixel / (shape::columns * shape::rows));
    }
};

inline constexpr std::uint16_t is_basin = 0x8000u;  // in parent
inline constexpr std::uint32_t dead = 0xffffffffu;  // an edge that joins nothing any more

/// Places for `mine` of this thread in a list that all threads of its warp add to.
__device__ inline int reserve_in_warp(int* size, int mine) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    int upto = mine;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const int before = __shfl_up_sync(~0u, upto, d);
        upto += lane >= d ? before : 0;
    }
    int first = 0;
    if (lane == 31) first = atomicAdd(size, upto);
    return __shfl_sync(~0u, first, 31) + upto - mine;
}

/// Edges between basins of a tile, and crossings to other tiles: in shared memory, and beyond that spilled.
template <class T, class Link, int Row>
class tile_edges {
public:
    using memory = tile_memory<T, Link, Row>;
    using shape = typename memory::shape;
    using level = typename memory::level;

    __device__ tile_edges(memory& in, std::uint32_t* spill)
        : m_(in), spill_(spill + blockIdx.x * ((shape::spill_words + 1) / 2 * 2)) {}

    /// All threads of a warp, each with the neighbours that its pixel joins, in the tile and outside.
    __device__ void note(int pixel, std::uint32_t inside, std::uint32_t outside) {
        int at = reserve_in_warp(&m_.edges, __popc(inside));
        for (; inside != 0; inside &= inside - 1) ends(at++) = code(pixel, inside);
        if (!__any_sync(~0u, outside != 0)) return;
        at = reserve_in_warp(&m_.crossings, __popc(outside));
        for (; outside != 0; outside &= outside - 1) crossing(at++) = code(pixel, outside);
    }

    /// Pixels' basins are known: from pixels to the basins at both ends.
    __device__ void settle() {
        for (int i = static_cast<int>(threadIdx.x); i < m_.edges; i += shape::threads) {
            std::uint32_t& e = ends(i);
            const int pixel = static_cast<int>(e >> 5), k = static_cast<int>(e & 31u);
            const int other =
                pixel + Link::dx(k) + shape::columns * (Link::dy(k) + shape::rows * Link::dz(k));
            const std::uint32_t from = m_.parent[pixel] & 0x7fffu, to = m_.parent[other] & 0x7fffu;
            weight(i) = m_.keys[memory::place(pixel)];
            e = from | to << 16;
        }
    }

    __device__ std::uint32_t& ends(int i) const {
        return i < shape::policy.edges ? m_.ends[i]
                                       : spill_[2 * shape::spilled_edges + i - shape::policy.edges];
    }
    __device__ level& weight(int i) const {
        return i < shape::policy.edges ? m_.weight[i]
                                       : *reinterpret_cast<level*>(spill_ + 2 * (i - shape::policy.edges));
    }
    __device__ std::uint32_t& crossing(int i) const {
        return i < shape::policy.crossings ? m_.crossing[i]
                                           : spill_[3 * shape::spilled_edges + i - shape::policy.crossings];
    }

private:
    __device__ static std::uint32_t code(int pixel, std::uint32_t neighbours) {
        return static_cast<std::uint32_t>(pixel << 5 | (__ffs(static_cast<int>(neighbours)) - 1));
    }

    memory& m_;
    std::uint32_t* spill_;
};

/// A round of Boruvka: every active basin takes its best edge, or the source where its marker reaches as
/// high. Levels do not fall along a chain of such hooks, so a basin's parent is the chain's end, at its own
/// edge's level, and the end's marker is that of all of them (docs/performance/reconstruction.md has
/// the proof).
template <class T, class Link, int Row>
class contraction {
public:
    using memory = tile_memory<T, Link, Row>;
    using shape = typename memory::shape;
    using level = typename memory::level;
    using wide = typename memory::wide;

    /// everyone: basins at the tile's edge too. They are joined to each other by edges that are handed on.
    __device__ contraction(memory& in, const tile_edges<T, Link, Row>& edges, bool everyone)
        : m_(in), edges_(edges), everyone_(everyone) {}

    __device__ void run() {
        for (;;) {
            if (!__syncthreads_or(propose()) && everyone_) return;
            if constexpr (!memory::packed) {
                propose_number();
                __syncthreads();
            }
            choose();
            __syncthreads();
            if (!__syncthreads_or(attach())) return;
        }
    }

private:
    __device__ bool active(int id) const { return id != shape::basins && (everyone_ || !m_.open[id]); }

    /// Moves edges to the roots of their ends; drops those that no level needs. Whether one is left.
    __device__ bool propose() {
        bool left = false;
        for (int i = static_cast<int>(threadIdx.x); i < m_.edges; i += shape::threads) {
            std::uint32_t& e = edges_.ends(i);
            if (e == dead) continue;
            const int from = m_.root[e & 0xffffu], to = m_.root[e >> 16];
            const level w = edges_.weight(i);
            if (from == to || w <= smaller(m_.marker[from], m_.marker[to])) {
                e = dead;
                continue;
            }
            e = static_cast<std::uint32_t>(from) | static_cast<std::uint32_t>(to) << 16;
            left = true;
            if (active(from)) offer(from, w, i);
            if (active(to)) offer(to, w, i);
        }
        return left;
    }
    __device__ void offer(int id, level w, int i) {
        if constexpr (memory::packed) {
            const std::uint32_t key = static_cast<std::uint32_t>(w) << 16 | number_of(i);
            if (key > m_.best[id]) atomicMax(&m_.best[id], key);
        } else if (w > m_.best_level[id]) {
            raise(&m_.best_level[id], static_cast<wide>(w));
        }
    }
    /// Where level and number do not fit one word: the number among the edges of the best level.
    __device__ void propose_number() {
        for (int i = static_cast<int>(threadIdx.x); i < m_.edges; i += shape::threads) {
            const std::uint32_t e = edges_.ends(i);
            if (e == dead) continue;
            const wide w = edges_.weight(i);
            const int from = static_cast<int>(e & 0xffffu), to = static_cast<int>(e >> 16);
            if (active(from) && m_.best_level[from] == w) atomicMax(&m_.best[from], number_of(i));
            if (active(to) && m_.best_level[to] == w) atomicMax(&m_.best[to], number_of(i));
        }
    }
    __device__ static std::uint32_t number_of(int i) {
        return scramble::there(static_cast<std::uint16_t>(i + 1));
    }
    __device__ wide level_of(int id) const {
        if constexpr (memory::packed)
            return m_.best[id] >> 16;
        else
            return m_.best_level[id];
    }

    __device__ void choose() {
        for (int id = static_cast<int>(threadIdx.x); id < m_.found; id += shape::threads) {
            if (m_.root[id] != id) continue;
            m_.hook[id] = static_cast<std::uint16_t>(id);
            if (active(id)) choose(id);
        }
    }
    __device__ void choose(int id) {
        const std::uint32_t best = m_.best[id];
        if (best == 0 && everyone_) return;  // no edge here: other tiles decide
        const wide w = level_of(id);
        if (best == 0 || m_.marker[id] >= w) {
            m_.cap[id] = static_cast<level>(m_.marker[id]);
            m_.hook[id] = shape::basins;
            return;
        }
        const int i = scramble::back(static_cast<std::uint16_t>(best & 0xffffu)) - 1;
        const std::uint32_t e = edges_.ends(i);
        const int from = static_cast<int>(e & 0xffffu), to = static_cast<int>(e >> 16);
        const int other = from == id ? to : from;
        m_.cap[id] = static_cast<level>(w);
        // Both took this edge: the lower number stays.
        const bool mutual =
            active(other) && m_.best[other] == best && level_of(other) == w && m_.marker[other] < w;
        if (!mutual || other < id) m_.hook[id] = static_cast<std::uint16_t>(other);
    }

    /// Whether another round is needed: a closed basin has no parent yet; or, for everyone, something
    /// moved.
    __device__ bool attach() {
        bool again = false;
        for (int id = static_cast<int>(threadIdx.x); id < m_.found; id += shape::threads) {
            if (m_.root[id] != id) continue;
            int on = m_.hook[id];
            if (on == id) {
                m_.best[id] = 0;
                if constexpr (!memory::packed) m_.best_level[id] = 0;
                again = again || (!everyone_ && !m_.open[id]);
                continue;
            }
            while (on != shape::basins && m_.hook[on] != on) on = m_.hook[on];
            m_.root[id] = static_cast<std::uint16_t>(on);
            if (on != shape::basins)
                raise(&m_.marker[on], m_.marker[id]);
            else
                m_.marker[id] = larger(m_.marker[id], static_cast<wide>(m_.cap[id]));
            again = again || everyone_;
        }
        return again;
    }

    memory& m_;
    const tile_edges<T, Link, Row>& edges_;
    bool everyone_;
};

/// First the basins inside, until each has a parent at the edge or is the source's child. Then the maximum
/// spanning forest of those at the edge: other edges are not needed outside either.
template <class T, class Link, int Row>
__device__ void contract(tile_memory<T, Link, Row>& m, const tile_edges<T, Link, Row>& edges) {
    contraction<T, Link, Row>(m, edges, false).run();
    contraction<T, Link, Row>(m, edges, true).run();
}

}  // namespace wale::reconstruction::basins
