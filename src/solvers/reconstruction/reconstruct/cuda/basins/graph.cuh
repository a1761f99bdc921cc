// graph - what the kernels of cuda/basins hand to each other. A tile contracts its pixels to nodes:
// the basins that touch its edge, each with the highest marker in it; everything else has a node as its
// parent, or the source that all markers come from. Edges join nodes at the level of a saddle.
#pragma once

#include <cstdint>

#include "cuda/stream.cuh"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/reconstruct/cuda/basins/levels.cuh"
#include "solvers/reconstruction/reconstruct/cuda/basins/tuning.hpp"

namespace wale::reconstruction::basins {

inline constexpr std::uint32_t source_node = 0;            // nodes count from 1
inline constexpr std::uint32_t crosses = 0x80000000u;      // in edge::from: `to` is the address of a label
inline constexpr std::uint16_t no_label = 0xffffu;         // of a place of a tile outside the image
inline constexpr std::uint16_t to_source = no_label;       // parent of the source's children
inline constexpr int most_rounds = 40;                     // of joining: each at least halves the nodes
inline constexpr int most_passes = 6 * most_rounds;        // walks: steps^k nodes of a chain after k of them
inline constexpr index_t most_pixels = index_t{1} << 32;   // of a chunk, tiles filled up: addresses of labels
inline constexpr index_t chunk_pixels = index_t{1} << 28;  // of a batch at once, unless an image has more

struct tile_head {
    std::uint32_t first;  // its nodes are first, first + 1, ...
    std::uint16_t nodes,
        attached;  // labels below `nodes` are nodes, then come basins whose parent is a node or the source
};

struct edge {
    std::uint32_t from, to;
};

struct counters {
    std::uint32_t failed;  // a wait ran out, or a list was too short; the rest is cleared by chunk
    std::uint32_t nodes, edges;
    std::uint32_t arrived;               // at the grid barrier
    std::uint32_t rounds;                // of joining
    std::uint32_t left[most_rounds];     // edges left in a round
    std::uint32_t walking[most_passes];  // blocks with a walk that has not ended
};

/// Best edge of a node: by level, then by scrambled edge number; number 0: none. Two tables, by parity of the
/// round. A 32-bit level and the number share a word; a 64-bit level has a word of its own.
template <class Wide>
struct graph {
    counters* count;
    // by node
    Wide* marker;            // the highest that reached it
    std::uint32_t* parent;   // itself, the node that it hooked to, or the source
    Wide* cap;               // level of the edge to its parent
    std::uint64_t* best[2];  // level << 32 | number, or the level
    std::uint32_t* best_number[2];
    Wide* level;           // the answer
    std::uint32_t* roots;  // nodes that no other has taken, block by block
    // by edge
    edge* ends;
    Wide* weight;
    std::uint32_t most_nodes, most_edges;
    bool trap;  // the host does not read `failed`: trap, so that the caller's next call fails
};

/// Where the join finds the node of a pixel.
struct label_map {
    const std::uint16_t* labels;
    const tile_head* heads;
    int pixels;  // of a tile
};

/// Tiles of a chunk of images, and what they hand on. Labels lie tile by tile.
template <class T>
struct tiling {
    using level = typename levels<T>::level;
    recipe<T> rule;
    const T* mask = nullptr;
    const T* marker = nullptr;
    void* out = nullptr;  // of T, or bytes where the answer is a flag
    raster mask_at, marker_at, out_at;
    bool mask_in_vectors = false, out_in_vectors = false;  // rows begin at 16 bytes
    index_t across = 0, down = 0, deep = 0;                // tiles of an image
    index_t tiles = 0;                                     // of the chunk
    std::uint16_t* labels = nullptr;
    tile_head* heads = nullptr;
    std::uint16_t* parents = nullptr;  // of an attached basin: a label below `nodes`, or to_source
    level* parent_levels = nullptr;    // and the level of that
    std::uint32_t* spill = nullptr;    // of a block: edges and crossings that shared memory cannot hold

    explicit tiling(const recipe<T>& r) : rule(r) {}
};

/// A tile's place: its first pixel.
struct corner {
    index_t image, plane, row, column;
};
template <class T, class Shape>
__device__ corner corner_of(const tiling<T>& t, index_t tile) {
    corner c;
    c.column = tile % t.across * Shape::columns;
    tile /= t.across;
    c.row = tile % t.down * Shape::rows;
    tile /= t.down;
    c.plane = tile % t.deep * Shape::planes;
    c.image = tile / t.deep;
    return c;
}

/// Sizes that follow from a policy. A thread owns `steps` pixels: down a column of a flat tile, along the
/// planes of a volume's tile.
template <class Link, int Row>
struct shape_of {
    static constexpr tile_policy policy = tile_of<Link::rank, Row>();
    static constexpr int columns = policy.columns, rows = policy.rows, planes = policy.planes;
    static constexpr int threads = policy.threads;
    static constexpr int pixels = columns * rows * planes;
    static constexpr int steps = pixels / threads;
    static constexpr int basins = pixels >> Link::fewest;
    static constexpr int depth = Link::rank == 3 ? 1 : 0;  // of the rim of planes round a tile
    /// Pixels at the tile's edge: at most so many nodes.
    static constexpr int at_edge = pixels - (columns - 2) * (rows - 2) * (Link::rank == 3 ? planes - 2 : 1);
    /// A pixel inside a face, on an edge, in a corner of a tile has so many parts outside at most.
    static constexpr int most_crossings =
        Link::rank == 2 ? (Link::reach == 1 ? 1 : 2) * at_edge + 4
                        : (Link::reach == 1 ? 1 : 4) * at_edge + 8 * (columns + rows + planes) + 24;
    static constexpr int most_edges =
        Link::rank == 2 ? pixels * 3 / 4 + 2 * at_edge : pixels * (Link::parts - 1);
    static constexpr int spilled_edges = most_edges > policy.edges ? most_edges - policy.edges : 0;
    static constexpr int spilled_crossings =
        most_crossings > policy.crossings ? most_crossings - policy.crossings : 0;
    /// Words that a block may spill: an edge is its ends and a level of up to two words.
    static constexpr index_t spill_words = index_t{3} * spilled_edges + spilled_crossings;

    static_assert(Link::rank == 2 ? planes == 1 && columns * (rows / steps) == threads
                                  : columns * rows == threads && planes == steps);
    static_assert(columns % 2 == 0 && rows % 2 == 0 && pixels <= 8192 && basins < to_source);
};

/// For tests, through WALE_TUNING: "reconstruction/basins/max_blocks=1" contracts and joins with one resident
/// block.
[[nodiscard]] inline index_t at_most(index_t blocks) {
    const auto most = tuning::overridden("reconstruction/basins/max_blocks", std::size_t{1} << 31, 0);
    return most == 0 ? blocks : smaller(blocks, static_cast<index_t>(most));
}

/// Queues the join of all tiles (basins.cu: one object file for all pixel types).
void join(const cuda::context& c, const graph<std::uint32_t>& g, const label_map& where);
void join(const cuda::context& c, const graph<std::uint64_t>& g, const label_map& where);

}  // namespace wale::reconstruction::basins
