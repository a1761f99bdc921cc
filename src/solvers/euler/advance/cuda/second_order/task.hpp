// task - what a stage of second order is asked: addresses of the plan and of the flow, and the scheme.
#pragma once

#include "solvers/euler/advance/cell.hpp"
#include "solvers/euler/advance/cuda/second_order/layout.hpp"

namespace wale::euler::second_order {

/// Addresses of the plan, and what a stage moves.
template <class Real>
struct task {
    const tile* tiles;
    const std::int32_t* halo;
    index_t rows;
    const chunk* links;
    const chunk* geometry;
    const face_area<Real>* areas;
    const patch_face* patches;
    const double* volumes;
    const record<Real>* now;
    chunk* values;  // [face_values::count][cells] where gradients are a pass of their own
    index_t cells;
    record<Real>* next;  // not now: other tiles still read that
    const Real* old;     // [5][cells] conserved, at the iteration's beginning, by number
    const Real* from;    // the same of `now`, where a stage needs it
    Real* moved;         // the same of `next`, where the caller needs it; may be old or from
    Real* step;          // [cells] over the volume, found by the first stage
    bool local;          // each cell has a step of its own; else move() takes the step of time
    const euler_boundary* kinds;
    const gas_point<Real>* said;
    constants<Real> k;
    Real inverse_gamma_1;
    euler_step rule;
    int stage;
    int most_places;
    unsigned at_once;  // tiles that the device works on
    bool backwards;    // last tiles first: the cache still has what the stage before wrote last
};

}  // namespace wale::euler::second_order
