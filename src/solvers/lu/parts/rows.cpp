// rows - one matrix over several devices. The CUDA plugin appends cuda/rows.cu.
#include "solvers/lu/parts/problem.hpp"

namespace wale::lu {

divided_table& divided_rows() {
    static divided_table table{"lu", "divided", {}};
    return table;
}

}  // namespace wale::lu
