// mesh_file - meshes in files: fvcorr (Rodinia's text), its SAC variant, SU2, Gmsh, Wale's own cache; flows
// as VTU.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <wale/matrix.hpp>
#include <wale/mesh.hpp>
#include <wale/output_file.hpp>

namespace wale {

enum class mesh_format {
    automatic,  // by content, when reading
    fvcorr,     // cells, then a line each: volume, 4 times neighbour and outward normal
    sac,   // the same as three lists "[1,N:" of volumes, neighbours (from 0), normals in one of three orders
    su2,   // ASCII: points, elements, markers
    gmsh,  // formats 2.2 and 4.1, text and binary: read only
    cache  // binary, this machine's byte order, checked by length and checksum
};
[[nodiscard]] const char* name_of(mesh_format f) noexcept;

struct mesh_file_options {
    mesh_format format = mesh_format::automatic;
    int threads = 0;  // that read text; 0: all
    index_t max_cells = (index_t{1} << 31) - 1;
    /// A prefix of a larger fvcorr mesh has neighbours beyond its end: they become the far field instead of
    /// an error.
    bool open_ends = false;
    /// Leaves dangling, one-sided and self neighbours, open cells and volumes that are not
    /// positive to inspect(): only what cannot be parsed is refused.
    bool unchecked = false;
};

/// Reads a mesh, plain or gzip; `-` is standard input. A folder is read as OpenFOAM's polyMesh, a file of
/// HDF5 or ADF as CGNS. Patches of fvcorr and SAC are "wall" (neighbour 0) and "farfield" (negative). Area
/// vectors are true areas: see mesh::normal_scale. Throws cannot_open, or bad_input "file:line: value,
/// expected": numbers that are not, dangling, one-sided or self neighbours, open cells, volumes that are not
/// positive, a truncated file, data after its end.
[[nodiscard]] mesh read_mesh(const std::string& path, const mesh_file_options& options = {});

/// The same from memory; `name` stands in messages. This is what the fuzzers drive.
[[nodiscard]] mesh parse_mesh(std::string_view bytes, const std::string& name,
                              const mesh_file_options& options = {});

/// fvcorr is written in its own columns (E15.7: seven digits) with normals times normal_scale; su2 with as
/// many digits as it takes and needs points; cache is exact. Throws bad_argument where the format cannot say
/// what the mesh is.
void write_mesh(output_file& out, const mesh& m, mesh_format format);

/// One value or vector a cell.
struct cell_field {
    std::string name;
    int components = 1;
    std::span<const double> values;  // [cells][components]
};
struct vtu_options {
    scalar type = scalar::f64;  // of the fields
    bool surface = false;       // only the faces of patches, with the values of their cells
};
/// VTK's unstructured grid with appended raw data and 64-bit offsets, as ParaView and meshio read it. Needs
/// points.
void write_vtu(output_file& out, const mesh& m, std::span<const cell_field> fields,
               const vtu_options& options = {});

}  // namespace wale
