// tiles - a mesh cut into tiles, each with the cells that three stages of a scheme reach from it. A stage
// looks at neighbours, so a tile's own cells after three stages depend on three layers round them:
//
//     3 3 2 2 2 3 3     own cells 0; cells 0 to 2 take the first stage, 0 and 1 the second, 0 the third
//     3 2 1 1 1 2 3     (layer 3 only lends its states)
//     3 2 1 0 0 1 2
//     3 2 1 1 1 2 3
#pragma once

#include <cstdint>
#include <span>
#include <vector>
#include <wale/layout.hpp>

namespace wale::meshes {

inline constexpr int tile_faces = 4;  // rows of each cell: tetrahedra
inline constexpr std::uint16_t no_place = 0xffff;

struct tile_limits {
    index_t parts = 1;   // tiles aimed at; more where these would be too large
    index_t two = 1152;  // most own cells with two layers
    index_t all = 1912;  // most with all three; both at least 64, less than no_place
};

/// Cells of a tile by their place in it: own cells, then layer after layer, each in order of number.
struct deep_tile {
    std::int32_t first = 0;                           // own cells are first <= number < first + own
    std::int32_t own = 0, one = 0, two = 0, all = 0;  // places of the own cells, with one layer, two, three
    index_t halo = 0;                                 // of place `own` in deep_tiling::halo
    index_t rows = 0;                                 // of place 0 in deep_tiling::places
};

struct deep_tiling {
    std::vector<std::int32_t> order;  // [cells] the number before of each cell; a tile's own cells together
    std::vector<deep_tile> tiles;
    std::vector<std::int32_t> halo;     // numbers of the cells that tiles borrow
    std::vector<std::uint16_t> places;  // [places below two, tile after tile][tile_faces] of the neighbours
};

/// Compact tiles by recursive bisection of the graph alone, so that the numbering of the mesh does not
/// matter: between two far ends by distance, smoothed (the idea of Fiedler 1975 without the eigenvectors),
/// then exchanged along the cut (Kernighan and Lin 1970). The same tiles for any number of threads.
/// `neighbours` is [cells][tile_faces], negative where there is none. O(cells log cells).
[[nodiscard]] deep_tiling tile_cells(std::span<const std::int32_t> neighbours, const tile_limits& limits,
                                     int threads = 0);

}  // namespace wale::meshes
