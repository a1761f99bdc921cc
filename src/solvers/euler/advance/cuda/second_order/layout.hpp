// layout - where second order over tiles keeps what its stages read: records of cells and ghosts, geometry of
// a tile's cells and faces. Numbers only: the plan fills them on the host, the stage reads them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "solvers/euler/advance/shared/fused/records.hpp"

namespace wale::euler::second_order {

inline constexpr int faces_of_cell = 4;
/// Of a tetrahedron: four neighbours, and of each the three that the cell itself is not.
inline constexpr int near_links = 4, links_of_cell = 16;
inline constexpr std::uint16_t no_slot = 0xffff;

/// What a thread loads at once.
struct alignas(16) chunk {
    std::uint32_t words[4];
};

/// A coordinate of a centroid. Floats near each other in a large mesh would lose the digits of their
/// difference, and a difference of places within a tile would depend on the tile: integers do neither.
template <class Real>
using coordinate = std::conditional_t<sizeof(Real) == 4, std::int32_t, double>;

WALE_HD inline float difference(std::int32_t a, std::int32_t b) {
    return static_cast<float>(a - b);
}
WALE_HD inline double difference(double a, double b) {
    return a - b;
}

/// A cell or a ghost: density, velocity, pressure, and where the centroid is.
template <class Real>
struct alignas(16) record {
    Real at[variables];
    coordinate<Real> place[3];
};
template <class Real>
union record_chunks {
    static constexpr int count = static_cast<int>(sizeof(record<Real>) / sizeof(chunk));
    chunk pieces[count];
    record<Real> whole;
};

/// What a cell's gradient needs beside its links. Lengths are in the plan's unit.
template <class Real>
struct gradient_geometry {
    Real inverse[6];                        // xx yy zz xy xz yz of the inverse of the least squares' matrix
    Real floor;                             // of the limiter, without units
    Real centres[3 * (faces_of_cell - 1)];  // of faces; those of all four sum to 0
};
template <class Real>
union geometry_chunks {
    static constexpr int count =
        static_cast<int>((sizeof(gradient_geometry<Real>) + sizeof(chunk) - 1) / sizeof(chunk));
    chunk pieces[count];
    gradient_geometry<Real> whole;
};

/// A face's direction, to its right, and its area.
template <class Real>
using face_area = words<Real, 4>;
struct patch_face {
    std::int32_t patch;
    std::int32_t ghost;  // the record behind it, or -1
};

/// Places of a tile in shared memory: records by eight, and of these piece by piece, so that a record's
/// pieces have a fixed distance and gathers of a piece meet as few of the eight banks of 16 bytes as can be.
inline constexpr int places_together = 8;
template <class Real>
[[nodiscard]] WALE_HD constexpr unsigned piece_of_place(unsigned place) {
    return place / places_together * (places_together * record_chunks<Real>::count) + place % places_together;
}
/// The same of what the state is at a face: by 32, the five of the left side before the five of the right.
inline constexpr int faces_together = 32;
[[nodiscard]] WALE_HD constexpr int word_of_side(int face, int side) {
    return face / faces_together * (2 * variables * faces_together) + side * variables * faces_together +
           face % faces_together;
}

/// Four numbers of 16 bits, a face each.
struct alignas(8) four_numbers {
    std::uint16_t at[faces_of_cell];
};

/// What the state is at a cell's faces, where it passes through device memory.
template <class Real>
union face_values {
    static constexpr int count = static_cast<int>(faces_of_cell * variables * sizeof(Real) / sizeof(chunk));
    chunk pieces[count];
    Real at[faces_of_cell * variables];
};

/// Cells of a tile by their place: own ones, their neighbours (up to `one`), then all that gradients of own
/// ones ask for (up to `near`, ghosts too), then what gradients of the neighbours ask for. Own cells are
/// first <= number < first + own.
struct tile {
    std::int32_t first = 0, own = 0, one = 0, near = 0, all = 0;
    std::int32_t inner = 0, faces = 0;  // faces between cells, then those of patches
    index_t halo = 0;                   // of place `own` in plan::halo
    index_t rows = 0;                   // of place 0 in the arrays of places below `one`
    index_t areas = 0;                  // of face 0 in plan::areas
    index_t patches = 0;                // of face `inner` in plan::patches
};

}  // namespace wale::euler::second_order
