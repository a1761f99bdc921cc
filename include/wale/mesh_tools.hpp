// mesh_tools - what is done to meshes before a flow is computed: made, checked, renumbered, cut in parts, and
// given back the corners that their file left out.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>
#include <wale/mesh.hpp>

namespace wale {

enum class mesh_kind {
    shell,   // tetrahedra between an ellipsoid ("wall") and a sphere ("farfield")
    wedge,   // 2-D channel over a wedge of `angle` degrees: "inflow", "wall", "symmetry", "outflow"
    bump,    // 2-D channel with a smooth bump: "inflow", "outflow", "wall", "top"
    box,     // square or cube [-5, 5]^d whose opposite sides may be joined: "left", "right", ...
    tube,    // shock tube [0, 1], `size` cells long: "left", "right", "sides"
    o_grid,  // 2-D, rings round a NACA 4-digit section from (0, 0) to (1, 0): "wall", "farfield"
    c_grid   // the same with rings open behind the trailing edge, `outward` cells of them along the wake
};
[[nodiscard]] const char* name_of(mesh_kind k) noexcept;

struct mesh_recipe {
    mesh_kind kind = mesh_kind::shell;
    index_t size = 20000;  // cells asked for; what comes is near it
    /// Of the cells: triangles and quadrilaterals make a 2-D mesh, others a 3-D one; a shell is of
    /// tetrahedra.
    cell_shape shape = cell_shape::tetrahedron;
    double thickness = 0.12;       // of the ellipsoid: its axes are 1, `thickness`, 1 (a wing-like body)
    double outer = 10;             // radius of the far field; of a C-grid its distance before and behind
    std::string section = "0012";  // of an O- or C-grid
    /// Of O- and C-grids, instead of `size`: cells round the section, an even number, and out from it; 0: by
    /// size, and 35 for each 100 round.
    index_t around = 0, outward = 0;
    double angle = 10;      // [degrees] of the wedge
    double height = 0.1;    // of the bump
    double distortion = 0;  // random shift of inner points, in parts of an edge
    bool shuffled = false;  // cells in random order
    std::uint64_t seed = 1;
};
/// The same recipe gives the same mesh on every machine. Throws bad_argument.
[[nodiscard]] mesh generate_mesh(const mesh_recipe& recipe);

/// What a check found. Worst places are cells; -1: none.
struct mesh_report {
    index_t cells = 0, rows = 0, inner_faces = 0;
    std::vector<index_t> patch_faces;  // of each patch
    std::vector<double> patch_area;
    index_t not_positive = 0, first_not_positive = -1;  // volumes
    index_t open_cells = 0, worst_open = -1;            // cells whose area vectors do not sum to zero
    double closure = 0;                                 // largest |sum n| / sum |n|
    index_t not_mutual = 0, first_not_mutual = -1;  // neighbours that do not know of it, or of another area
    double reciprocity = 0;                         // largest |n_ij + n_ji| / |n_ij|
    index_t self_neighbours = 0;
    /// Median over tetrahedra of (sqrt(2/9 |n1.(n2 x n3)|) / V)^(2/3), which is 1 for true area vectors.
    double area_factor = 1;
    double volume = 0, least_volume = 0, greatest_volume = 0;
    double gauss = -1;  // |sum V - sum_b x.n / d| / sum V; -1: no coordinates
    // Between a face's normal and the line through both cells' centres [degrees]; -1: no coordinates.
    double largest_angle = -1, mean_angle = -1;
    index_t worst_angle = -1;  // the cell of the largest
    double volume_ratio = 1;   // the largest of two neighbours' volumes
    index_t bandwidth = 0;     // largest distance of neighbours' numbers
    double mean_distance = 0;
    index_t parts = 0;  // connected components
    /// Empty if a flow can be computed on it; else the gravest defect in one line.
    std::string verdict;
};
[[nodiscard]] mesh_report inspect(const mesh& m);

/// The cell that holds each point, -1 outside of the mesh; of several at a common face the one deepest in.
/// Needs coordinates: bad_argument. In 2-D z does not count. O(cells points).
[[nodiscard]] std::vector<index_t> cells_at(const mesh& m, std::span<const std::array<double, 3>> points);
/// For each cell of `to` the cell of `from` with the nearest centroid. Needs coordinates. O(cells log cells)
/// expected.
[[nodiscard]] std::vector<index_t> nearest_cells(const mesh& from, const mesh& to);

enum class cell_order { natural, random, reverse_cuthill_mckee, hilbert };
[[nodiscard]] const char* name_of(cell_order o) noexcept;
/// order[new] = old. hilbert needs centres (or corners recovered); without them it throws bad_argument.
[[nodiscard]] std::vector<std::int32_t> order_cells(const mesh& m, cell_order o, std::uint64_t seed = 1);
/// The same mesh with cell order[i] as its cell i; the faces of a cell keep their order.
[[nodiscard]] mesh renumbered(const mesh& m, std::span<const std::int32_t> order);

/// Part of each cell, 0 to parts - 1: METIS's k-way partition of the graph of neighbours where Wale was built
/// with it, else (and where asked) by bisection of breadth-first distances. The same on every machine.
enum class partition_method { automatic, metis, bisection };
[[nodiscard]] std::vector<std::int32_t> partition(const mesh& m, int parts,
                                                  partition_method method = partition_method::automatic);

struct recovery {
    double mismatch = 0;  // largest distance of two cells' opinions of a corner, over the edge's length
    index_t pieces = 0;   // that were glued separately
};
/// Gives a mesh of tetrahedra its corners back: each from its area vectors up to a shift, glued face to face
/// breadth first. Afterwards has_points() and has_centres() hold. Faces 1 and 2 of a cell change places where
/// the corners opposite its faces would not be in VTK's order (half of a genuine fvcorr file). Throws
/// bad_argument for other cells, or where `m` has cells that are flat or whose area vectors do not close.
recovery recover_points(mesh& m);

}  // namespace wale
