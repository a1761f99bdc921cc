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
/// difference, and a difference of places within a tile would depend on the tile: integers do neither. Places
/// are known modulo 2^32, since differences of linked ones alone are asked for, which are less than 2^31.
template <class Real>
using coordinate = std::conditional_t<sizeof(Real) == 4, std::int32_t, double>;

WALE_HD inline float difference(std::int32_t a, std::int32_t b) {
    return static_cast<float>(
        static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b)));
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

/// Where a cell's faces lie in a tile's memory of sides: of each face twice the word of its left side, and 1
/// more where the cell is on its right; no_slot: a face that the tile does not compute.
struct face_slots {
    std::uint32_t two[faces_of_cell / 2];
    [[nodiscard]] WALE_HD unsigned at(int face) const { return two[face / 2] >> (face % 2 * 16) & 0xffffU; }
};

/// What a cell's gradient needs beside its links. Lengths are in the plan's unit.
template <class Real>
struct gradient_geometry {
    // From the sums of least squares to the step to a face's centre: the centre times the inverse of the
    // matrix. Of three faces; the steps to all four sum to 0, as the centres do.
    Real to_faces[faces_of_cell - 1][3];
    Real floor;  // of the limiter, without units
    face_slots slots;
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
    std::int32_t cell;   // the number of the cell before it
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
inline constexpr int words_of_sides = 2 * variables * faces_together, to_right_side = words_of_sides / 2;
[[nodiscard]] WALE_HD constexpr int word_of_face(int face) {
    return face / faces_together * words_of_sides + face % faces_together;
}
/// The face whose left side begins at a word.
[[nodiscard]] WALE_HD constexpr int face_of_word(int word) {
    return word / words_of_sides * faces_together + word % words_of_sides;
}

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
