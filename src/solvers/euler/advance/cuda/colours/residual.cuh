// residual - the scheme's own residual in cuda/colours, and what is made of it.
#pragma once

#include "solvers/euler/advance/cuda/colours/task.cuh"

namespace wale::euler {

enum class residual_use {
    norm,    // kept in next_balance; its norm into the words
    product  // the difference to `balance` makes the direction after the latest
};

/// Queues the points of state + h swept, h being the words' difference.
void queue_difference(const cuda::context& on, const colours_task& t);
/// Queues moved = state + part times what was swept, shortened; and its points.
void queue_move(const cuda::context& on, const colours_task& t, double part);
/// Queues the points of `moved` as it is.
void queue_points(const cuda::context& on, const colours_task& t);

/// Queues the residual of `points`.
void queue_residual(const cuda::context& on, const euler_scheme& scheme, const colours_task& t,
                    residual_use use);

}  // namespace wale::euler
