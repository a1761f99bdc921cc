// krylov - GMRES (Saad, Schultz 1986) on the device: all scalars stay there. Directions are made orthogonal
// by Gram and Schmidt's classical rule, one pass, as the linear residual falls by a factor of ten only: what
// orthogonality loses grows with the square of that factor times rounding (Giraud, Langou, Rozloznik,
// van den Eshof 2005), far below the differences that make the products.
#pragma once

#include "solvers/euler/advance/cuda/colours/task.cuh"

namespace wale::euler {

/// Queues what a cycle begins with: the rule's numbers into the words.
void queue_rule(const cuda::context& on, const colours_task& t, const newton_rule& rule);
/// Queues the first direction, from the balance; `swept` is 0 afterwards.
void queue_first_direction(const cuda::context& on, const colours_task& t);
/// Queues: the latest product becomes a direction beside all before it; `swept` is 0 afterwards.
void queue_next_direction(const cuda::context& on, const colours_task& t);
/// Queues the sum of directions whose linear residual is least, into the place behind the last direction;
/// `swept` is 0 afterwards.
void queue_sum_of_directions(const cuda::context& on, const colours_task& t);

}  // namespace wale::euler
