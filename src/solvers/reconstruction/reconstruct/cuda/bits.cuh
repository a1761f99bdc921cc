// bits - binary pictures without propagation: the runs of each word are joined within a tile in shared
// memory, the sets that reach a tile's edge across tiles in global memory, and every run whose set holds a
// marker is filled. Three kernels, whose order is all that they wait for; the work is bounded by runs times
// the depth of a search, whatever the picture.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/bits_sets.cuh"
#include "solvers/reconstruction/reconstruct/cuda/bits_tuning.hpp"
#include "solvers/reconstruction/reconstruct/cuda/bits_words.cuh"

namespace wale::reconstruction::bits {

inline constexpr std::uint32_t background = 0xffffffffu;  // of an edge pixel: no pixel of the mask
inline constexpr std::uint16_t no_edge = 0xffff;          // of a run: its set does not reach the tile's edge
inline constexpr std::uint32_t source = 0;                // the set of the marker, in a tile and across tiles

/// Pixels on the edges of a tile, numbered: top, bottom, left, right. A set is named by its first one.
template <int Row>
struct tile {
    static constexpr bits_tile_policy p = bits_tile_policies[Row].policy;
    static constexpr int rows = p.rows, words = p.words, columns = 32 * words, threads = rows * words;
    static constexpr int top = 0, bottom = columns, left = 2 * columns, right = left + rows;
    static constexpr int edge = right + rows;
    static_assert(edge < no_edge);
};

/// What the kernels share. `parents` has the source, then `edge` pixels a tile.
struct task {
    pixels marker, mask, out;
    index_t pictures, rows, columns, row_words;
    index_t tiles_down, tiles_across;
    bool eight, mirror;
    start_rule start;
    finish_rule finish;
    std::uint32_t* packed_mask;  // row_words a row
    std::uint32_t* filled;
    std::uint16_t* runs;  // 16 a word: the edge pixel that names the run's set, of runs not yet filled
    std::uint32_t* parents;
};

/// The word of this thread. count: its pixels, 0 outside the picture.
struct place {
    index_t picture, row, word, at;
    int count;
};

template <int Row>
__device__ inline place place_of(const task& t, index_t number, int thread) {
    using shape = tile<Row>;
    const index_t across = number % t.tiles_across, line = number / t.tiles_across;
    place p;
    p.picture = line / t.tiles_down;
    p.row = line % t.tiles_down * shape::rows + thread / shape::words;
    p.word = across * shape::words + thread % shape::words;
    const index_t left = t.columns - 32 * p.word;
    p.count = p.row < t.rows && left > 0 ? static_cast<int>(left < 32 ? left : 32) : 0;
    p.at = (p.picture * t.rows + p.row) * t.row_words + p.word;
    return p;
}

__device__ inline index_t offset_of(const pixels& p, const place& at) {
    return at.picture * p.picture_stride + at.row * p.row_stride;
}

__device__ inline std::uint32_t marker_word(const task& t, const place& p, std::uint32_t mask) {
    if (p.count == 0) return 0;
    if (t.start == start_rule::given)
        return mask & load_word(t.marker, offset_of(t.marker, p), p.word, p.count, t.mirror);
    if (t.start != start_rule::border) return 0;  // of 1 is 0, and nothing is below that
    if (p.row == 0 || p.row == t.rows - 1) return mask;
    const std::uint32_t first = p.word == 0 ? 1u : 0u;
    const std::uint32_t last = p.word == t.row_words - 1 ? 1u << (p.count - 1) : 0u;
    return mask & (first | last);
}

/// Labels of one tile in shared memory. Set `source` is the marker's; run k of thread t is 1 + k * threads +
/// t, so that neighbouring threads use neighbouring banks.
template <int Row>
struct tile_sets {
    using shape = tile<Row>;
    std::uint32_t parents[1 + runs_of_word * shape::threads];
    std::uint32_t mask[shape::threads];

