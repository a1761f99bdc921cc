// variants - the CUDA rows, best first.
#include "solvers/lu/cuda/variants.hpp"
#include "solvers/lu/factor/cpu.hpp"
#include "solvers/lu/factor/cuda/rows.hpp"

namespace wale::lu {

void append_factor_variants() {
    auto& rows = factor_variants().rows;
    rows.push_back({"cuda/batched", backend::cuda,
                    "many matrices: some lanes of a warp, or a block, keep one in registers or shared memory",
                    refuses_batched, suits_batched, factor_batched});
    rows.push_back({"cuda/resident", backend::cuda,
                    "one matrix after the other, each in one launch: blocks keep 16 columns of all rows in "
                    "registers and hand on multipliers that are their own flags; iterations are launches",
                    refuses_resident, suits_resident, factor_resident});
    rows.push_back(
        {"cuda/tile_dag", backend::cuda,
         "no pivots: persistent blocks take 64 x 64 tiles by ticket, ready counters, critical path "
         "first; row-major as the transpose",
         refuses_tile_dag, suits_tile_dag, factor_tile_dag});
    rows.push_back({"cuda/lookahead", backend::cuda,
                    "large matrices: a panel in the registers of a cluster, one exchange a column, behind "
                    "cuBLAS's product of the panel before; iterations are panels; row-major by a copy",
                    refuses_lookahead, nullptr, factor_lookahead});
    // The ladder, last: a person asks for it to see each step.
    rows.push_back({"cuda/blocked_shared", backend::cuda,
                    "Rodinia's diagonal, perimeter and internal kernels, tiles in shared memory",
                    refuses_pivoting, nullptr, factor_blocked_shared});
    rows.push_back({"cuda/blocked_global", backend::cuda, "the same kernels without shared memory",
                    refuses_pivoting, nullptr, factor_blocked_global});
    rows.push_back({"cuda/row_column", backend::cuda, "one row of U, then one column of L a step, in place",
                    refuses_pivoting, nullptr, factor_row_column});
    rows.push_back({"cuda/row_column_copy", backend::cuda,
                    "the same with a fresh copy of the matrix each time, as single assignment has it",
                    refuses_pivoting, nullptr, factor_row_column_copy});
}

}  // namespace wale::lu
