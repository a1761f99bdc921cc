// mesh_records - what fvcorr and SAC say of a mesh: four neighbours and four normals a cell. Which faces
// belong together, and whether the cells are sound, is found here.
#pragma once

#include <functional>

#include "io/mesh_format.hpp"

namespace wale::io {

inline constexpr int record_faces = 4;                    // of a cell
inline constexpr std::int32_t wall = -1, far_field = -2;  // mesh::neighbour at patches 0 and 1

struct record_source {
    const mesh_input& in;
    int base;  // the file's number of the first cell
    /// The file's line of a cell's volume (face -1), or of one of its neighbours.
    std::function<index_t(index_t cell, int face)> line;
};

/// A mesh of `cells` cells with four faces, patches "wall" and "farfield", whose numbers are still to come.
[[nodiscard]] mesh empty_records(index_t cells);

/// What a file's neighbour means, 0 being the first cell. Beyond the end of the mesh: far field where that is
/// asked for, else it stays for finish_records() to refuse.
[[nodiscard]] inline std::int32_t record_neighbour(std::int32_t cell, index_t cells, bool lenient) {
    return lenient && cell >= cells ? far_field : cell;
}

/// Whether a cell's normals do not sum to 0, within what rounding to five digits leaves.
[[nodiscard]] bool is_open(const mesh& m, index_t cell);

/// Finds the opposite faces, brings the normals to true areas and refuses what the header of mesh_file says.
void finish_records(mesh& m, const record_source& source);

/// The neighbour at a row: a cell, or wall, or far_field, whatever the numbers of the patches.
[[nodiscard]] std::int32_t neighbour_in_record(const mesh& m, index_t row);
/// Why fvcorr and SAC cannot say what the mesh is; empty if they can.
[[nodiscard]] std::string why_no_records(const mesh& m);

}  // namespace wale::io
