// blocks - cells of any shape for vectors: what a gradient and a flux ask of the mesh, arranged in blocks of
// cells whose faces are computed together, and what the vector code does with them.
//
// A record is eight words: density, velocity, pressure, three of no meaning. Gradients take a record a vector
// (the variables in its lanes), fluxes a face a lane, steps a cell a lane.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/large_pages.hpp"
#include "solvers/euler/advance/fluxes.hpp"
#include "solvers/euler/advance/session.hpp"
#include "solvers/euler/advance/shared/lanes/lanes.hpp"

namespace wale::euler {

/// Cells that follow each other; a group of lanes is of one block.
struct cell_block {
    index_t first, last;              // places
    index_t first_group, last_group;  // of inner faces: lanes of them are a group
    index_t first_remote, last_remote;
    index_t first_edge, first_open, last_edge;  // walls and planes of symmetry come first
    index_t first_ghost, last_ghost;
};

/// Where the state at a face is carried to from a cell of another block.
struct remote_side {
    std::int32_t place;
    std::int32_t slot;
    index_t row;  // of that cell
};

/// A face of a patch, with its geometry beside it: meshes one cell deep have two for each cell.
template <class Real>
struct edge_face {
    std::int32_t place;
    std::int32_t slot;
    index_t row;  // of the system
    int patch;
    facing<Real> face;
};

/// A block has a scratch memory of slots, a record each. A group of inner faces has one for each lane, first
/// of the sides that area vectors point from, then of the others; edges have one each behind all groups.
/// Fluxes replace the states of the first sides.
template <class Real>
struct block_mesh {
    index_t cells = 0, places = 0;  // places: cells, filled up to whole groups of lanes
    index_t lanes = 1;
    index_t records = 0;  // places, and ghosts behind them
    index_t slots = 0;    // the most that a block has
    constants<Real> k;
    plain_grid<Real> grid;  // in the system's numbering
    euler_scheme scheme;

    std::vector<cell_block> blocks;
    std::vector<remote_side> remotes;
    std::vector<edge_face<Real>> edges, ghosts;   // ghosts: what gradients see behind an edge
    base::large_vector<index_t> first_row;        // [places + 1]
    base::large_vector<Real> offset;              // [rows][3] the face's centre from the cell's
    base::large_vector<std::int32_t> slot;        // [rows] of the cell's state at the face
    base::large_vector<Real> faces;               // [groups][4][lanes] direction and area
    base::large_vector<Real> volume, floor_;      // [places]; of the limiter
    base::large_vector<index_t> first_link;       // [places + 1]
    base::large_vector<std::int32_t> near_links;  // [places] the first ones: behind the cell's own faces
    base::large_vector<std::int32_t> link;        // [links] record
    base::large_vector<Real> weight;              // [links][2 or 3]

    [[nodiscard]] int axes() const { return k.flat ? 2 : 3; }
    /// Words of a cell's gradient: five along each axis, and three that a vector runs over.
    [[nodiscard]] index_t slope_words() const { return variables * axes() + 3; }
};

/// order[place]: the system's number. Threads find the weights.
template <class Real>
[[nodiscard]] block_mesh<Real> arranged_in_blocks(const flow_system& system, const plain_grid<Real>& grid,
                                                  std::span<const std::int32_t> order, int threads);

/// One thread's part of a pass.
template <class Real>
struct block_task {
    const block_mesh<Real>* mesh;
    const Real* points;  // [records][8]
    Real* slopes;        // [places][slope_words]
    Real* steps;         // [places] over the volume
    Real* scratch;       // [slots][8]
};

/// A stage's step: next = from_old old + from_now now + from_flux step residual.
template <class Real>
struct step_task {
    const block_mesh<Real>* mesh;
    const Real *old, *now;  // [groups][5][lanes] conserved
    Real* next;
    const Real* residual;  // [from first][8], or null: 0
    const Real* steps;
    Real* points;  // [records][8] of `next`
    Real from_old, from_now, from_flux;
};

/// Limited gradients of the places first <= i < last.
template <class Real>
void find_slopes(const block_task<Real>& t, index_t first, index_t last);

/// Into residual[place - first of the block][8] what flows into the block's cells.
template <class Real>
void find_residuals(const block_task<Real>& t, const cell_block& b, Real* residual);

/// A stage's step of whole groups of lanes: first and last are multiples of them.
template <class Real>
void take_steps(const step_task<Real>& t, index_t first, index_t last);

/// The steps that the block's cells may take by themselves, over their volume (step_over_volume()).
template <class Real>
void find_local_steps(const block_task<Real>& t, const cell_block& b, std::span<const std::int32_t> order);

/// What gradients see behind the block's edges, into its records.
template <class Real>
void find_ghosts(const block_mesh<Real>& m, const cell_block& b, Real* points);

/// The flux through the face of an open edge into `slot`, which has the state carried to the face; `own` is
/// the cell's.
template <class Real>
void replace_by_flux(const block_mesh<Real>& m, const edge_face<Real>& e, const Real* own, Real* slot);

/// One of Jacobi's sweeps (smoothed() of cell.hpp) over records of residuals.
template <class Real>
void sweep_residuals(const block_mesh<Real>& m, const cell_block& b, const Real* rough, const Real* smooth,
                     Real* next);

/// Why a case cannot be computed by vectors; empty if it can.
[[nodiscard]] std::string why_not_blocks(const flow_system& system);

/// The sessions of cpu/vectors: of tetrahedra to first order (where why_not_lanes() is empty), of all.
[[nodiscard]] std::unique_ptr<flow_session> create_tetrahedra(const advance_job& job);
[[nodiscard]] std::unique_ptr<flow_session> create_blocks(const advance_job& job);

}  // namespace wale::euler
