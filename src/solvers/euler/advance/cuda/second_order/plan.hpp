// plan - how a mesh of tetrahedra is cut into tiles for second order, and what a tile's stage reads: links of
// gradients, geometry, faces. Made on the host.
#pragma once

#include <string>
#include <vector>

#include "solvers/euler/advance/cuda/second_order/layout.hpp"
#include "solvers/euler/advance/system.hpp"

namespace wale::euler::second_order {

template <class Real>
struct plan {
    std::vector<std::int32_t> order;  // [cells] the system's number of each
    std::vector<tile> tiles;
    std::vector<std::int32_t> halo;  // numbers of the records that tiles borrow; ghosts are behind the cells
    index_t rows = 0;
    std::vector<chunk> links;            // [2][rows] sixteen of piece_of_place() in 16 bits
    std::vector<chunk> geometry;         // [geometry_chunks::count][rows]
    std::vector<face_area<Real>> areas;  // [faces]
    std::vector<patch_face> patches;     // [faces of patches]
    std::vector<record<Real>> records;   // [cells + ghosts] places; no gas
    std::vector<double> volumes;         // [cells]
    std::vector<std::int32_t> ghosts;    // [ghosts] the number of the cell before each
    int most_places = 0, most_near = 0, most_faces = 0;  // of a tile
};

/// Tiles of some `own` cells each; all have their places and faces within `bytes` of shared memory.
template <class Real>
[[nodiscard]] plan<Real> plan_of(const flow_system& system, index_t own, index_t parts_at_once,
                                 index_t bytes);
/// What a tile of so many places and faces takes.
template <class Real>
[[nodiscard]] constexpr index_t bytes_of(index_t places, index_t faces) {
    const auto up = [](index_t n, index_t to) { return (n + to - 1) / to * to; };
    return up(places, places_together) * index_t{sizeof(record<Real>)} +
           up(faces, faces_together) * 2 * variables * index_t{sizeof(Real)};
}

/// Why a mesh of tetrahedra has no plan, or nothing.
[[nodiscard]] std::string why_no_plan(const flow_system& system);

}  // namespace wale::euler::second_order
