// tile_memory - what a block holds of a tile while it contracts it.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/basins/graph.cuh"
#include "solvers/reconstruction/reconstruct/cuda/basins/links.cuh"

namespace wale::reconstruction::basins {

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

}  // namespace wale::reconstruction::basins