    __device__ static std::uint32_t run(int thread, int k) {
        return static_cast<std::uint32_t>(1 + k * shape::threads + thread);
    }
    __device__ std::uint32_t at(int thread, int bit) const { return run(thread, run_at(mask[thread], bit)); }

    /// Joins a run of this thread with the one of `other` at the given bits.
    __device__ void connect(int thread, int bit, int other, int other_bit) {
        join(parents, at(thread, bit), at(other, other_bit));
    }

    /// Runs of this word with those of the word above: once where both have a run in the same columns, and
    /// over a corner where nothing else joins them.
    __device__ void connect_up(int thread, bool eight) {
        const int above = thread - shape::words, column = thread % shape::words;
        const std::uint32_t m = mask[thread], u = mask[above];
        for (std::uint32_t o = starts_of(m & u); o != 0; o &= o - 1) {
            const int bit = __ffs(static_cast<int>(o)) - 1;
            connect(thread, bit, above, bit);
        }
        if (!eight) return;
        for (std::uint32_t o = m & (u >> 1) & ~u & ~(m >> 1); o != 0; o &= o - 1) {
            const int bit = __ffs(static_cast<int>(o)) - 1;
            connect(thread, bit, above, bit + 1);
        }
        for (std::uint32_t o = m & (u << 1) & ~u & ~(m << 1); o != 0; o &= o - 1) {
            const int bit = __ffs(static_cast<int>(o)) - 1;
            connect(thread, bit, above, bit - 1);
        }
        if (column > 0 && (m & 1) != 0 && mask[above - 1] >> 31 != 0) connect(thread, 0, above - 1, 31);
        if (column + 1 < shape::words && m >> 31 != 0 && (mask[above + 1] & 1) != 0)
            connect(thread, 31, above + 1, 0);
    }
};

inline constexpr std::uint32_t root_flag =
    0x80000000u;  // a root's word names an edge pixel of its set instead

/// Points every run of this thread at its root; the bits of the runs whose set is the marker's.
template <int Row>
__device__ inline std::uint32_t flatten(tile_sets<Row>& sets, int thread) {
    std::uint32_t filled = 0;
    for_each_run(sets.mask[thread], [&](int k, std::uint32_t bits) {
        const std::uint32_t node = sets.run(thread, k), root = root_of(sets.parents, node);
        if (root != node) *static_cast<volatile std::uint32_t*>(sets.parents + node) = root;
        if (root == source) filled |= bits;
    });
    return filled;
}

/// The root's word of a run after flatten() and the clearing of roots.
template <int Row>
__device__ inline std::uint32_t* root_word(tile_sets<Row>& sets, std::uint32_t node) {
    const std::uint32_t p = sets.parents[node];
    return sets.parents + ((p & root_flag) != 0 ? node : p);
}

/// Names the sets of this thread's runs by the edge pixels that they hold.
template <int Row>
__device__ inline void name_edges(tile_sets<Row>& sets, int thread, std::uint32_t open) {
    using shape = tile<Row>;
    const int row = thread / shape::words, word = thread % shape::words;
    for_each_run(sets.mask[thread], [&](int k, std::uint32_t bits) {
        if ((bits & open) == 0) return;
        int first = shape::edge;
        if (word == shape::words - 1 && bits >> 31 != 0) first = shape::right + row;
        if (word == 0 && (bits & 1) != 0) first = shape::left + row;
        if (row == shape::rows - 1) first = shape::bottom + 32 * word + __ffs(static_cast<int>(bits)) - 1;
        if (row == 0) first = shape::top + 32 * word + __ffs(static_cast<int>(bits)) - 1;
        if (first < shape::edge)
            atomicMin(root_word(sets, sets.run(thread, k)), root_flag | static_cast<std::uint32_t>(first));
    });
}

/// Thread and bit of an edge pixel.
template <int Row>
__device__ inline void locate(int edge, int& thread, int& bit) {
    using shape = tile<Row>;
    if (edge < shape::left) {
        const int row = edge < shape::bottom ? 0 : shape::rows - 1, column = edge % shape::columns;
        thread = row * shape::words + column / 32;
        bit = column % 32;
    } else {
        const bool right = edge >= shape::right;
        thread =
            (edge - (right ? shape::right : shape::left)) * shape::words + (right ? shape::words - 1 : 0);
        bit = right ? 31 : 0;
    }
}

/// The parents across tiles of this tile's edge pixels: the first edge pixel of their set.
template <int Row>
__device__ inline void publish_edges(tile_sets<Row>& sets, std::uint32_t* parents, std::uint32_t base) {
    using shape = tile<Row>;
    for (int e = static_cast<int>(threadIdx.x); e < shape::edge; e += shape::threads) {
        int thread, bit;
        locate<Row>(e, thread, bit);
        std::uint32_t parent = background;
        if ((sets.mask[thread] >> bit & 1) != 0) {
            const std::uint32_t* const word = root_word(sets, sets.at(thread, bit));
            parent = word == sets.parents + source ? source : base + (*word & ~root_flag);
        }
        parents[base + static_cast<std::uint32_t>(e)] = parent;
    }
}

/// Kernel 1, a tile a block: labels its runs, fills what a marker in it reaches, publishes its edges.
template <int Row>
__global__ void __launch_bounds__(tile<Row>::threads) label_tiles(task t) {
    using shape = tile<Row>;
    __shared__ tile_sets<Row> sets;
    const int thread = static_cast<int>(threadIdx.x);
    const place p = place_of<Row>(t, blockIdx.x, thread);
    const std::uint32_t m =
        p.count == 0 ? 0 : load_word(t.mask, offset_of(t.mask, p), p.word, p.count, t.mirror);
    const std::uint32_t s = marker_word(t, p, m);
    sets.mask[thread] = m;
    if (thread == 0) sets.parents[source] = source;
    for_each_run(m, [&](int k, std::uint32_t bits) {
        sets.parents[sets.run(thread, k)] = (bits & s) != 0 ? source : sets.run(thread, k);
    });
    __syncthreads();
    if (thread % shape::words > 0 && (m & 1) != 0 && sets.mask[thread - 1] >> 31 != 0)
        sets.connect(thread, 0, thread - 1, 31);
    if (thread >= shape::words) sets.connect_up(thread, t.eight);
    __syncthreads();
    const std::uint32_t filled = flatten(sets, thread);
    __syncthreads();
    for_each_run(m & ~filled, [&](int, std::uint32_t bits) {
        const std::uint32_t node = sets.at(thread, __ffs(static_cast<int>(bits)) - 1);
        if (sets.parents[node] == node) sets.parents[node] = root_flag | no_edge;
    });
    __syncthreads();
    name_edges(sets, thread, m & ~filled);
    __syncthreads();
    publish_edges(sets, t.parents, static_cast<std::uint32_t>(1 + index_t{blockIdx.x} * shape::edge));
    if (p.count == 0) return;
    t.packed_mask[p.at] = m;
    t.filled[p.at] = filled;
    for_each_run(m, [&](int k, std::uint32_t bits) {
        if ((bits & filled) == 0)
            t.runs[runs_of_word * p.at + k] =
                static_cast<std::uint16_t>(*root_word(sets, sets.run(thread, k)) & 0xffff);
    });
}

/// The parent of an edge pixel, `background` off the picture.
struct edge_line {
    const std::uint32_t* parents;
    std::uint32_t pixels_a_tile, first, along;  // edge pixels of a tile; of this edge; on this edge
    index_t tile, tile_step, length;            // the first tile, the step to the next, pixels in all
    __device__ std::uint32_t number(index_t k) const {
        return static_cast<std::uint32_t>(1 + (tile + k / along * tile_step) * pixels_a_tile + first +
                                          k % along);
    }
    __device__ std::uint32_t operator()(index_t k) const {
        return k < 0 || k >= length ? background : parent_of(parents, number(k));
    }
};

/// Joins what touches at pixel k of two edges that lie side by side.
__device__ inline void join_edges(std::uint32_t* parents, const edge_line& a, const edge_line& b, index_t k,
                                  bool eight) {
    const std::uint32_t here = a(k), there = b(k);
    if (here == background && there == background) return;
    const bool begins = k % a.along == 0;  // else the pixel before may have joined the same two sets
    if (here != background && there != background) {
        if (begins || a(k - 1) == background || b(k - 1) == background) join(parents, here, there);
        return;
    }
    if (!eight) return;
    const std::uint32_t next = here != background ? b(k + 1) : a(k + 1);
    const std::uint32_t last = here != background ? b(k - 1) : a(k - 1);
    const std::uint32_t mine = here != background ? here : there;
    if (next != background) join(parents, mine, next);
    if (last != background) join(parents, mine, last);
}

/// Kernel 2, a thread for each pixel along the lines between tiles.
template <int Row>
__global__ void __launch_bounds__(bits_merge_threads) merge_tiles(task t) {
    using shape = tile<Row>;
    const index_t across = (t.tiles_down - 1) * t.columns, down = (t.tiles_across - 1) * t.rows;
    const index_t all = t.pictures * (across + down);
    const index_t step = index_t{gridDim.x} * bits_merge_threads;
    for (index_t i = index_t{blockIdx.x} * bits_merge_threads + threadIdx.x; i < all; i += step) {
        const index_t picture = i / (across + down), first = picture * t.tiles_down * t.tiles_across;
        index_t k = i % (across + down);
        edge_line a{t.parents, shape::edge, shape::bottom, shape::columns, 0, 1, t.columns}, b = a;
        if (k < across) {
            a.tile = first + k / t.columns * t.tiles_across;
            b.first = shape::top;
            b.tile = a.tile + t.tiles_across;
            k %= t.columns;
        } else {
            k -= across;
            a = {t.parents,          shape::edge,    shape::right, shape::rows,
                 first + k / t.rows, t.tiles_across, t.rows};
            b = a;
            b.first = shape::left;
            b.tile = a.tile + 1;
            k %= t.rows;
        }
        join_edges(t.parents, a, b, k, t.eight);
    }
}

/// Kernel 3, a tile a block: fills the runs whose sets joined the source, and writes the answer.
template <int Row>
__global__ void __launch_bounds__(tile<Row>::threads) fill_tiles(task t) {
    using shape = tile<Row>;
    __shared__ bool reached[shape::edge];
    const int thread = static_cast<int>(threadIdx.x);
    const place p = place_of<Row>(t, blockIdx.x, thread);
    const std::uint32_t m = p.count == 0 ? 0 : t.packed_mask[p.at];
    std::uint32_t filled = p.count == 0 ? 0 : t.filled[p.at];
    const std::uint32_t open = m & ~filled;
    if (__syncthreads_or(open != 0)) {
        const auto base = static_cast<std::uint32_t>(1 + index_t{blockIdx.x} * shape::edge);
        for (int e = thread; e < shape::edge; e += shape::threads) {
            const std::uint32_t parent = t.parents[base + static_cast<std::uint32_t>(e)];
            reached[e] = parent != background && root_of(t.parents, parent) == source;
        }
        __syncthreads();
        for_each_run(m, [&](int k, std::uint32_t bits) {
            if ((bits & open) == 0) return;
            const std::uint16_t edge = t.runs[runs_of_word * p.at + k];
            if (edge != no_edge && reached[edge]) filled |= bits;
        });
    }
    if (p.count == 0) return;
    const std::uint32_t answer = t.finish != finish_rule::value ? m & ~filled : t.mirror ? ~filled : filled;
    store_word(t.out, offset_of(t.out, p), p.word, p.count, answer);
}

}  // namespace wale::reconstruction::bits
