// bits - binary images without propagation: the runs of each word are joined within a tile in shared
// memory, the sets that reach a tile's edge across tiles in global memory, and every run whose set holds a
// marker is filled. Three kernels, whose order is all that they wait for; the work is bounded by runs times
// the depth of a search, whatever the image.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/bits/tuning.hpp"
#include "solvers/reconstruction/reconstruct/cuda/bits/words.cuh"

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
    index_t images, rows, columns, row_words;
    std::uint32_t tiles_down, tiles_across;  // 32 bits: a division costs a tenth of one of 64
    bool eight, mirror;
    start_rule start;
    finish_rule finish;
    std::uint32_t* packed_mask;  // row_words a row
    std::uint32_t* filled;
    std::uint16_t* runs;  // 16 a word: the edge pixel that names the run's set, of runs not yet filled
    std::uint32_t* parents;
};

/// The word of this thread. count: its pixels, 0 outside the image.
struct place {
    index_t image, row, word, at;
    int count;
};

template <int Row>
__device__ inline place place_of(const task& t, int thread) {
    using shape = tile<Row>;
    const std::uint32_t across = blockIdx.x % t.tiles_across, line = blockIdx.x / t.tiles_across;
    place p;
    p.image = line / t.tiles_down;
    p.row = index_t{line % t.tiles_down} * shape::rows + thread / shape::words;
    p.word = index_t{across} * shape::words + thread % shape::words;
    const index_t left = t.columns - 32 * p.word;
    p.count = p.row < t.rows && left > 0 ? static_cast<int>(left < 32 ? left : 32) : 0;
    p.at = (p.image * t.rows + p.row) * t.row_words + p.word;
    return p;
}

