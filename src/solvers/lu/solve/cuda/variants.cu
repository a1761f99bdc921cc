// variants - the CUDA rows, best first.
#include "solvers/lu/cuda/variants.hpp"
#include "solvers/lu/solve/cuda/rows.hpp"

namespace wale::lu {

void append_solve_variants() {
    solve_variants().rows.push_back(
        {"cuda/batched", backend::cuda,
         "many systems: a block some right-hand sides of one, tiles of the triangles in registers",
         refuses_solve_batched, suits_solve_batched, solve_batched});
    solve_variants().rows.push_back(
        {"cuda/blocked", backend::cuda,
         "one system after the other: diagonal blocks inverted, the rest products", catalogue::never_refuses,
         nullptr, solve_blocked});
}

}  // namespace wale::lu
