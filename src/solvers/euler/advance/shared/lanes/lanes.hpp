// lanes - groups of tetrahedra, a cell in each lane of a vector: how they are arranged, and what the vector
// code does with them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/aligned.hpp"
#include "solvers/euler/advance/session.hpp"

namespace wale::euler {

/// Words of a cell's record: the five of its state, then these. Rusanov's flux asks for the speed of sound
/// alone.
inline constexpr index_t record = 8;
inline constexpr int pressure_word = 5;
inline constexpr int waves_word = 6;    // |v| + c, or c
inline constexpr int inverse_word = 7;  // 1 / density

/// A mesh of tetrahedra in groups of as many cells as a vector has lanes.
template <class Real>
struct lane_mesh {
    index_t groups = 0;
    base::aligned_vector<Real> faces;  // [groups][4][4][lanes]: half of the area vector, and its length
    base::aligned_vector<std::int32_t> neighbour;  // [groups][4][lanes] record; a cell's own where `special`
    base::aligned_vector<Real> factor;             // [groups][lanes] step over volume is this over |v| + c
    /// Cells with boundary faces that have no part in `faces`.
    struct boundary_cell {
        index_t cell;  // in the system's numbering
        std::int32_t lane;
    };
    std::vector<std::int32_t> first_boundary;  // [groups + 1]
    std::vector<boundary_cell> boundary;
    constants<Real> k;
    plain_grid<Real> grid;  // in the system's numbering
    euler_flux flux = euler_flux::rodinia;
    euler_step rule = euler_step::rodinia;

    /// A boundary that is a neighbour with the free stream's record and a face without size: the published
    /// scheme's far field, which has no dissipation. Local steps need the size.
    [[nodiscard]] bool is_ghost(std::int32_t other) const {
        return flux == euler_flux::rodinia && rule != euler_step::local &&
               grid.kinds[patch_of(other)] == euler_boundary::far_field;
    }
};

/// What else than a stage is done to groups: `next` gets residuals; words 5 to 7 from 0 to 4.
inline constexpr int residual_pass = stages, completion_pass = stages + 1;

template <class Real>
struct stage_task {
    const lane_mesh<Real>* mesh;
    const Real* now;  // [records][8]
    const Real* old;  // as it was before the iteration
    Real* next;
    Real* steps;          // [groups][lanes] over the volume; found in stage 0, or fixed
    int stage;            // or `residual_pass`, `completion_pass`
    index_t first, last;  // groups
};

/// Lanes of Real in a vector of this machine; 1: no vectors here.
template <class Real>
[[nodiscard]] index_t lanes_of();

template <class Real>
void run_stage(const stage_task<Real>& t);

/// Adds to leaving[variable][lane] what leaves the group's cells through boundary faces, and finds their
/// local steps where they are asked for.
template <class Real>
void add_boundaries(const stage_task<Real>& t, index_t group, index_t lanes, Real* leaving);

/// order[i]: the system's number of the cell in place i. Reverse Cuthill-McKee where no order is asked for:
/// it costs a few iterations and never lost (docs/performance/euler.md).
[[nodiscard]] std::vector<std::int32_t> vector_order(const flow_system& system);

/// Lanes beyond the last cell are copies of it. The record behind all groups is the free stream's.
template <class Real>
[[nodiscard]] lane_mesh<Real> arranged(const flow_system& system, const plain_grid<Real>& grid,
                                       std::span<const std::int32_t> order);

/// Why a case cannot be computed in lanes; empty if it can.
[[nodiscard]] std::string why_not_lanes(const flow_system& system);

}  // namespace wale::euler
