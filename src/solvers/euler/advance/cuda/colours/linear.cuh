// linear - the linear system of cuda/colours: its blocks, a sweep of block Gauss and Seidel's over a colour,
// and the product with a change. Blocks are in floats, as they are differences of fluxes with seven digits,
// and take no part in the residual, which says what the steady flow is.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/euler/advance/cuda/colours/task.cuh"

namespace wale::euler {

/// Where a sweep's right-hand side comes from: a direction by its number, or the one that was found last.
inline constexpr int latest_direction = -1;
inline constexpr int sum_of_directions = newton_rule::most_directions + 1;

/// Queues what linearises the state: points, waves, blocks of the first-order system of `flux`, and the
/// diagonal blocks inverted.
void queue_assembly(const cuda::context& on, const colours_task& t, index_t rows, euler_flux flux);

/// A colour's part of a sweep.
struct colour_range {
    index_t first, last;   // of the task's order
    int from;              // where the right-hand side comes from
    index_t part = -1;     // where the blocks' sums go of the squares of the change; -1: nowhere
    bool is_last = false;  // with these sums all are there: the step of a difference is found
};
/// Queues it: x_i = D^-1 (b_i - sum of the neighbours' blocks times x), x being `swept`.
void queue_colour(const cuda::context& on, const colours_task& t, const colour_range& range);

/// Queues the product of the first-order system with what was swept, into the direction after the latest.
void queue_product(const cuda::context& on, const colours_task& t);

}  // namespace wale::euler