__device__ inline index_t offset_of(const pixels& p, const place& at) {
    return at.image * p.image_stride + at.row * p.row_stride;
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

/// Labels of one tile in shared memory. Set `source` is the marker's; run k of thread t is 1 + 16 t + k, so
/// that left and above are smaller. Its word lies where neighbouring threads use neighbouring banks.
template <int Row>
struct tile_sets {
    using shape = tile<Row>;
    std::uint32_t parents[1 + runs_of_word * shape::threads];
    std::uint32_t mask[shape::threads];

    /// Sets as functions of the other file want them.
    struct reference {
        tile_sets* all;
        __device__ std::uint32_t* word(std::uint32_t k) const { return all->word(k); }
    };
    __device__ std::uint32_t* word(std::uint32_t k) {
        if (k == source) return parents;
        return parents + 1 + (k - 1) % runs_of_word * shape::threads + (k - 1) / runs_of_word;
    }
    __device__ static std::uint32_t run(int thread, int k) {
        return static_cast<std::uint32_t>(1 + runs_of_word * thread + k);
    }
    __device__ std::uint32_t at(int thread, int bit) const { return run(thread, run_at(mask[thread], bit)); }
    __device__ void connect(std::uint32_t a, std::uint32_t b) { join(reference{this}, a, b); }
};

/// The words about a thread's word; zero outside the tile.
struct surroundings {
    std::uint32_t mask, left, right, above, above_left, above_right;
    template <int Row>
    __device__ surroundings(const tile_sets<Row>& sets, int thread) {
        constexpr int words = tile<Row>::words;
        const int column = thread % words;
        const bool up = thread >= words;
        mask = sets.mask[thread];
        left = column > 0 ? sets.mask[thread - 1] : 0;
        right = column + 1 < words ? sets.mask[thread + 1] : 0;
        above = up ? sets.mask[thread - words] : 0;
        above_left = up && column > 0 ? sets.mask[thread - words - 1] : 0;
        above_right = up && column + 1 < words ? sets.mask[thread - words + 1] : 0;
    }
    /// Whether a run goes on from the word to the left.
    __device__ bool continues(std::uint32_t bits) const { return (bits & 1) != 0 && left >> 31 != 0; }
    /// Bits of a run where a run of the word above begins to lie over it; not where both come from the left.
    __device__ std::uint32_t overlaps(std::uint32_t bits) const {
        const bool both = (bits & above & 1) != 0 && (left & above_left) >> 31 != 0;
        return starts_of(bits & above) & ~(both ? 1u : 0u);
    }
    /// Bits of a run that touch the word above over a corner only: to the left, to the right.
    __device__ std::uint32_t corner_left(std::uint32_t bits) const {
        return bits & (above << 1) & ~above & ~(mask << 1);
    }
    __device__ std::uint32_t corner_right(std::uint32_t bits) const {
        return bits & (above >> 1) & ~above & ~(mask >> 1);
    }
};

__device__ inline int lowest_bit(std::uint32_t word) {
    return __ffs(static_cast<int>(word)) - 1;
}

/// The first parent of a run, by plain stores: the source, the run that it continues, the first run above it,
/// or itself.
template <int Row>
__device__ inline std::uint32_t first_parent(const tile_sets<Row>& sets, int thread, const surroundings& near,
                                             std::uint32_t node, std::uint32_t bits, std::uint32_t marker) {
    if ((bits & marker) != 0) return source;
    if (near.continues(bits)) return sets.at(thread - 1, 31);
    const std::uint32_t o = near.overlaps(bits);
    return o == 0 ? node : sets.at(thread - tile<Row>::words, lowest_bit(o));
}

/// Joins a run with all that it touches to the left and above and that first_parent() did not give it.
template <int Row>
__device__ inline void connect_run(tile_sets<Row>& sets, int thread, const surroundings& near,
                                   std::uint32_t node, std::uint32_t bits, bool marked, bool eight) {
    const int above = thread - tile<Row>::words;
    std::uint32_t o = near.overlaps(bits);
    if (near.continues(bits)) {
        if (marked) sets.connect(node, sets.at(thread - 1, 31));
    } else if (!marked) {
        o &= o - 1;
    }
    for (; o != 0; o &= o - 1) sets.connect(node, sets.at(above, lowest_bit(o)));
    if (!eight) return;
    if (const std::uint32_t c = near.corner_left(bits); c != 0)
        sets.connect(node, sets.at(above, lowest_bit(c) - 1));
    if (const std::uint32_t c = near.corner_right(bits); c != 0)
        sets.connect(node, sets.at(above, lowest_bit(c) + 1));
    if ((bits & ~near.above & 1) != 0 && (near.above_left & ~near.left) >> 31 != 0)
        sets.connect(node, sets.at(above - 1, 31));
    if ((bits & ~near.above) >> 31 != 0 && (near.above_right & ~near.right & 1) != 0)
        sets.connect(node, sets.at(above + 1, 0));
}

inline constexpr std::uint32_t root_flag =
    0x80000000u;  // a root's word names an edge pixel of its set instead

/// Points every run of this thread at its root; the bits of the runs whose set is the marker's.
template <int Row>
__device__ inline std::uint32_t flatten(tile_sets<Row>& sets, int thread) {
    std::uint32_t filled = 0;
    for_each_run(sets.mask[thread], [&](int k, std::uint32_t bits) {
        const std::uint32_t node = sets.run(thread, k);
        const std::uint32_t root = seen_root_of(typename tile_sets<Row>::reference{&sets}, node);
        if (root != node) *static_cast<volatile std::uint32_t*>(sets.word(node)) = root;
        if (root == source) filled |= bits;
    });
    return filled;
}

/// The root's word of a run after flatten() and the clearing of roots.
template <int Row>
__device__ inline std::uint32_t* root_word(tile_sets<Row>& sets, std::uint32_t node) {
    const std::uint32_t p = *sets.word(node);
    return sets.word((p & root_flag) != 0 ? node : p);
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
        if (row == shape::rows - 1) first = shape::bottom + 32 * word + lowest_bit(bits);
        if (row == 0) first = shape::top + 32 * word + lowest_bit(bits);
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
    if (base == 1 && threadIdx.x == 0) parents[source] = source;
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
    const place p = place_of<Row>(t, thread);
    const std::uint32_t m =
        p.count == 0 ? 0 : load_word(t.mask, offset_of(t.mask, p), p.word, p.count, t.mirror);
    const std::uint32_t s = marker_word(t, p, m);
    sets.mask[thread] = m;
    if (thread == 0) sets.parents[source] = source;
    __syncthreads();
    const surroundings near(sets, thread);
    for_each_run(m, [&](int k, std::uint32_t bits) {
        const std::uint32_t node = sets.run(thread, k);
        *sets.word(node) = first_parent(sets, thread, near, node, bits, s);
    });
    __syncthreads();
    for_each_run(m, [&](int k, std::uint32_t bits) {
        connect_run(sets, thread, near, sets.run(thread, k), bits, (bits & s) != 0, t.eight);
    });
    __syncthreads();
    const std::uint32_t filled = flatten(sets, thread);
    __syncthreads();
    for_each_run(m & ~filled, [&](int, std::uint32_t bits) {
        const std::uint32_t node = sets.at(thread, lowest_bit(bits));
        if (*sets.word(node) == node) *sets.word(node) = root_flag | no_edge;
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

/// The parents of the edge pixels along a line between tiles, `background` off the image.
template <int Row, int Along>
struct edge_line {
    plain_sets sets;
    std::uint32_t first;      // number of the first edge pixel of the first tile
    std::uint32_t tile_step;  // from it to that of the next tile
    index_t length;           // pixels in all
    __device__ std::uint32_t operator()(index_t k) const {
        if (k < 0 || k >= length) return background;
        const auto pixel = static_cast<std::uint32_t>(k);
        return parent_of(sets, first + pixel / Along * tile_step + pixel % Along);
    }
};

/// Joins what touches at pixel k of two edges that lie side by side.
template <int Row, int Along>
__device__ inline void join_edges(const edge_line<Row, Along>& a, const edge_line<Row, Along>& b, index_t k,
                                  bool eight) {
    const std::uint32_t here = a(k), there = b(k);
    if (here == background && there == background) return;
    if (here != background && there != background) {
        // Within a tile the pixel before may have joined the same two sets.
        if (k % Along == 0 || a(k - 1) == background || b(k - 1) == background) join(a.sets, here, there);
        return;
    }
    if (!eight) return;
    const std::uint32_t next = here != background ? b(k + 1) : a(k + 1);
    const std::uint32_t last = here != background ? b(k - 1) : a(k - 1);
    const std::uint32_t mine = here != background ? here : there;
    if (next != background) join(a.sets, mine, next);
    if (last != background) join(a.sets, mine, last);
}

/// Lines between tiles for kernel 2: a thread a pixel, blocks of lines across images first.
struct line_blocks {
    std::uint32_t of_across, of_down;  // blocks of a line of either kind
    std::uint32_t across, all;         // blocks of all lines across; of all lines

    explicit line_blocks(const task& t)
        : of_across(static_cast<std::uint32_t>((t.columns + bits_merge_threads - 1) / bits_merge_threads)),
          of_down(static_cast<std::uint32_t>((t.rows + bits_merge_threads - 1) / bits_merge_threads)),
          across(static_cast<std::uint32_t>(t.images) * (t.tiles_down - 1) * of_across),
          all(across + static_cast<std::uint32_t>(t.images) * (t.tiles_across - 1) * of_down) {}
};

/// Kernel 2.
template <int Row>
__global__ void __launch_bounds__(bits_merge_threads) merge_tiles(task t, line_blocks blocks) {
    using shape = tile<Row>;
    const plain_sets sets{t.parents};
    const bool across = blockIdx.x < blocks.across;
    const std::uint32_t block = across ? blockIdx.x : blockIdx.x - blocks.across;
    const std::uint32_t of_line = across ? blocks.of_across : blocks.of_down;
    const std::uint32_t line = block / of_line, lines = (across ? t.tiles_down : t.tiles_across) - 1;
    const index_t k = index_t{block % of_line} * bits_merge_threads + threadIdx.x;
    const std::uint32_t image = line / lines * t.tiles_down * t.tiles_across, i = line % lines;
    if (across) {
        const std::uint32_t first = 1 + (image + i * t.tiles_across) * shape::edge;
        const edge_line<Row, shape::columns> above{sets, first + shape::bottom, shape::edge, t.columns};
        auto below = above;
        below.first = first + t.tiles_across * shape::edge + shape::top;
        if (k < t.columns) join_edges(above, below, k, t.eight);
    } else {
        const std::uint32_t first = 1 + (image + i) * shape::edge;
        const edge_line<Row, shape::rows> left{sets, first + shape::right, t.tiles_across * shape::edge,
                                               t.rows};
        auto right = left;
        right.first = first + shape::edge + shape::left;
        if (k < t.rows) join_edges(left, right, k, t.eight);
    }
}

/// Kernel 3, a tile a block: fills the runs whose sets joined the source, and writes the answer.
template <int Row>
__global__ void __launch_bounds__(tile<Row>::threads) fill_tiles(task t) {
    using shape = tile<Row>;
    __shared__ bool reached[shape::edge];
    const int thread = static_cast<int>(threadIdx.x);
    const place p = place_of<Row>(t, thread);
    const std::uint32_t m = p.count == 0 ? 0 : t.packed_mask[p.at];
    std::uint32_t filled = p.count == 0 ? 0 : t.filled[p.at];
    const std::uint32_t open = m & ~filled;
    if (__syncthreads_or(open != 0)) {
        const auto base = static_cast<std::uint32_t>(1 + index_t{blockIdx.x} * shape::edge);
        for (int e = thread; e < shape::edge; e += shape::threads) {
            const std::uint32_t parent = t.parents[base + static_cast<std::uint32_t>(e)];
            reached[e] = parent != background && root_of(plain_sets{t.parents}, parent) == source;
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
