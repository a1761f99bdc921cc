// variants - the CUDA rows, best first.
#include "solvers/tree/cable/cuda/rows.hpp"
#include "solvers/tree/cuda/variants.hpp"

namespace wale::tree {

void append_cable_variants() {
    auto& rows = cable_variants().rows;
    rows.push_back({"cuda/resident", backend::cuda,
                    "a block a cell, its state in shared memory for many steps; solved level by level",
                    why_not_resident, resident_suits, step_cable_resident});
    rows.push_back({"cuda/cells", backend::cuda,
                    "a thread a cell, cells interleaved; the tree is eliminated as it is assembled",
                    why_not_cells, nullptr, step_cable_cells});
}

}  // namespace wale::tree
